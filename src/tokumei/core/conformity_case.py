"""What a kind of data provides for a conformity report: rows, roles, attack results.

    def ratings_dossier(files: CaseFiles, *, seed: int) -> Dossier: ... RATINGS = DataKind(…,
    conformity={"ratings": LazyObject("ratings.conformity", "ratings_dossier")})

The checks themselves see only the case: released rows as text, what they came from, and which
column says what.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import positions_in
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.person_spellings import merge_person_spellings

PURCHASE_ROLES = ("day", "item", "price", "quantity", "invoice")
"""Columns of purchases that a user may name."""


@dataclass(frozen=True)
class Roles:
    """The roles of the columns; None where a release has no such column.

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
        id_columns = [
            frame[self.roles.person].cast(pl.String)
            for frame in (self.original, self.customers)
            if frame is not None and self.roles.person in frame.columns
        ]
        if not id_columns:
            return pl.Series("id", [], dtype=pl.String)
        return pl.concat(id_columns).drop_nulls().unique().sort().alias("id")

    @cached_property
    def true_person_ids(self) -> pl.Series | None:
        """The person behind every released row, where rows can be traced."""
        if self.original is None or self.origin is None or self.roles.person is None:
            return None
        return self.original[self.roles.person].cast(pl.String).gather(self.origin)

    @cached_property
    def person(self) -> np.ndarray | None:
        """A number for the person of every released row: the true one, else as released."""
        names = self.true_person_ids
        for released in (self.roles.pseudonym, self.roles.person):
            if names is None and released in self.release.columns:
                names = self.release[released]
        if names is None:
            return None
        merged = merge_person_spellings(names)
        return positions_in(merged, merged.unique())

    def file_lines_of(self, chosen: np.ndarray | pl.Series) -> np.ndarray:
        """The lines of the rows chosen by bool."""
        return np.asarray(self.lines[np.asarray(chosen, dtype=bool)])

    def numbers(self, role: str | None) -> np.ndarray | None:
        """A released column as numbers, NaN where a cell is none; None without such a column."""
        return None if role is None else to_numbers_or_nan(self.release[role])

    def original_numbers(self, role: str | None) -> np.ndarray | None:
        """The original's column as numbers; None without such a column."""
        if role is None or self.original is None or role not in self.original.columns:
            return None
        return to_numbers_or_nan(self.original[role])


@dataclass(frozen=True)
class AttackFigure:
    """The strongest of several attacks with some knowledge: its rate, interval and baseline."""

    knowledge: Message
    attack: str
    rate: float
    low: float
    high: float
    baseline: float

    def as_json(self) -> JsonObject:
        """Plain data."""
        rest = {name: value for name, value in vars(self).items() if name != "knowledge"}
        return {**self.knowledge.as_json("knowledge"), **rest}


@dataclass(frozen=True)
class SingularEffect:
    """What an attack loses when a group of singular rows is removed from the release.

    `before` and `after` are shares of the same pairs found; `low` to `high` is the 95 % interval of
    the change (after − before) over people.
    """

    name: str
    what: Message
    rows: int
    attack: str
    before: float
    after: float
    low: float
    high: float

    @property
    def matters(self) -> bool:
        """Whether the attack finds fewer without the group, beyond chance."""
        return self.high < 0

    def as_json(self) -> JsonObject:
        """Plain data."""
        plain = {key: value for key, value in vars(self).items() if key != "what"}
        return {**plain, **self.what.as_json("what"), "matters": self.matters}


@dataclass(frozen=True)
class MissingCells:
    """How many cells of a column are missing in the original and in the release.

    `gained` and `lost` among the rows of both: missing in one only; None where rows are not traced.
    """

    column: str
    before: int
    after: int
    gained: int | None = None
    lost: int | None = None


@dataclass(frozen=True)
class CaseFiles:
    """The files of a release, how to read them, and what the user says of them."""

    format: str
    original: str
    release: str
    master: str | None = None
    public: str | None = None
    earlier: tuple[str, ...] = ()
    truth: str | None = None
    sa: tuple[str, ...] | None = None
    hierarchies: str | None = None
    sep: str | None = None
    encoding: str = "auto"
    roles: Roles = Roles()
    limits: Limits = Limits()
    effects: bool = False
    """Whether the effect of singular rows on the attack is measured, too."""

    def refuse_unused(self, **options: object) -> None:
        """Fail if an option was given that this format does not use."""
        for name in (name for name, value in options.items() if value):
            raise UsageError(
                "{option} does not use {unused}",
                option=f"--format {self.format}",
                unused=f"--{name}",
            )


@dataclass(frozen=True, eq=False)
class Dossier:
    """Everything that a conformity report needs: the case and the results of attacks.

    `customer_columns` are attributes of the customers that must be shared, `handed_out` the file
    whose hash may be told.
    """

    case: ConformityCase
    attacks: tuple[AttackFigure, ...] = ()
    customer_columns: tuple[str, ...] = ()
    handed_out: str | None = None
    effects: tuple[SingularEffect, ...] = ()
    missing: tuple[MissingCells, ...] = ()


def require_traced(case: ConformityCase) -> tuple[pl.DataFrame, np.ndarray]:
    """The original and the row of it behind every released row."""
    if case.original is None or case.origin is None:
        raise ValueError("a traced release needs its original")
    return case.original, case.origin


def rows_as_text(rows: pl.DataFrame) -> pl.Series:
    """Every row as one text, by which published rows may be sorted."""
    cells = pl.all().cast(pl.String)
    return rows.select(pl.concat_str(cells, separator=",", ignore_nulls=True)).to_series()


def to_numbers_or_nan(series: pl.Series) -> np.ndarray:
    """Cells as numbers, NaN where they are none."""
    return series.cast(pl.String).cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
