"""Tests of tokumei.pseudonyms.measures.protocol."""

from __future__ import annotations

import polars as pl
import pytest

from support.period_cases import lines
from tokumei.core.errors import InputError
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows
from tokumei.pseudonyms.measures.contest_measures import score_measures
from tokumei.pseudonyms.measures.protocol import PeriodCase


def test_a_case_needs_as_many_rows_and_shows_none():
    rows = lines([["c1", "0", "2011/1/1", "9:00", "a", "1", "1"]])
    with pytest.raises(InputError, match="1 rows and its release 0"):
        PeriodCase(rows, rows.take(rows.kept & False))
    assert "c1" not in repr(PeriodCase(rows, rows))


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
