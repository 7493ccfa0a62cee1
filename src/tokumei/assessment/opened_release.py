"""Opens an original and a release for an assessment: rows, roles, people, link, claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.tables.attackers.everything import are_pseudonyms
from tokumei.tables.data.column_encoding import number_persons
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy

NO_PERSON = "none"
PERTURBING_METHODS = frozenset({"noise", "swap", "microaggregate", "defend", "yamaoka", "unify"})
"""Methods after which a cell need not hold its row's value."""


@dataclass(frozen=True, eq=False)
class OpenedRelease:
    """Everything an assessment reads; nothing in it changes."""

    original: Table = field(repr=False)
    released: Table = field(repr=False)
    link: np.ndarray | None = field(repr=False)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    person: str | None = None
    """The column of the original that tells people apart; None: nobody said; "none": rows."""
    claims: tuple[Claim, ...] = ()
    written: Table | None = field(default=None, repr=False)
    """The cells as they are written, where they are at hand as text."""
    methods: tuple[str, ...] = ()
    identifiers: frozenset[str] = frozenset()
    pseudonyms: frozenset[str] = frozenset()
    """Columns of the release whose words were drawn for it; nobody can know them."""
    notes: tuple[Message, ...] = ()
    encoded: Mapping[str, ColumnCodes] = field(default_factory=dict, repr=False)
    """Columns that were encoded before."""

    @property
    def counts_people(self) -> bool:
        """Whether people are told apart."""
        return self.person is not None and self.person != NO_PERSON

    @property
    def unit(self) -> str:
        """What is counted."""
        return "people" if self.counts_people else "rows"

    @cached_property
    def original_people(self) -> np.ndarray:
        """A number for the person of every original row, from 0."""
        if not self.counts_people:
            return np.arange(self.original.rows)
        numbers = number_persons(self.original.frame[str(self.person)])
        return np.unique(numbers, return_inverse=True)[1]

    @cached_property
    def released_people(self) -> np.ndarray:
        """A number for the person of every released row, from 0; needs the link."""
        if self.link is None:
            return np.arange(self.released.rows)
        return np.unique(self.original_people[self.link], return_inverse=True)[1]

    @cached_property
    def shared(self) -> list[str]:
        """The columns that both sides have, in the original's order."""
        released = {*self.released.schema.names}
        return [name for name in self.original.schema.names if name in released]

    @cached_property
    def columns(self) -> dict[str, ColumnCodes]:
        """Every column that both sides have and that can be compared."""
        return {name: self._encode(name) for name in self.shared if name not in self.unlike}

    @cached_property
    def unlike(self) -> frozenset[str]:
        """Columns of pseudonyms: other words than the original's."""
        qi = {*self.original.schema.qi}
        before, after = self.original.frame, self.released.frame
        return self.pseudonyms | {
            name
            for name in self.shared
            if name not in qi and are_pseudonyms(before[name], after[name])
        }

    def _encode(self, name: str) -> ColumnCodes:
        if name in self.encoded:
            return self.encoded[name]
        return ColumnCodes.of(
            self.original.frame[name], self.released.frame[name], self.hierarchies.get(name)
        )

    @cached_property
    def links_rows(self) -> bool:
        """Whether some released column tells which rows are of one person."""
        if not self.counts_people or self.link is None:
            return False
        people = self.released_people
        count = int(people.max(initial=-1)) + 1
        if count in (0, 1, len(people)):
            return False
        return any(self._names_people(name, people, count) for name in self.released.schema.names)

    def _names_people(self, name: str, people: np.ndarray, count: int) -> bool:
        """Whether a released column has one word per person, and another for each."""
        cells = self.released.frame[name]
        if cells.n_unique() != count or cells.null_count():
            return False
        words = np.unique(cells.cast(pl.String).to_numpy(), return_inverse=True)[1]
        pairs = np.unique(words.astype(np.int64) * count + people)
        return len(pairs) == count

    @property
    def is_perturbed(self) -> bool:
        """Whether its manifest names a method that changes values."""
        return not PERTURBING_METHODS.isdisjoint(self.methods)

    def with_cells(
        self, cells: Mapping[str, pl.Series | None], methods: Sequence[str] = ()
    ) -> OpenedRelease:
        """The same release with other cells in some columns; None: without the column.

        `methods` changed the cells.
        """
        dropped = [name for name, series in cells.items() if series is None]
        changed = {name: series for name, series in cells.items() if series is not None}
        frame = self.released.frame.with_columns(**changed).drop(dropped)
        encoded = {name: codes for name, codes in self.columns.items() if name not in cells}
        changed_release = self._with(frame, self.link, encoded)
        return replace(changed_release, methods=(*self.methods, *methods))

    def with_rows(self, rows: np.ndarray) -> OpenedRelease:
        """The same release with some of its rows."""
        encoded = {
            name: replace(codes, cell_code=codes.cell_code[rows])
            for name, codes in self.columns.items()
        }
        link = None if self.link is None else self.link[rows]
        return self._with(self.released.frame[rows], link, encoded)

    def _with(
        self, frame: pl.DataFrame, link: np.ndarray | None, encoded: Mapping[str, ColumnCodes]
    ) -> OpenedRelease:
        return replace(
            self,
            released=Table.of(frame, qi=(), sa=()),
            link=link,
            claims=(),
            written=None,
            pseudonyms=self.unlike,
            encoded=encoded,
        )


def method_names(steps: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The names of the methods in a provenance."""
    return tuple(str(step.get("method", step.get("name", ""))) for step in steps)
