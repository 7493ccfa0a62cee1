"""The judge's measures together: the suite, the worst, the total, and the judge's own figures."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.period_cases import DELETED, Small, lines, smalls
from tokumei.core.errors import InputError, UsageError
from tokumei.pseudonyms.data.period_rows import PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows
from tokumei.pseudonyms.measures import itemcf as item_distance
from tokumei.pseudonyms.measures.contest_measures import (
    WorstMeasure,
    judge_safety,
    judge_total,
    score_measures,
    select_measures,
)
from tokumei.pseudonyms.measures.itemcf import ItemCf, ItemCfSupply
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.registry import measures as period_measures

NINE = ["itemcf", "itemcf_supply", "itemcf_retail", "topk", "topk_similarity", "date", "price",
        "rows", "worst"]  # fmt: skip


@settings(max_examples=30)
@given(small=smalls(odd=False))
def test_every_loss_is_within_its_bounds_and_worst_is_the_largest_of_seven(small: Small):
    scores = score_measures(small.case)
    assert list(scores) == NINE
    for name, score in scores.items():
        low, high = period_measures.get(name).bounds
        assert low <= score.value <= high, name
    seven = [scores[name].value for name in NINE[1:-1]]
    assert scores["worst"].value == max(seven) == WorstMeasure().score(small.case).value


@settings(max_examples=30)
@given(small=smalls())
def test_nothing_is_lost_when_only_names_change(small: Small):
    same = Small(small.rows, [["p" + row[0], *row[1:]] for row in small.rows])
    scores = score_measures(same.case)
    assert [score.value for score in scores.values()] == pytest.approx([0] * len(NINE), abs=1e-12)


@settings(max_examples=30)
@given(small=smalls(), cells=st.sampled_from([1, 2, 7]))
def test_similarities_may_be_computed_in_any_pieces(small: Small, cells: int):
    whole = ItemCf().score(small.case).value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_distance, "CELLS_PER_BLOCK", cells)
        assert ItemCf().score(small.case).value == pytest.approx(whole)


def test_what_worst_shares_with_its_seven_is_computed_once(monkeypatch):
    small = Small([["c1", "0", "2011/1/1", "9:00", "a", "1", "1"]], [DELETED])
    calls = []
    real = ItemCfSupply.score
    monkeypatch.setattr(
        ItemCfSupply, "score", lambda self, case: calls.append(self) or real(self, case)
    )
    as_paper = {name: {"as_paper": True} for name in ("itemcf_supply", "worst")}
    score_measures(small.case, params=as_paper)
    assert calls == [ItemCfSupply(as_paper=True)]


def test_names_stand_for_several_measures():
    case = Small([DELETED], [DELETED]).case
    assert select_measures(False) == NINE
    further = select_measures(False, ["all"])
    assert further[: len(NINE)] == NINE
    assert "rfm" in further
    assert "master_k" not in further
    assert select_measures(False, ["rfm", "default"]) == ["rfm", *NINE]
    assert [score.value for score in score_measures(case).values()] == [0] * 7 + [1, 1]


def test_a_case_needs_as_many_rows_and_shows_none():
    rows = lines([["c1", "0", "2011/1/1", "9:00", "a", "1", "1"]])
    with pytest.raises(InputError, match="1 rows and its release 0"):
        PeriodCase(rows, rows.take(rows.kept & False))
    assert "c1" not in repr(PeriodCase(rows, rows))


@pytest.mark.parametrize(
    ("name", "params"),
    [("topk", {"k": 0}), ("topk_similarity", {"k": -1}), ("itemcf_supply", {"cap": 0}),
     ("association_rules", {"support": 0}), ("association_rules", {"confidence": 1.5}),
     ("association_rules", {"size": 4}), ("cross_tables", {"by": []})],
)  # fmt: skip
def test_parameters_out_of_range(name: str, params: dict[str, object]):
    with pytest.raises(UsageError, match=name):
        period_measures.build(name, params)


def test_every_measure_declares_how_to_read_it():
    for name in period_measures.names():
        kind = period_measures.get(name)
        assert kind.name == name
        assert kind.bounds[0] < kind.bounds[1]
        assert all(text.en and text.ja for text in (kind.title, kind.unit))


def test_the_judges_total():
    rates = {"S1": [0.1, 0.2, 0.3, 0.4], "S2": [0.9, 0.0, 0.0, 0.0]}
    assert judge_safety(rates) == pytest.approx(0.25)
    assert judge_total(0.75, 0.25) == 0.5
    for nothing in ({}, {"S1": []}):
        with pytest.raises(UsageError, match="no attack"):
            judge_safety(nothing)


@pytest.mark.data
def test_the_judges_own_figures(real_data):
    folder = real_data / "pwscup2017"
    original, master = read_rows(folder / "T.csv"), read_master(folder / "M.csv")
    month = pl.col("day").str.replace(r"/\d+$", "")
    released = PeriodRows(
        original.cells.with_columns(customer=pl.format("p_{}_{}", pl.col("customer"), month))
    )
    found = score_measures(PeriodCase(original, released, master), ["default", "master_k"])
    wanted = {"itemcf": 0.775269, "itemcf_supply": 0.853025, "itemcf_retail": 0.790062,
              "topk": 0.18, "topk_similarity": 0.431623, "date": 0, "price": 0, "rows": 0,
              "worst": 0.853025, "master_k": 2}  # fmt: skip
    values = {name: round(score.value, 6) for name, score in found.items()}
    assert values == wanted
    middle = PeriodRows(released.cells.with_columns(day=pl.format("{}/15", month)))
    moved = score_measures(PeriodCase(original, middle, master))
    assert round(moved.pop("date").value, 10) == 0.2414991953
    assert {name: round(score.value, 6) for name, score in moved.items()} == {
        name: wanted[name] for name in moved
    }
