"""Moments as quasi-identifiers: along the calendar, and exact ones letter by letter."""

from __future__ import annotations

from random import Random

import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.hierarchies.typed_hierarchies import (
    build_typed_hierarchy,
    detect_text_hierarchy,
)

WAYS = (
    "{}-{:02}-{:02}T{:02}:{:02}",
    "{}-{:02}-{:02} {:02}:{:02}",
    "{}-{:02}-{:02}T{:02}:{:02}:00",
    "{}-{:02}-{:02}T{:02}:{:02}:07Z",
    "{}-{:02}-{:02}T{:02}:{:02}:07.500+09:00",
)


def moments(way: str, rows: int = 150) -> list[str]:
    """Some often, some once."""
    draw = Random(1)
    often = [way.format(2020, 5, 1 + i % 28, i % 24, 45) for i in range(8)]
    once = [
        way.format(draw.randint(2001, 2024), draw.randint(1, 12), draw.randint(1, 28), 8, i % 60)
        for i in range(rows)
    ]
    return [one if draw.random() < 0.4 else draw.choice(often) for one in once]


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


def test_the_levels_are_day_month_year_and_longer() -> None:
    cells = pl.Series("at", ["2024-05-01T08:30:00", "2024-05-01T09:30:00", "2019-12-31T00:00:00"])
    assert detect_text_hierarchy(cells) == "moments"
    made = build_typed_hierarchy("moments", cells)
    path = [made.labels(level)[1] for level in range(made.height)]
    assert path[1:] == ["2024-05-01", "2024-05", "2024", "[2020;2024]", "2020s"]
    assert (
        detect_text_hierarchy(pl.Series(["2024-05-01T08:30", "later", "2024-06-01T08:30"])) is None
    )
