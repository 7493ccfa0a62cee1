"""Small histories with customers: by hand, and any (hypothesis)."""

from __future__ import annotations

from datetime import date, timedelta

import polars as pl
from hypothesis import strategies as st

from period_rows import rows_of
from tokumei.data.periods.history import PeriodHistory
from tokumei.data.periods.master import MASTER_COLUMNS, Master

FIRST = date(2023, 11, 1)


def master_of(customers: list[str]) -> Master:
    """Customers, all alike."""
    cells = [[name, "f", "1960/1/1", "Japan"] for name in customers]
    return Master(
        pl.DataFrame(cells, schema=dict.fromkeys(MASTER_COLUMNS, pl.String), orient="row")
    )


def history_of(lines: list[str], customers: list[str] | None = None) -> PeriodHistory:
    """Lines of T; without customers those of the lines, sorted."""
    named = sorted({line.split(",")[0] for line in lines})
    return PeriodHistory.of(rows_of(lines), master_of(customers or named))


@st.composite
def period_histories(draw: st.DrawFn, *, most_rows: int = 20, people: int = 5) -> PeriodHistory:
    """Any few purchases of a few people in half a year, some of whom buy nothing."""
    lines = [_line(draw, people) for _ in range(draw(st.integers(1, most_rows)))]
    return history_of(lines, [str(1000 + who) for who in range(people, 0, -1)])


def _line(draw: st.DrawFn, people: int) -> str:
    who, after, minute, invoice, item, cents, quantity = draw(
        st.tuples(
            st.integers(1001, 1000 + people),
            st.integers(0, 180),
            st.integers(0, 1439),
            st.integers(0, 3),
            st.sampled_from(["21a", "21b", "22a", "3"]),
            st.integers(1, 9_999_999),
            st.integers(1, 999_999),
        )
    )
    day = FIRST + timedelta(days=after)
    time = f"{minute // 60}:{minute % 60:02}"
    return f"{who},{invoice},{day:%Y/%-m/%-d},{time},{item},{cents / 100:.2f},{quantity}"
