"""Small histories with customers: by hand, and any (hypothesis)."""

from __future__ import annotations

import random
from datetime import date, timedelta

import polars as pl
from hypothesis import strategies as st

from support.period_rows import rows_of
from tokumei.pseudonyms.data.period_history import MASTER_COLUMNS, CustomerMaster, PeriodHistory

FIRST = date(2023, 11, 1)


def master_of(customers: list[str]) -> CustomerMaster:
    """Customers, all alike."""
    cells = [[name, "f", "1960/1/1", "Japan"] for name in customers]
    return CustomerMaster(
        pl.DataFrame(cells, schema=dict.fromkeys(MASTER_COLUMNS, pl.String), orient="row")
    )


def history_of(lines: list[str], customers: list[str] | None = None) -> PeriodHistory:
    """Lines of T; without customers those of the lines, sorted."""
    named = sorted({line.split(",")[0] for line in lines})
    return PeriodHistory.of(rows_of(lines), master_of(customers or named))


def period_histories(*, most_rows: int = 20, people: int = 5) -> st.SearchStrategy[PeriodHistory]:
    """Any few purchases of a few people in half a year, some of whom buy nothing.

    Hypothesis draws a seed only: cell by cell it takes longer than what is tested.
    """

    def make(seed: int) -> PeriodHistory:
        chance = random.Random(seed)
        lines = [_line(chance, people) for _ in range(chance.randint(1, most_rows))]
        return history_of(lines, [str(1000 + who) for who in range(people, 0, -1)])

    return st.integers(0, 2**32).map(make)


def _line(chance: random.Random, people: int) -> str:
    who, invoice = chance.randint(1001, 1000 + people), chance.randint(0, 3)
    day = FIRST + timedelta(days=chance.randint(0, 180))
    time = f"{chance.randint(0, 23)}:{chance.randint(0, 59):02}"
    item = chance.choice(["21a", "21b", "22a", "3"])
    cents = chance.randint(1, chance.choice([3, 9_999_999]))
    quantity = chance.randint(1, chance.choice([3, 999_999]))
    return f"{who},{invoice},{day:%Y/%-m/%-d},{time},{item},{cents / 100:.2f},{quantity}"
