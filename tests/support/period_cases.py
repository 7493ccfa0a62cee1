"""Small random histories and releases of the 2017 format, as lists of cells, with odd values."""

from __future__ import annotations

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from support.period_rows import rows_of
from tokumei.pseudonyms.measures.protocol import PeriodCase

Row = list[str]
DELETED = ["DEL", "", "", "", "", "", ""]
CUSTOMERS = ("c1", "c2", "c3", "c4")
ITEMS = ("10", "2", "10A", "b", "a")
MONTHS = ("2010/12", "2011/1", "2011/2")


@dataclass(frozen=True)
class Small:
    """T and A(T)."""

    rows: list[Row]
    released: list[Row]

    @property
    def case(self) -> PeriodCase:
        return PeriodCase(lines(self.rows), lines(self.released))

    @property
    def pairs(self) -> list[tuple[Row, Row]]:
        """The rows that are kept, before and after."""
        both = zip(self.rows, self.released, strict=True)
        return [(row, new) for row, new in both if new[0] != "DEL"]


def lines(rows: list[Row]):
    return rows_of([",".join(row) for row in rows])


def smalls(*, odd: bool = True) -> st.SearchStrategy[Small]:
    """A history of at most 25 rows; its release deletes, moves, and writes odd cells.

    Hypothesis draws a seed only: cell by cell it takes longer than what is tested.
    """
    return st.integers(0, 2**32).map(lambda seed: _small(random.Random(seed), odd))


def _small(chance: random.Random, odd: bool) -> Small:
    invoices = chance.choice([["0"], ["1", "2", "3"]])
    rows = [_row(chance, invoices) for _ in range(chance.randint(1, 25))]
    # How many months a pseudonym lives.
    lifetime = chance.randint(1, 3)
    changed = [_changed(chance, row, lifetime, odd) for row in rows]
    return Small(rows, [DELETED if chance.randint(0, 4) == 0 else new for new in changed])


def _row(chance: random.Random, invoices: list[str]) -> Row:
    return [
        chance.choice(CUSTOMERS),
        chance.choice(invoices),
        f"{chance.choice(MONTHS)}/{chance.randint(1, 28)}",
        "9:05",
        chance.choice(ITEMS),
        chance.choice(["0.5", "1", "2.55", "100"]),
        chance.choice(["1", "2", "5", "11", "12", "30", "80"]),
    ]


def _changed(chance: random.Random, row: Row, lifetime: int, odd: bool) -> Row:
    month = row[2].rpartition("/")[0]
    strange = ["x", "", "-3", "inf", "0"] if odd else ["3"]
    return [
        f"p{row[0]}{MONTHS.index(month) // lifetime}",
        chance.choice([row[1], "0"]),
        chance.choice([row[2], f"{month}/15", *(["2011/2/30"] if odd else [])]),
        "0:00",
        chance.choice([row[4], *ITEMS, "unknown"]),
        chance.choice([row[5], "0.7", *strange]),
        chance.choice([row[6], "13", *strange]),
    ]
