"""An original, its release and the claimed link, as measures and diagnosis see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tokumei.core.errors import InputError, UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message, join_messages
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.data.numeric_columns import is_number_column, missing_mask
from tokumei.tables.data.table import Release, Table
from tokumei.tables.data.weighted_rows import row_counts, total_rows

CROSS_DEFAULT = 6


@dataclass(frozen=True, eq=False)
class Comparison:
    """Everything needed to measure one release against its original.

    If rows of the tables stand for many (`data/weighted_rows.py`), there is no link. `hierarchies`
    say what the labels of the release stand for.
    """

    original: Table
    released: Table
    link: np.ndarray = field(repr=False)
    cross: tuple[str, ...] = ()
    hierarchies: Hierarchies = field(default_factory=dict)
    people: np.ndarray | None = field(default=None, repr=False)
    """The person of every row of the original; None: every row is another person."""

    def __post_init__(self) -> None:
        if not self.original.rows or not self.released.rows:
            raise InputError("an original and a release with at least one row each are needed")
        _require_columns(self.original, self.released, self.cross)
        if self.linked:
            _require_valid_link(self.link, self.released.rows, self.original.rows)
        if not self.cross:
            object.__setattr__(self, "cross", tuple(self.qi[:CROSS_DEFAULT]))

    @classmethod
    def of(cls, original: Table, release: Release, *, cross: Sequence[str] = ()) -> Comparison:
        """Original against a release of it."""
        return cls(original, release.public, release.link, tuple(cross))

    @property
    def linked(self) -> bool:
        """Whether every row is known by itself, and where it comes from."""
        return self.original_counts is None

    @cached_property
    def original_counts(self) -> np.ndarray | None:
        """How many rows each of the original's stands for; None: one."""
        return row_counts(self.original.frame)

    @cached_property
    def released_counts(self) -> np.ndarray | None:
        """How many rows each of the release's stands for; None: one."""
        return row_counts(self.released.frame)

    @cached_property
    def original_rows(self) -> int:
        """How many rows the original stands for."""
        return total_rows(self.original.frame)

    @cached_property
    def released_rows(self) -> int:
        """How many rows the release stands for."""
        return total_rows(self.released.frame)

    @property
    def qi(self) -> list[str]:
        """The quasi-identifiers, as the original names them."""
        return self.original.schema.qi

    @property
    def sa(self) -> list[str]:
        """The sensitive attributes, as the original names them."""
        return self.original.schema.sa

    @cached_property
    def readers(self) -> dict[str, ColumnReader]:
        """What reads the cells of every QI."""
        before, after = self.original_counts, self.released_counts
        counted = None if before is None or after is None else (before, after)
        return {
            name: ColumnReader.of(
                self.original.frame[name],
                self.released.frame[name],
                self.hierarchies.get(name),
                counted=counted,
            )
            for name in self.qi
        }

    @cached_property
    def number_sa(self) -> list[str]:
        """The SA that hold nothing but numbers and gaps on both sides."""
        before, after = self.original.frame, self.released.frame
        return [name for name in self.sa if is_number_column(before[name], after[name])]

    @cached_property
    def text_sa(self) -> list[str]:
        """The other SA: they are compared as text."""
        return [name for name in self.sa if name not in self.number_sa]

    @cached_property
    def sa_original(self) -> np.ndarray:
        """SA of the original that are numbers; a gap is NaN."""
        return self.original.numbers(self.number_sa)

    @cached_property
    def sa_released(self) -> np.ndarray:
        """The same of the release (generalized cells by their middle, suppressed ones NaN)."""
        return self.released.numbers(self.number_sa)

    @cached_property
    def sa_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of both sides, NaN where the cell on the other side is a gap.

        Where rows stand for many no pairs are known, and both sides are as they are.
        """
        before, after = self.sa_original, self.sa_released
        gaps = [
            missing_mask(table.frame, self.number_sa) for table in (self.original, self.released)
        ]
        if not self.linked or not (gaps[0].any() or gaps[1].any()):
            return before, after
        unpaired = np.zeros(before.shape, dtype=bool)
        unpaired[self.link] = gaps[1]
        return np.where(unpaired, np.nan, before), np.where(gaps[0][self.link], np.nan, after)


def _require_columns(original: Table, released: Table, cross: Sequence[str]) -> None:
    original.schema.require(cross)
    needed = dict.fromkeys([*original.schema.qi, *original.schema.sa, *cross])
    missing = [name for name in needed if name not in released.schema.names]
    if missing:
        raise InputError(
            Message(
                "the release lacks the column {columns}",
                plural="the release lacks the columns {columns}",
                count=len(missing),
                columns=join_messages(missing),
            )
        )


def _require_valid_link(link: np.ndarray, released: int, original: int) -> None:
    if len(link) != released:
        raise UsageError(
            "the link has {link_rows} rows but the release has {released_rows}",
            link_rows=len(link),
            released_rows=released,
        )
    if released and (link.min() < 0 or link.max() >= original):
        raise UsageError(
            "a released row is linked to a row that the original, with {original_rows} rows, does "
            "not have; without a link ({option}), row i is taken to come from row i",
            original_rows=original,
            option=field_name("truth"),
        )
    if len(np.unique(link)) != len(link):
        raise UsageError("the link gives one original row to two released rows")
