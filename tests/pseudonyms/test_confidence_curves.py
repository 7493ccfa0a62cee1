"""What confidence is worth: figures against loops over all pairs; relabelled people as null."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tokumei.apps.cli.app import main
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms import attack_curves, sample_periods
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.attackers.assignment import NOBODY
from tokumei.pseudonyms.attackers.calibration import DecoyTrust, MonthlyAnswerOdds
from tokumei.pseudonyms.confidence_curves import ConfidenceCurve, confidence_curve
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows

CUSTOMERS = pl.Series("customer", ["a", "b", "c", "d"])


NAMES = pl.Series("pseudonym", ["p", "q", "r", "s", "t", "u"])


@st.composite
def tables(draw: st.DrawFn) -> tuple[PseudonymTable, PeriodGuess]:
    """A secret table of two periods, each with pseudonyms of its own, and a guess with levels."""
    truth, codes = np.full((4, 2), -1), np.full((4, 2), -1)
    for period in range(2):
        names = draw(st.permutations(range(3 * period, 3 * period + 3)))
        for who, name in zip(draw(st.permutations(range(4))), names, strict=False):
            truth[who, period] = name if draw(st.booleans()) else -1
        for who in range(4):
            codes[who, period] = draw(st.sampled_from([-1, *names]))
    sure = np.array([[draw(st.sampled_from([0.1, 0.5, 0.9])) for _ in range(2)] for _ in range(4)])
    table = PseudonymTable(CUSTOMERS, NAMES, codes)
    return PseudonymTable(CUSTOMERS, NAMES, truth), PeriodGuess(table, np.where(codes < 0, 0, sure))


def all_pairs(truth: PseudonymTable, guess: PeriodGuess) -> list[tuple[float, bool]]:
    """Every customer with every pseudonym of a period: confidence (0: not named), if true."""
    found = []
    for who, period in product(range(4), range(2)):
        alive = {int(code) for code in truth.codes[:, period] if code >= 0}
        alive |= {int(guess.table.codes[who, period])} - {-1}
        for name in alive:
            named = guess.table.codes[who, period] == name
            sure = float(guess.confidence[who, period]) if named else 0.0
            found.append((sure, bool(truth.codes[who, period] == name)))
    return found


@given(tables())
def test_areas_and_rates_are_those_of_all_pairs(case: tuple[PseudonymTable, PeriodGuess]) -> None:
    truth, guess = case
    dead = any(
        guess.table.codes[who, period] not in {-1, *truth.codes[:, period]}
        for who, period in product(range(4), range(2))
    )
    curve, pairs = confidence_curve("x", guess, truth), all_pairs(truth, guess)
    true, false = ([sure for sure, right in pairs if right is kind] for kind in (True, False))
    assert curve.positives == len(true)
    assert curve.hits == sum(sure > 0 for sure in true)
    assert curve.expected == pytest.approx(sum(sure for sure, _ in pairs))
    if dead or not true or not false:
        return
    wins = sum((t > f) + 0.5 * (t == f) for t in true for f in false)
    assert curve.auc == pytest.approx(wins / len(true) / len(false))
    for level in (0.1, 0.5, 0.9):
        rate = sum(f >= level for f in false) / len(false)
        assert curve.found_at(rate) >= sum(t >= level for t in true) / len(true) - 1e-12


def test_coverage_bins_and_the_ends_of_the_curve() -> None:
    right = np.array([True, True, False, True])
    curve = ConfidenceCurve("x", np.array([0.95, 0.9, 0.6, 0.2]), right, 8, 100, 10, 1)
    assert curve.coverage_at(1.0) == 2 / 8
    assert curve.coverage_at(0.75) == 4 / 8
    assert curve.coverage_at(0.5) == 4 / 8
    assert [(one.answers, one.right) for one in curve.bins] == [(1, 1.0), (1, 0.0), (2, 1.0)]
    assert (curve.roc[0][0], curve.roc[1][0], curve.roc[0][-1], curve.roc[1][-1]) == (0, 0, 1, 1)
    nothing = ConfidenceCurve("x", np.zeros(0), np.zeros(0, dtype=bool), 8, 100, 10, 1)
    assert nothing.auc == 0.5
    assert nothing.as_json()["precision"] is None


@given(st.integers(0, 10**6))
def test_another_answer_is_as_likely_as_the_exchange_is_cheap(seed: int) -> None:
    draw = np.random.default_rng(seed)
    people, names = draw.integers(1, 5), draw.integers(1, 5)
    table = draw.normal(0, 3, (people, names))
    none = draw.normal(-2, 1, people)
    judge = MonthlyAnswerOdds(csr_array(table), none, rng=Randomness(1))
    for who, name in product(range(people), range(names)):
        chance = float(judge.chances(np.array([who]), np.array([name]))[0])
        mine = judge.best[who]
        own = none[who] if mine == NOBODY else table[who, mine]
        sure = 1 / (1 + np.exp(-judge.lead[who]))
        if mine == name:
            assert chance == pytest.approx(sure)
            continue
        cost = own - table[who, name]
        others = [other for other in range(people) if judge.best[other] == name]
        for other in others:
            back = none[other] if mine == NOBODY else max(table[other, mine], none[other])
            cost += table[other, name] - back
        ratio = np.exp(-max(cost, 0.0))
        wanted = ratio / (1 + ratio) if mine == NOBODY else min(sure * ratio, 1 - sure)
        assert chance == pytest.approx(wanted)


@pytest.fixture(scope="module")
def case() -> tuple[object, object]:
    history = sample_periods(2400, seed=2)
    return history, Pseudonyms(lifetime=1).anonymize(history, rng=Randomness(1))


def test_confidence_is_calibrated_and_customers_outside_are_negatives(case) -> None:
    history, made = case
    curves = attack_curves(history, made, methods=["scoreboard", "S6"], seed=1)
    for curve in curves.values():
        assert curve.expected == pytest.approx(curve.hits, rel=0.05)
    assert curves["scoreboard"].auc > 0.95
    codes = made.table.codes.copy()
    codes[:5] = NOBODY  # as if these five had never been in the release
    truth = PseudonymTable(made.table.customers, made.table.pseudonyms, codes)
    curve = confidence_curve("x", PeriodGuess.certain(made.table), truth)
    assert curve.outside == 5
    assert (curve.hits, curve.answers) == ((codes >= 0).sum(), (made.table.codes >= 0).sum())


def test_relabelled_customers_are_the_null(case) -> None:
    history, made = case
    names = history.master.customers.to_list()
    moved = dict(zip(names, names[7:] + names[:7], strict=True))
    known = PeriodRows(history.rows.cells.with_columns(pl.col("customer").replace(moved)))
    curve = attack_curves(history, made, known=known, methods=["scoreboard"], seed=1)["scoreboard"]
    assert curve.answers > 100
    assert curve.auc == pytest.approx(0.5, abs=0.02)
    assert curve.hits / curve.answers <= 3 / len(names)


def test_rows_dealt_out_anew_are_not_believed(case, monkeypatch) -> None:
    """Everybody keeps the number of known rows, but the rows are anybody's and so are the ids."""
    history, made = case
    names = history.master.customers.to_list()
    moved = dict(zip(names, names[7:] + names[:7], strict=True))
    owner = history.rows.cells["customer"].replace(moved)
    dealt = owner.gather(np.random.default_rng(1).permutation(len(owner)))
    known = PeriodRows(history.rows.cells.with_columns(dealt.alias("customer")))
    asked = {"known": known, "methods": ["scoreboard"], "seed": 1}
    curve = attack_curves(history, made, **asked)["scoreboard"]
    assert curve.answers > 100
    assert curve.auc == pytest.approx(0.5, abs=0.05)
    monkeypatch.setattr(DecoyTrust, "of", lambda self, lead: np.ones(len(lead)))
    believed = attack_curves(history, made, **asked)["scoreboard"]
    assert curve.expected < 0.1 * curve.answers < believed.expected / 2


def run(*args: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(list(args))
    return ended.value.code


@pytest.mark.long
def test_the_command_writes_a_page(tmp_path: Path, case, capsys) -> None:
    from tokumei.files.atomic_write import write_all
    from tokumei.pseudonyms.formats.pws2017 import rows_output, table_output

    history, made = case
    rows = {"T.csv": history.rows, "S.csv": made.public}
    write_all([rows_output(one, tmp_path / name) for name, one in rows.items()])
    write_all([table_output(made.table, tmp_path / "F.csv")])
    history.master.frame.write_csv(tmp_path / "M.csv", include_header=False)
    asked = ["attack", "--format", "pws2017", "--curve", "--method", "scoreboard,S6", "--json"]
    for option, name in (("master", "M"), ("known", "T"), ("public", "S"), ("secret", "F")):
        asked += [f"--{option}", str(tmp_path / f"{name}.csv")]
    assert run(*asked, "--out", str(tmp_path / "curve")) == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["attack"] for one in told["curves"]} == {"scoreboard", "S6"}
    page = (tmp_path / "curve" / "report.html").read_text()
    assert "How sure may an attacker be?" in page
    assert "攻撃者はどれほど確信できるか" in page
    for name in ("curve.csv", "curve.json", "roc.svg", "coverage-precision.svg"):
        assert (tmp_path / "curve" / name).stat().st_size > 100
    assert run(*asked[:-2]) == 2  # rates need the secret table
