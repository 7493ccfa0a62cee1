"""Small random histories and releases of the 2017 format, as lists of cells, with odd values."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from period_rows import rows_of
from tokumei.measures.periods.protocol import PeriodCase

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


@st.composite
def smalls(draw: st.DrawFn, *, odd: bool = True) -> Small:
    """A history of at most 25 rows; its release deletes, moves, and writes odd cells."""
    invoices = draw(st.sampled_from([["0"], ["1", "2", "3"]]))
    original = st.tuples(
        st.sampled_from(CUSTOMERS),
        st.sampled_from(invoices),
        st.sampled_from(MONTHS),
        st.integers(1, 28),
        st.sampled_from(ITEMS),
        st.sampled_from(["0.5", "1", "2.55", "100"]),
        st.sampled_from(["1", "2", "5", "11", "12", "30", "80"]),
    )
    drawn = draw(st.lists(original, min_size=1, max_size=25))
    rows = [[c, v, f"{m}/{d}", "9:05", *rest] for c, v, m, d, *rest in drawn]
    # How many months a pseudonym lives, and whether customers exchange theirs.
    lifetime = draw(st.integers(1, 3))
    strange = ["x", "", "-3", "inf", "0"] if odd else ["3"]
    released = []
    for row, (customer, _, month, *_) in zip(rows, drawn, strict=True):
        pid = f"p{customer}{MONTHS.index(month) // lifetime}"
        new = [
            pid,
            draw(st.sampled_from([row[1], "0"])),
            draw(st.sampled_from([row[2], f"{month}/15", *(["2011/2/30"] if odd else [])])),
            "0:00",
            draw(st.sampled_from([row[4], *ITEMS, "unknown"])),
            draw(st.sampled_from([row[5], "0.7", *strange])),
            draw(st.sampled_from([row[6], "13", *strange])),
        ]
        released.append(DELETED if draw(st.integers(0, 4)) == 0 else new)
    return Small(rows, released)
