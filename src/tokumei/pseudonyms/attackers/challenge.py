"""Base class and challenge of attacks on pseudonyms: public and known rows as numbers.

    sides = Sides.of(public, known, customers=customers, months=months)
    sides.known.groups(3)          # the customers of whom rows of the fourth month are known

Rows are sorted by month and owner: a pseudonym on the public side, a customer on the known side.
Known items may be coarser than public ones (the contest shows two characters): public items are cut
to the same length before they are compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import polars as pl

from tokumei.core.described import Attacker
from tokumei.core.generalized_cells import positions_in
from tokumei.core.randomness import Randomness
from tokumei.kernels.match_likelihood import PRICE, USUAL_PRICE
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import Months, PeriodRows


class PeriodAttacker(Attacker, Protocol):
    """Says for every customer and period which pseudonym it might be. Never sees the secret."""

    def attack(
        self,
        public: PeriodRows,
        known: PeriodRows,
        *,
        customers: pl.Series,
        months: Months,
        rng: Randomness,
    ) -> PeriodGuess:
        """The answer to the public rows (S), knowing some rows of some customers (T_α)."""


@dataclass(frozen=True, eq=False)
class PeriodChallenge:
    """The public rows, the rows the attacker knows, all customers, and the periods."""

    public: PeriodRows = field(repr=False)
    known: PeriodRows = field(repr=False)
    customers: pl.Series = field(repr=False)
    months: Months

    def put_to(self, attacker: PeriodAttacker, *, rng: Randomness) -> PeriodGuess:
        """For every customer and period, which pseudonym it might be."""
        return attacker.attack(
            self.public, self.known, customers=self.customers, months=self.months, rng=rng
        )

    def sides(self) -> PublicAndKnownRows:
        """The rows as numbers."""
        return PublicAndKnownRows.of(
            self.public, self.known, customers=self.customers, months=self.months
        )

    def guess(self, codes: np.ndarray, confidence: np.ndarray | None = None) -> PeriodGuess:
        """The answer with these places among the public pseudonyms; certain unless told."""
        table = PseudonymTable(self.customers, self.public.people.alias("pseudonym"), codes)
        return PeriodGuess.certain(table) if confidence is None else PeriodGuess(table, confidence)


class ChallengeAttacker(PeriodAttacker):
    """Base of the attacks here, which get all they see as one challenge."""

    def attack(
        self,
        public: PeriodRows,
        known: PeriodRows,
        *,
        customers: pl.Series,
        months: Months,
        rng: Randomness,
    ) -> PeriodGuess:
        """The answer to the challenge of these rows, customers and months."""
        return self.answer(PeriodChallenge(public, known, customers, months), rng=rng)

    def answer(self, seen: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """For every customer and period, which pseudonym it might be."""
        raise NotImplementedError


NO_PRICE_LOG = -20.0


@dataclass(frozen=True, eq=False)
class SideRows:
    """Rows of one side. A group is one owner's rows of one month."""

    owner: np.ndarray
    month: np.ndarray
    item: np.ndarray
    values: np.ndarray
    start: np.ndarray
    months: int

    @property
    def group_owner(self) -> np.ndarray:
        """The owner of every group."""
        return np.asarray(self.owner[self.start[:-1]])

    def rows_of_month(self, month: int) -> slice:
        """The rows of a month."""
        return slice(*np.searchsorted(self.month, [month, month + 1]))

    def groups(self, month: int) -> slice:
        """The groups of a month."""
        return slice(*np.searchsorted(self.month[self.start[:-1]], [month, month + 1]))

    def starts(self, month: int) -> np.ndarray:
        """Where the month's groups begin, counted from its first row, and the end."""
        groups = self.groups(month)
        return np.asarray(
            self.start[groups.start : groups.stop + 1] - self.rows_of_month(month).start
        )


@dataclass(frozen=True, eq=False)
class PublicAndKnownRows:
    """Both sides; `full_item` is the public rows' item as published."""

    public: SideRows
    known: SideRows
    full_item: np.ndarray
    item_share: np.ndarray
    people: int
    pseudonyms: int
    months: int

    @classmethod
    def of(
        cls, public: PeriodRows, known: PeriodRows, *, customers: pl.Series, months: Months
    ) -> PublicAndKnownRows:
        """The rows that have an owner and a month."""
        public_places, known_places = (
            _usable_rows(public, public.people, months),
            _usable_rows(known, customers, months),
        )
        known_items = known.cells["item"].gather(known_places[2])
        items = public.cells["item"].gather(public_places[2])
        shortened = items.str.slice(0, max(known_items.str.len_chars().to_list(), default=None))
        names = pl.concat([shortened, known_items]).unique().sort()
        full_codes = positions_in(items, items.unique().sort())
        known_codes = positions_in(known_items, names)
        count = np.bincount(known_codes, minlength=len(names))
        public_values, known_values = (
            _numeric_values(public, public_places[2]),
            _numeric_values(known, known_places[2]),
        )
        prices = pl.DataFrame({"item": full_codes, "price": public_values[PRICE]})
        median = prices.select(pl.col("price").median().over("item")).to_series()
        public_values[USUAL_PRICE] = median.to_numpy()
        return cls(
            _build_side(public_places, positions_in(shortened, names), public_values, months.count),
            _build_side(known_places, known_codes, known_values, months.count),
            full_codes,
            count / max(count.sum(), 1),
            len(customers),
            len(public.people),
            months.count,
        )


def _usable_rows(
    rows: PeriodRows, owners: pl.Series, months: Months
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Owner, month and place of the usable rows, sorted by month and owner."""
    owner, month = positions_in(rows.cells["customer"], owners), months.of(rows.days)
    usable = np.flatnonzero(rows.kept & (owner >= 0) & (month >= 0))
    order = usable[np.lexsort((owner[usable], month[usable]))]
    return owner[order], month[order], order


def _numeric_values(rows: PeriodRows, places: np.ndarray) -> np.ndarray:
    price = rows.prices[places]
    has_price = np.isfinite(price) & (price > 0)
    logs = np.where(has_price, np.log(np.where(has_price, price, 1.0)), NO_PRICE_LOG)
    quantity = np.nan_to_num(rows.quantities[places])
    return np.vstack([logs, logs, quantity, rows.days[places], rows.minutes[places]])


def _build_side(
    places: tuple[np.ndarray, np.ndarray, np.ndarray],
    item: np.ndarray,
    values: np.ndarray,
    months: int,
) -> SideRows:
    owner, month, _ = places
    starts_group = np.ones(len(owner) + 1, dtype=bool)
    starts_group[1:-1] = (owner[1:] != owner[:-1]) | (month[1:] != month[:-1])
    starts_group[-1] = True
    start = np.flatnonzero(starts_group) if len(owner) else np.zeros(1, dtype=np.int64)
    return SideRows(owner, month, item, values, start.astype(np.int64), months)
