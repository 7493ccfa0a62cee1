"""Unchecked levels of a hierarchy: a row per leaf, a column per level.

rows = LevelRows.of([["Male", "*"], ["Female", "*"]])
rows.line_of(1)                     # 2
describe_oddities(rows.frame)       # what is unusual but allowed
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.messages import Message

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


MAX_SHOWN = 5


def describe_oddities(frame: pl.DataFrame) -> list[Message]:
    """Notes on valid levels (a row per leaf, a column per level)."""
    leaves = frame["0"]
    spaced = leaves.filter(leaves != leaves.str.strip_chars()).to_list()
    ambiguous = ambiguous_labels(frame)
    on_two_levels = Message(
        "{count} label is used on two levels for different sets of leaves: {examples}; in a "
        "release nobody can tell which one is meant",
        plural="{count:,} labels are used on two levels for different sets of leaves: {examples}; "
        "in a release nobody can tell which one is meant",
        count=len(ambiguous),
        examples=_format_examples(ambiguous),
    )
    with_spaces = Message(
        "{count} leaf name begins or ends with a space: {examples}; values must have the same "
        "spaces",
        plural="{count:,} leaf names begin or end with a space: {examples}; values must have the "
        "same spaces",
        count=len(spaced),
        examples=_format_examples(spaced),
    )
    return [on_two_levels] * bool(ambiguous) + [with_spaces] * bool(spaced)


def ambiguous_labels(frame: pl.DataFrame) -> list[str]:
    """Labels that are used on two levels for different sets of leaves.

    A node lies in its ancestor; so both have the same leaves if the ancestor has the same name and
    size. It is enough to compare each level with the next one that has the name.
    """
    levels = []
    for level, labels in enumerate(frame[:, :-1]):
        rows = labels.to_frame("name").with_row_index("row").group_by("name")
        sizes = rows.agg(pl.len().alias("size"), pl.col("row").min())
        levels.append(sizes.with_columns(level=pl.lit(level)))
    nodes = pl.concat(levels)
    later = nodes.filter(pl.len().over("name") > 1).sort("name", "level")
    pairs = later.with_columns(
        pl.col("level", "size").shift(-1).over("name").name.suffix("_above")
    ).drop_nulls("level_above")
    ambiguous: set[str] = set()
    for (above,), level_pairs in pairs.group_by("level_above"):
        ancestor = frame[str(above)].gather(level_pairs["row"])
        same = (ancestor == level_pairs["name"]) & (
            level_pairs["size"] == level_pairs["size_above"]
        )
        ambiguous.update(level_pairs["name"].filter(~same))
    return sorted(ambiguous)


def _format_examples(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:MAX_SHOWN]) + ("…" if names[MAX_SHOWN:] else "")
