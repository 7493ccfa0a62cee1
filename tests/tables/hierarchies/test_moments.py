"""Moments as quasi-identifiers: along the calendar, and exact ones letter by letter."""

from __future__ import annotations

import polars as pl
import pytest

import tokumei as tk
from tables.hierarchies.moments_helpers import moments

WAYS = (
    "{}-{:02}-{:02}T{:02}:{:02}",
    "{}-{:02}-{:02} {:02}:{:02}",
    "{}-{:02}-{:02}T{:02}:{:02}:00",
    "{}-{:02}-{:02}T{:02}:{:02}:07Z",
    "{}-{:02}-{:02}T{:02}:{:02}:07.500+09:00",
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", ["local", "flash", "mondrian"])
def test_exact_moments_keep_their_letters_and_the_others_lose_what_must_go(
    way: str, method: str
) -> None:
    cells = moments(way)
    frame = pl.DataFrame({"at": cells, "sex": ["f", "m"] * 75, "pay": range(150)})
    made = tk.anonymize(tk.Table.of(frame, qi=["at", "sex"], sa=["pay"]), method, k=2, seed=1)
    seen = made.public.frame["at"].cast(pl.String).to_list()
    for cell, row in zip(seen, made.link, strict=True):
        assert _holds(cell, cells[row]), (cell, cells[row])
    if method != "flash":
        assert {cell for cell in seen if ":" in cell} <= {*cells}
        assert any(":" in cell for cell in seen)
    assert any(cell != "*" and ":" not in cell for cell in seen)


def _holds(cell: str, moment: str) -> bool:
    """Read anew: exact, day, month, year, [2020;2024], 2020s or *."""
    if cell.startswith("["):
        low, high = cell[1:-1].split(";")
        return low <= moment[:4] <= high
    prefix = cell[:3] if cell.endswith("0s") else cell
    return cell == "*" or moment.startswith(prefix)


def test_two_writings_of_one_moment_are_not_parted() -> None:
    """What the same text makes alike stays alike in what is written."""
    cells = ["2024-05-01 08:30", "2024-05-01T08:30"] * 30 + [
        f"20{i}-01-01 10:00" for i in range(10, 30)
    ] * 2
    frame = pl.DataFrame({"at": cells, "pay": range(100)})
    made = tk.anonymize(tk.Table.of(frame, qi=["at"], sa=["pay"]), "mondrian", k=2, seed=1)
    counts = made.public.frame["at"].cast(pl.String).value_counts()
    assert counts["count"].min() >= 2
    assert "2024-05-01T08:30" in counts["at"].to_list()
    assert "2015-01-01 10:00" in counts["at"].to_list()
