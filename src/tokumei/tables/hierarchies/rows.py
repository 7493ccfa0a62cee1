"""Levels as they are written: a row per leaf, a column per level, nothing checked yet.

rows = LevelRows.of([["Male", "*"], ["Female", "*"]])
rows.line_of(1)                     # 2
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

MAX_LEVELS = 100


@dataclass(frozen=True, eq=False)
class LevelRows:
    """Text cells, the leaf first; null where a row has stopped. Lines as in the file, if any."""

    frame: pl.DataFrame
    lines: np.ndarray | None = None
    where: str = ""

    @classmethod
    def of(
        cls, rows: Sequence[Sequence[str]], *, lines: Sequence[int] | None = None, where: str = ""
    ) -> LevelRows:
        """From lists of labels, the leaf first; they may differ in length."""
        width = max(map(len, rows), default=0)
        filled = ([*row, *[None] * (width - len(row))] for row in rows)
        frame = level_frame(zip(*filled, strict=True)) if rows else pl.DataFrame()
        return cls(frame, None if lines is None else np.asarray(lines), where)

    def line_of(self, row: int) -> int:
        """The line of a row (0-based) in its file; its number where there is no file."""
        return row + 1 if self.lines is None else int(self.lines[row])

    def take(self, rows: np.ndarray) -> LevelRows:
        """Only these rows."""
        lines = np.arange(1, self.frame.height + 1) if self.lines is None else self.lines
        return LevelRows(self.frame[rows], lines[rows], self.where)


def level_frame(levels: Iterable[pl.Series | Sequence[str | None]]) -> pl.DataFrame:
    """Text columns named by their level: 0 for the leaves."""
    columns = enumerate(levels)
    return pl.DataFrame(
        [pl.Series(str(level), column, dtype=pl.String) for level, column in columns]
    )
