"""The form of a release of paper 004: its level vectors, and what is kept of whom."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.apps.papers.published_values import PublishedBlock
from tokumei.tables.arai2015_simulation import LEVEL_TITLES
from tokumei.tables.measures.decidability import LevelRow

PRINTED_LEVELS = {
    "sex": ("男女", "*"),
    "birth": ("1日", "1年", "10年", "*"),
    "occupation": ("中分類", "大分類", "*"),
    "height": ("1cm", "10cm", "*"),
}
"""What the paper calls the levels of `LEVEL_TITLES`."""


def printed_levels(printed: PublishedBlock) -> list[LevelRow]:
    """A printed table of levels and people."""
    return [
        LevelRow(
            tuple(
                PRINTED_LEVELS[column].index(cell)
                for column, cell in zip(LEVEL_TITLES, row, strict=False)
            ),
            row[4],
        )
        for row in printed.rows
    ]


def level_vectors(table: Sequence[LevelRow]) -> frozenset[tuple[int, ...]]:
    """The level vectors that occur."""
    return frozenset(row.levels for row in table)


def kept_by(table: Sequence[LevelRow]) -> tuple[str, ...]:
    """Whether all, some or no people keep each attribute above `*`."""
    tops = [len(PRINTED_LEVELS[column]) - 1 for column in LEVEL_TITLES]
    kept = [{row.levels[place] < top for row in table} for place, top in enumerate(tops)]
    return tuple(
        "some" if len(answers) > 1 else "all" if True in answers else "none" for answers in kept
    )
