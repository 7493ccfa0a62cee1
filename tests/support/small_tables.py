"""Small random tables full of ties, and the plain-Python reading of their cells.

Nothing here uses the library's own parser, so that references built on it are independent.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import Guess
from tokumei.tables.data.table import Table

Row = list[Any]


@dataclass(frozen=True)
class Small:
    """An original, a release of it and the link, as lists of rows: QI columns, then SA columns."""

    qi: list[str]
    sa: list[str]
    original: list[Row]
    released: list[Row]
    link: list[int]

    def qi_of(self, row: Row) -> Row:
        """The QI cells of a row."""
        return row[: len(self.qi)]

    def sa_of(self, row: Row) -> Row:
        """The SA cells of a row."""
        return row[len(self.qi) :]

    def x(self) -> Table:
        """The original as a table."""
        return _table(self.original, self.qi, self.sa)

    def y(self) -> Table:
        """The release as a table."""
        return _table(self.released, self.qi, self.sa)

    def case(self, cross: tuple[str, ...] = ()) -> Comparison:
        """Both, to be measured."""
        return Comparison(self.x(), self.y(), np.array(self.link, dtype=np.int64), cross)


def _table(rows: list[Row], qi: list[str], sa: list[str]) -> Table:
    names = [*qi, *sa]
    columns = {name: _column(name, [row[j] for row in rows]) for j, name in enumerate(names)}
    return Table.of(pl.DataFrame(columns), qi=qi, sa=sa)


def _column(name: str, cells: Row) -> pl.Series:
    """Numbers stay numbers; one text cell makes the column text, as in a file."""
    if name == "q1" or any(isinstance(cell, str) for cell in cells):
        return pl.Series([None if cell is None else str(cell) for cell in cells], dtype=pl.String)
    return pl.Series(cells, dtype=pl.Int64)


def small_tables(
    *,
    rows: int = 6,
    sa_columns: int = 2,
    general_qi: bool = False,
    general_sa: bool = False,
    nulls: bool = False,
    change_qi: bool = True,
) -> st.SearchStrategy[Small]:
    """Originals of up to `rows` rows and releases with deleted, permuted, changed rows.

    Cells come from a plain generator, because Hypothesis's own draws prefer few, similar cells. A
    released letter is one that the original has, and no QI has more missing cells than there: a
    cell that nothing explains has no reference.
    """
    numbers: Row = [0, 1, 2, 3]
    letters: Row = ["a", "b"]
    if nulls:
        numbers, letters = [*numbers, None], [*letters, None]
    values: Row = [0, 1, 2, 3, 4]
    plain = [numbers, letters, *[values] * sa_columns]
    general_cells: list[Row] = [["[0;1]", "[1;3]", "{0;2}", "*"], ["{a;b}", "{b;c}", "*"]]
    if nulls:
        general_cells[0] += ["{∅;[1;3]}", "{∅;2}", "{∅;0;3}"]
        general_cells[1] += ["{∅;a}", "{∅;a;b}"]
    other = [p + g * general_qi for p, g in zip(plain, general_cells, strict=False)]
    other += [values + ["[1;3]", "[0;4]", "{1;2}", "*"] * general_sa] * sa_columns
    sa = [f"s{j}" for j in range(sa_columns)]

    def make(seed: int) -> Small:
        chance = random.Random(seed)
        size = chance.randint(1, rows)
        original = [[chance.choice(cells) for cells in plain] for _ in range(size)]
        link = chance.sample(range(size), chance.randint(1, size))
        first = 0 if change_qi else 2
        rate = chance.choice([0.1, 0.5, 0.9])
        released = [list(original[i]) for i in link]
        for row in released:
            for j in range(first, len(row)):
                if chance.random() < rate:
                    row[j] = chance.choice(other[j])
        for j in range(2):
            _explain(j, original, released, chance)
        return Small(["q0", "q1"], sa, original, released, link)

    return st.integers(0, 2**32).map(make)


def _explain(j: int, original: list[Row], released: list[Row], chance: random.Random) -> None:
    """Replace the released cells of a column that stand for nothing in the original's."""
    known = [row[j] for row in original]
    for row in released:
        if row[j] in ("a", "b") and row[j] not in known:
            row[j] = chance.choice(known)
        letters = j == 1 and str(row[j]).startswith("{")
        if letters and not set(row[j][1:-1].split(";")) & (set(known) - {None}):
            row[j] = "*"
        gaps = [one[j] for one in released].count(None)
        if row[j] is None and gaps > known.count(None):
            row[j] = chance.choice([cell for cell in known if cell is not None] or ["*"])


def beside(cell: Any) -> Any:
    """What is known in a cell that may be missing as well; None if it may not."""
    if not str(cell).startswith("{∅;"):
        return None
    known = str(cell)[3:-1]
    return "{" + known + "}" if ";" in known and known[0] != "[" else known


def ends(cell: Any) -> tuple[float, float] | None:
    """Lowest and highest number of a cell; None for `*` and missing."""
    cell = beside(cell) or cell
    if cell is None or cell == "*":
        return None
    if isinstance(cell, str) and cell[0] in "[{":
        parts = [float(part) for part in cell[1:-1].split(";")]
        return min(parts), max(parts)
    return float(cell), float(cell)


def middle(cell: Any) -> float | None:
    """A cell as one number."""
    found = ends(cell)
    return None if found is None else (found[0] + found[1]) / 2


def covers(cell: Any, value: Any) -> bool:
    """Whether the original value may stand behind a generalized QI cell."""
    if cell == "*":
        return True
    if beside(cell) is not None:
        return value is None or covers(beside(cell), value)
    if isinstance(cell, str) and cell.startswith("[") and value is not None:
        low, high = cell[1:-1].split(";")
        return float(low) <= float(value) <= float(high)
    if isinstance(cell, str) and cell.startswith("{"):
        return str(value) in cell[1:-1].split(";")
    return cell == value or (cell is not None and value is not None and str(cell) == str(value))


def same_text(left: Row, right: Row) -> bool:
    """Whether two vectors are written alike."""
    return [None if c is None else str(c) for c in left] == [
        None if c is None else str(c) for c in right
    ]


def chances(guess: Guess, released: int, known: int) -> list[list[float]]:
    """Per released row the probability of every known row."""
    columns = [guess.chance_of(np.full(released, truth)) for truth in range(known)]
    return [[float(column[i]) for column in columns] for i in range(released)]


def uniform(rows: list[int], known: int) -> list[float]:
    """Equal chances for `rows`."""
    share = float(Fraction(1, len(rows))) if rows else math.nan
    return [share if row in rows else 0.0 for row in range(known)]
