"""What is checked: the released rows as text, what they came from, and what is where in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.codes import codes_in


@dataclass(frozen=True)
class Roles:
    """Which column says what; None where a release has no such column.

    `person` names people in the original, `pseudonym` in the release. `identifiers` are further
    columns of the original (or of the customers) that name people.
    """

    person: str | None = None
    pseudonym: str | None = None
    identifiers: tuple[str, ...] = ()
    qi: tuple[str, ...] = ()
    day: str | None = None
    item: str | None = None
    price: str | None = None
    quantity: str | None = None
    invoice: str | None = None


@dataclass(frozen=True)
class Limits:
    """Where a figure becomes a finding. Those that are None are shown, not judged."""

    price_sd: float = 4.0
    quantity_sd: float = 4.0
    spender_sd: float = 4.0
    few_people: int = 2
    tails: Mapping[str, float] = field(default_factory=dict)
    k: int = 2
    lifetime: int | None = None
    rate: float | None = None
    unicity: float | None = None


@dataclass(frozen=True, eq=False)
class ConformityCase:
    """Released rows with their lines in the file, and the original row of each where known.

    `earlier` are the pseudonyms of other releases, `customers` the people's own table (M).
    """

    release: pl.DataFrame = field(repr=False)
    lines: np.ndarray = field(repr=False)
    roles: Roles
    original: pl.DataFrame | None = field(default=None, repr=False)
    origin: np.ndarray | None = field(default=None, repr=False)
    customers: pl.DataFrame | None = field(default=None, repr=False)
    earlier: tuple[pl.Series, ...] = field(default=(), repr=False)
    public: pl.DataFrame | None = field(default=None, repr=False)
    limits: Limits = Limits()

    @cached_property
    def ids(self) -> pl.Series:
        """The original's own names of people, sorted as text."""
        found = [
            frame[self.roles.person].cast(pl.String)
            for frame in (self.original, self.customers)
            if frame is not None and self.roles.person in frame.columns
        ]
        if not found:
            return pl.Series("id", [], dtype=pl.String)
        return pl.concat(found).drop_nulls().unique().sort().alias("id")

    @cached_property
    def own_id(self) -> pl.Series | None:
        """The person behind every released row, where rows can be traced."""
        if self.original is None or self.origin is None or self.roles.person is None:
            return None
        return self.original[self.roles.person].cast(pl.String).gather(self.origin)

    @cached_property
    def person(self) -> np.ndarray | None:
        """A number for the person of every released row: the true one, else the pseudonym's."""
        names = self.own_id
        if names is None and self.roles.pseudonym is not None:
            names = self.release[self.roles.pseudonym]
        return None if names is None else codes_in(names, names.unique())

    def lines_of(self, chosen: np.ndarray | pl.Series) -> np.ndarray:
        """The lines of the rows chosen by bool."""
        found: np.ndarray = self.lines[np.asarray(chosen, dtype=bool)]
        return found

    def numbers(self, role: str | None) -> np.ndarray | None:
        """A released column as numbers, NaN where a cell is none; None without such a column."""
        return None if role is None else as_numbers(self.release[role])

    def original_numbers(self, role: str | None) -> np.ndarray | None:
        """The original's column as numbers; None without such a column."""
        if role is None or self.original is None or role not in self.original.columns:
            return None
        return as_numbers(self.original[role])


def row_texts(rows: pl.DataFrame) -> pl.Series:
    """Every row as one text, by which published rows may be sorted."""
    cells = pl.all().cast(pl.String)
    return rows.select(pl.concat_str(cells, separator=",", ignore_nulls=True)).to_series()


def as_numbers(series: pl.Series) -> np.ndarray:
    """Cells as numbers, NaN where they are none."""
    return series.cast(pl.String).cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
