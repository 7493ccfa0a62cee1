"""What the tests split from test_further_values share."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

import polars as pl
from hypothesis import strategies as st

from support.histories import START, rows
from tokumei.histories.anonymizers.aligned import Aligned
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.data.history import COLUMNS, History

VALUES = {"value1": "tax", "value2": "store", "value3": "delivered"}


def with_values(base: Sequence[tuple[object, ...]], seed: int) -> History:
    """Five columns and three more: numbers, words, days."""
    chance = random.Random(seed)
    frame = pl.DataFrame(base, schema=list(COLUMNS), orient="row")
    tax = [chance.choice(["0.5", "1.125", "-3", "40"]) for _ in base]
    store = [chance.choice(["北", "south", "west 2"]) for _ in base]
    days = [date.fromordinal(START.toordinal() + chance.randint(0, 400)) for _ in base]
    return History.of(
        frame.with_columns(
            pl.Series("tax", tax), pl.Series("store", store), pl.Series("delivered", days)
        ),
        **VALUES,
    )


def lines_of(history: History) -> list[tuple[str, ...]]:
    return format_history(history).rows()


histories = st.tuples(rows(), st.integers(0, 1000)).map(lambda made: with_values(*made))


methods = st.sampled_from([RankMatch(2), RankMatch(3), Aligned(2)])


def _ends(cell: str) -> tuple[str, str]:
    low, _, high = cell.strip("[]").partition(";")
    return low, high or low


def _number(text: str) -> float:
    if "/" not in text:
        return float(text)
    year, month, day = map(int, text.split("/"))
    return float(date(year, month, day).toordinal())
