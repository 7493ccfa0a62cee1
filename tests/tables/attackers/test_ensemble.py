"""ensemble: trust from decoys against a plain count, and never behind its best member."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.ensemble import PRIOR_ANSWERS, AttackTrust, add_decoys, count_agreeing
from tokumei.tables.data.guess import ABSTAIN
from tokumei.tables.registry import resolve_attack_names

PEOPLE = tk.sample_table(400, seed=4)
MEMBERS = ("E1", "E2", "E4", "EUC2", "linkage")


@given(st.lists(st.lists(st.integers(-1, 5), min_size=3, max_size=3), min_size=1, max_size=12))
def test_trust_is_counted_row_by_row(rows: list[list[int]]) -> None:
    answers, real = np.array(rows).T, 3
    trust = AttackTrust.of(answers, real)
    for attack in range(3):
        said = [row for row in rows if row[attack] != ABSTAIN]
        decoys = sum(row[attack] >= real for row in said) / max(len(said), 1)
        assert trust.mean[attack] == pytest.approx(1 - 2 * decoys)
        for level in range(3):
            here = [row for row in said if row.count(row[attack]) - 1 == level]
            wrong = sum(row[attack] >= real for row in here) + PRIOR_ANSWERS * decoys
            wanted = 1 - 2 * wrong / (len(here) + PRIOR_ANSWERS)
            assert trust.share[attack, level] == pytest.approx(wanted)
    chosen = trust.best(answers)
    for row, pick in zip(rows, chosen, strict=True):
        assert row[pick] != ABSTAIN or all(one == ABSTAIN for one in row)
    assert (count_agreeing(answers) >= 0).all()


def test_decoys_are_like_rows_and_no_copies() -> None:
    mixed = add_decoys(PEOPLE, Randomness(1))
    real, decoys = mixed.frame[:400], mixed.frame[400:]
    assert real.select(PEOPLE.schema.qi).equals(decoys.select(PEOPLE.schema.qi))
    before, after = real.select(PEOPLE.schema.sa), decoys.select(PEOPLE.schema.sa)
    assert not set(before.rows()) & set(after.rows())
    for name in PEOPLE.schema.sa:
        assert after[name].mean() == pytest.approx(before[name].mean(), rel=0.2)


@pytest.mark.long
@pytest.mark.parametrize(
    "steps",
    [
        [{"method": "noise", "scale": 1.0}],
        [{"method": "mondrian", "k": 5}],
        [{"method": "mondrian", "k": 5}, {"method": "swap"}],
        [{"method": "mondrian", "k": 5}, {"method": "microaggregate"}],
        [{"method": "swap"}],
        [{"method": "delete", "share": 0.2}],
    ],
    ids=lambda steps: "-".join(step["method"] for step in steps),
)
def test_it_is_not_behind_its_best_member_by_more_than_the_interval(steps: object) -> None:
    release = tk.anonymize(PEOPLE, steps, seed=1)
    rates = tk.attack(PEOPLE, release, methods=[*MEMBERS, "ensemble"], seed=1)
    assert rates["ensemble"].high >= max(rates[name].rate for name in MEMBERS)


def test_where_nothing_is_left_it_finds_what_chance_finds() -> None:
    steps = [{"method": "unify", "columns": PEOPLE.schema.qi, "value": "*"}, {"method": "swap"}]
    release = tk.anonymize(PEOPLE, steps, seed=1)
    rate = tk.attack(PEOPLE, release, methods=["ensemble"], seed=1)["ensemble"]
    assert rate.low <= 1 / PEOPLE.rows


def test_it_runs_on_request_only() -> None:
    assert "ensemble" not in resolve_attack_names()
    assert resolve_attack_names(["ensemble", "all"])[0] == "ensemble"
