"""A release of purchases opened for an assessment: its rows, its pseudonyms, who is behind them.

Rows, cells and link are those of a table whose person is the customer (`rows`); what is different
is that a pseudonym ties rows together, and that purchases leave one by one. One pseudonym per
customer: a purchase history; several: pseudonyms over time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.rough_knowledge import KnownColumnCodes
from tokumei.assessment.verdict import CheckedClaimLine, Unknown
from tokumei.core.generalized_cells import positions_in
from tokumei.core.messages import Message
from tokumei.core.scenario import ColumnKnowledge, Scenario

CUSTOMER = "customer"


@dataclass(frozen=True, eq=False)
class PersonChances:
    """What a statistical attacker finds, by released person."""

    right: np.ndarray
    """The chance that the attacker gives the truth."""
    sure: np.ndarray
    """Whether the attacker is sure, and right."""
    wrong: np.ndarray
    """Whether the attacker is sure of somebody else."""


class PurchaseAttacker(Protocol):
    """A statistical attack of a kind of data, on what is opened."""

    @property
    def code(self) -> str:
        """Its stable name."""

    def attack(
        self, opened: OpenedPurchases, known: np.ndarray, columns: Sequence[str]
    ) -> PersonChances | None:
        """What is found by these columns of these original rows; None: too much to compute."""


@dataclass(frozen=True, eq=False)
class OpenedPurchases:
    """Everything an assessment of purchases reads; nothing in it changes."""

    rows: OpenedRelease = field(repr=False)
    owner: np.ndarray = field(repr=False)
    """The pseudonym of every released row, numbered from 0."""
    month: np.ndarray = field(repr=False)
    """The month of every original row."""
    usual: tuple[str, ...]
    """What a partner knows of a purchase unless somebody says otherwise."""
    attackers: Mapping[str, PurchaseAttacker] = field(default_factory=dict, repr=False)
    """By form of knowledge, "" for all forms that are not named."""
    claims: tuple[CheckedClaimLine, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    """What is missing, as opening found it."""
    groups: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)
    """What else is known of customers, by original row: sex, country …"""
    remake: Callable[[int], OpenedPurchases] | None = field(default=None, repr=False)
    """The release that the kind's own method makes of the original, with k people alike."""
    labels: frozenset[str] = frozenset({"item"})
    """Columns whose cells are names, though they may look like numbers."""
    is_split: bool = False
    """Whether a customer may have several pseudonyms."""
    stray_rows: int = 0
    """Released rows whose cells fit no purchase of the customer they are linked to."""

    @property
    def has_link(self) -> bool:
        """Whether it is told who is behind the pseudonyms."""
        return self.rows.link is not None

    @property
    def link(self) -> np.ndarray:
        """The original row of every released one."""
        assert self.rows.link is not None
        return self.rows.link

    @cached_property
    def owners(self) -> int:
        """How many pseudonyms."""
        return int(self.owner.max(initial=-1)) + 1

    @cached_property
    def people(self) -> int:
        """Released people; pseudonyms where nobody tells who is behind them."""
        if not self.has_link:
            return self.owners
        return int(self.rows.released_people.max(initial=-1)) + 1

    @cached_property
    def person_of_owner(self) -> np.ndarray:
        """The released person behind every pseudonym."""
        person = np.zeros(self.owners, dtype=np.int64)
        person[self.owner] = self.rows.released_people
        return person

    @cached_property
    def rows_by_owner(self) -> tuple[np.ndarray, np.ndarray]:
        """Released rows by pseudonym, each in the original's order, and where each begins."""
        order = np.lexsort((self.link, self.owner))
        start = np.searchsorted(self.owner[order], np.arange(self.owners + 1))
        return order, start

    @cached_property
    def is_exact(self) -> dict[str, bool]:
        """By column whether every released cell holds the true value."""
        return {
            name: bool(codes.covers(codes.cell_code, ranks, ranks).all())
            for name, codes in self.rows.columns.items()
            for ranks in (codes.value_rank[self.link],)
        }

    @cached_property
    def month_codes(self) -> ColumnCodes | None:
        """The month in the place of a day that was moved; None where months were moved, too."""
        released = released_months(self.rows.released.frame["day"])
        if released is None or bool((released != self.month[self.link]).any()):
            return None
        return ColumnCodes.of(pl.Series("day", self.month), pl.Series("day", released), None)

    def known_codes(self, knowledge: ColumnKnowledge) -> KnownColumnCodes | None:
        """A column as an exact attacker compares it; None where its values were moved."""
        name = knowledge.column
        if self.is_exact[name]:
            codes = self.rows.columns[name]
            return KnownColumnCodes.of(codes, knowledge, self.rows.hierarchies.get(name))
        if name == "day" and knowledge.is_exact and self.month_codes is not None:
            return KnownColumnCodes.of(self.month_codes, ColumnKnowledge(name), None)
        return None

    def with_cells(self, cells: Mapping[str, pl.Series | None]) -> OpenedPurchases:
        """The same release with other cells in some columns; None: without the column."""
        rows = self.rows.with_cells(cells)
        encoded = dict(rows.encoded)
        for name in self.labels & {name for name, series in cells.items() if series is not None}:
            before, after = rows.original.frame[name], rows.released.frame[name]
            encoded[name] = as_labels(ColumnCodes.of(before, after, None))
        return self._with(replace(rows, encoded=encoded), self.owner)

    def with_rows(self, rows: np.ndarray) -> OpenedPurchases:
        """The same release with some of its rows."""
        owner = np.unique(self.owner[rows], return_inverse=True)[1]
        return self._with(self.rows.with_rows(rows), owner)

    def with_owner(self, owner: np.ndarray) -> OpenedPurchases:
        """The same release under other pseudonyms."""
        return replace(self, owner=np.unique(owner, return_inverse=True)[1], claims=())

    def _with(self, rows: OpenedRelease, owner: np.ndarray) -> OpenedPurchases:
        return replace(self, rows=replace(rows, person=CUSTOMER), owner=owner, claims=())


def as_labels(codes: ColumnCodes) -> ColumnCodes:
    """The same without numbers: codes of items are no amounts."""
    return replace(codes, numbers=np.full(len(codes.numbers), np.nan), is_number=False)


def encode_names(original: pl.Series, released: pl.Series) -> ColumnCodes:
    """A column of plain names on both sides; one that the original lacks is another name."""
    names = pl.concat([original, released.alias(original.name)]).unique().sort()
    before, after = (
        pl.Series(original.name, positions_in(side, names)) for side in (original, released)
    )
    codes = as_labels(ColumnCodes.of(before, after, None))
    return replace(codes, texts=[None, *names.to_list()])


def released_months(days: pl.Series) -> np.ndarray | None:
    """Months since year 0 of plain days; None where some cell is no day."""
    if days.dtype != pl.Date or days.null_count():
        return None
    return (days.dt.year().cast(pl.Int64) * 12 + days.dt.month() - 1).to_numpy()


def known_columns(opened: OpenedPurchases, scenario: Scenario) -> list[ColumnKnowledge]:
    """What the recipient may know of a purchase, of columns that leave."""
    columns = opened.rows.columns
    if scenario.knows is not None:
        named = list(scenario.knows)
    elif scenario.recipient == "public":
        named = [ColumnKnowledge(name) for name in columns]
    else:
        named = [ColumnKnowledge(name) for name in opened.usual]
    opened.rows.original.schema.require([knowledge.column for knowledge in named])
    opened.rows.original.schema.require(scenario.holds)
    known = {knowledge.column for knowledge in named}
    named += [ColumnKnowledge(name) for name in scenario.holds if name not in known]
    return [knowledge for knowledge in named if knowledge.column in columns]


def no_link() -> Unknown:
    """That nobody tells who is behind the pseudonyms."""
    from tokumei.core.fields import field_name

    message = Message(
        "who is found cannot be computed without the link: give the link that was written with "
        "the release ({truth})",
        truth=field_name("truth"),
    )
    return Unknown("no-link", message, is_fundamental=True)
