"""Tests of tokumei.tables.verification.k_anonymity."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.experiment_helpers import RECIPE
from tables.verification.privacy_models_helpers import people
from tables.verification.rules_helpers import rows, table, vector
from tokumei.api.recipes import parse_recipe
from tokumei.core.errors import UnknownNameError
from tokumei.core.recipe import run_recipe
from tokumei.files.column_types import encode_dictionary
from tokumei.files.release_files import save_experiment
from tokumei.tables.data.table import Table
from tokumei.tables.verification.k_anonymity import KAnonymity, KPerPerson


@pytest.mark.long
def test_every_release_is_verified_exactly_once(monkeypatch, tmp_path):
    checked = []
    check = KAnonymity.check

    def count(self, public):
        checked.append(public)
        return check(self, public)

    monkeypatch.setattr(KAnonymity, "check", count)
    experiment = run_recipe(parse_recipe(RECIPE), seed=1)
    save_experiment(experiment, tmp_path / "out")
    promised = [found for found in experiment.evaluations if found.release.claims]
    claims = [claim.rule for found in promised for claim in found.release.claims]
    assert len(checked) == claims.count("k-anonymity") > 0
    assert [one.claim for found in promised for one in found.checks] == [
        claim for found in promised for claim in found.release.claims
    ]


COLUMNS: dict[str, tuple[Any, list[Any]]] = {
    "text": (pl.String, ["a", "b", "", "*"]),
    "small": (pl.Int8, [-128, 127, 0]),
    "whole": (pl.Int64, [0, 1, 2**62, -(2**62), 2**63 - 1, -(2**63)]),
    "natural": (pl.UInt64, [0, 1, 2**64 - 1]),
    "near": (pl.Int64, [2**40, 2**40 + 1, 2**60]),
    "real": (pl.Float64, [0.5, 1.0, 1e300]),
    "day": (pl.Date, [date(1, 1, 1), date(2024, 1, 1), date(9999, 12, 31)]),
    "moment": (pl.Datetime, [datetime(2024, 1, 1), datetime(2024, 1, 1, 1)]),
    "truth": (pl.Boolean, [True, False]),
    "listed": (pl.Enum(["x", "y"]), ["x", "y"]),
    "packed": (pl.String, ["p", "q"]),
}


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=6, unique=True))
    cells = [st.none() | st.sampled_from(COLUMNS[name][1]) for name in names]
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=6))
    rows = rows * draw(st.integers(1, 3)) + rows[:1]
    schema = {name: COLUMNS[name][0] for name in names}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(encode_dictionary(frame[name]) for name in names if name == "packed")


@given(frame=frames(), k=st.integers(2, 4))
def test_the_rarest_vector_decides(frame: pl.DataFrame, k: int) -> None:
    rare = [count for count in Counter(frame.rows()).values() if count < k]
    faults = KAnonymity(k, tuple(frame.columns)).check(Table.of(frame, qi=frame.columns))
    assert len(faults) == len(rare)


def test_many_columns_need_more_than_one_number() -> None:
    names = [f"c{j}" for j in range(12)]
    frame = pl.DataFrame({name: [f"v{i}" for i in range(1000)] * 2 for name in names})
    table = Table.of(frame, qi=names)
    assert KAnonymity(2, tuple(names)).check(table) == []
    changed = Table.of(frame.with_columns(c11=pl.Series(["w", *frame["c11"][1:]])), qi=names)
    assert len(KAnonymity(2, tuple(names)).check(changed)) == 2


def test_rows_of_nobody_count_for_nobody() -> None:
    nobody = people(("A", "xyz"), who=["p", None, "q"])
    assert len(KPerPerson(3, ("town",), "who").check(nobody)) == 1
    assert KPerPerson(2, ("town",), "who").check(nobody) == []


def test_without_the_persons_what_can_be_seen_is_checked() -> None:
    rule = KPerPerson(3, ("town",), "who", rows=6)
    assert rule.check(people(("A", "xyz"), ("B", "xyz"))) == []
    (fault,) = rule.check(people(("A", "xyz"), ("B", "xyzx")))
    assert fault.message.show("en") == "persons were counted in 6 rows, but there are 7"
    fewer = rule.check(people(("A", "xyzx"), ("B", "xy")))
    assert [(fault.rule, fault.line) for fault in fewer] == [("k-per-person", 6)]
    with pytest.raises(UnknownNameError, match="unknown column 'who'"):
        KPerPerson(3, ("town",), "who").check(people(("A", "xyz")))
    shown = people(("A", "xyz"), ("B", "xyz"), who=["p", "q", "r", "p", "p", "q"])
    assert len(rule.check(shown)) == 1


@given(rows=rows, k=st.integers(2, 5))
def test_k_anonymity_counts_vectors(rows: list[tuple[Any, ...]], k: int) -> None:
    counts = Counter(row[:2] for row in rows)
    first = {v: next(i for i, row in enumerate(rows) if row[:2] == v) for v in counts}
    rare = sorted((n, first[v]) for v, n in counts.items() if n < k)
    faults = KAnonymity(k, ("a", "b")).check(table(rows))
    assert [fault.line for fault in faults] == [i + 2 for _, i in rare]
    for fault, (n, i) in zip(faults, rare, strict=True):
        assert fault.rule == "k-anonymity"
        assert (
            f"only {n} {'row has' if n == 1 else 'rows have'} {vector(rows[i])}"
            in fault.message.show("en")
        )
