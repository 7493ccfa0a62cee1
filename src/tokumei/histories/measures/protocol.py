"""Protocol of history measures, and the contest's loss, which several of them use.

The original and its release in, one score out. The loss is how far generalized cells are from the
true ones, over all rows of T:

    deleted or *  1      plain  0      set  1 − 1/|set|
    interval [a;b] around x:  ((a−x)² + (b−x)² + (b−a)) / (2·sd·(b−a+1))

in whole days, cents and pieces; sd is the population standard deviation of the original column.
It is not capped: a wide interval can cost more than `*`. A cell that does not hold the true value
(the rules forbid it) costs by the same formula, an item set without the true item 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import positions_in
from tokumei.core.measure import Measure
from tokumei.histories.data.generalized_history import DELETED, GeneralHistory, ItemSets
from tokumei.histories.data.history import History

LOSS_COLUMNS = ("day", "item", "price", "quantity")


@dataclass(frozen=True)
class HistoryLoss:
    """Mean cell error of every column, their mean, and the share of rows that are left."""

    parts: Mapping[str, float]
    rows_kept: float

    @property
    def loss(self) -> float:
        """The mean over the four columns, and over further values."""
        return sum(self.parts.values()) / len(self.parts)

    def as_json(self) -> dict[str, float]:
        """The figures of the command line contract."""
        return {"loss": self.loss, **self.parts, "rows_kept": self.rows_kept}


def history_loss(original: History, released: GeneralHistory) -> HistoryLoss:
    """The contest's loss of a release against its original, row by row."""
    columns = (*LOSS_COLUMNS, *original.like)
    errors = {name: float(cell_errors(original, released, name).mean()) for name in columns}
    return HistoryLoss(errors, released.rows_kept)


def cell_errors(original: History, released: GeneralHistory, column: str) -> np.ndarray:
    """The error of every cell of a column."""
    if column == "item" or column in original.set_values:
        sets, errors = released.set_cells(column), np.ones(original.rows)
        places = positions_in(original.members(column), sets.names)
        holds_item = sets.holds(places[original.places(column)]) & released.kept
        errors[holds_item] = 1 - 1 / sets.sizes[sets.code[holds_item]]
        return errors
    if released.decimals != original.decimals and original.like.get(column, column) == "price":
        raise ValueError("prices of both histories must be counted in the same unit")
    values, unit = original.numbers(column), original.unit(column)
    spans, kept, errors = released.interval_cells(column), released.kept, np.ones(original.rows)
    code = spans.code[kept]
    low, high = spans.low[code] / unit, spans.high[code] / unit
    x, sd = values[kept] / unit, float(values.std()) / unit
    width = high - low
    squares = (low - x) ** 2 + (high - x) ** 2 + width
    with np.errstate(divide="ignore", invalid="ignore"):
        error = squares / (2 * sd * (width + 1))
    error = np.where(squares == 0, 0.0, error)
    errors[kept] = np.where(spans.star[code], 1.0, error)
    return errors


@dataclass(frozen=True, eq=False)
class HistoryCase:
    """A history and its release, row by row: the secret side, so nothing of it is shown."""

    original: History = field(repr=False)
    released: GeneralHistory = field(repr=False)

    def __post_init__(self) -> None:
        original, released = self.original.rows, self.released.rows
        if original != released or not original:
            raise InputError(
                "the original has {original} rows and its release {released}; both need the same "
                "rows, at least one (deleted ones stay in as *)",
                original=original,
                released=released,
            )
        original, released = self.original.decimals, self.released.decimals
        if original != released:
            raise InputError(
                "prices have {original} decimals in the original but {released} in its release",
                original=original,
                released=released,
            )

    @cached_property
    def loss(self) -> HistoryLoss:
        """The contest's loss with its parts; computed once for all that tell of it."""
        return history_loss(self.original, self.released)

    @cached_property
    def pseudonym(self) -> np.ndarray:
        """The place of every customer's pseudonym, DELETED for who has no released row.

        Should a customer have several, which the contest's rules forbid, it is the one of the
        first released row: the user of the data cannot know that the others are the same person.
        """
        pseudonym_places = np.full(len(self.original.customers), DELETED, dtype=np.int64)
        backwards = np.flatnonzero(self.released.kept)[::-1]
        pseudonym_places[self.original.customer_codes[backwards]] = self.released.person[backwards]
        return pseudonym_places


class HistoryMeasure(Measure[HistoryCase], Protocol):
    """Scores one released history against its original."""


ROUNDING_STEPS = 64


def estimated_numbers(released: GeneralHistory, column: str) -> np.ndarray:
    """What a user of the release takes day, price or quantity for, in every row left, in order.

    A plain cell is itself, [a;b] its middle, `*` the mean of the column's other cells, each by its
    middle (0 where all are `*`). The mean is rounded to 1/64 of a whole day, price unit or piece:
    sums of estimates are then exact up to 2^53 / 64², so that people with equal histories have
    equal figures in whatever order rows are added up.
    """
    spans = released.interval_cells(column)
    code = spans.code[released.kept]
    values = (spans.low[code] + spans.high[code]) / 2
    star = spans.star[code]
    mean = values[~star].mean() if not star.all() else 0.0
    return np.asarray(np.where(star, np.round(mean * ROUNDING_STEPS) / ROUNDING_STEPS, values))


def estimated_sales(released: GeneralHistory) -> np.ndarray:
    """Price × quantity of every row that is left, in price units."""
    price, quantity = (estimated_numbers(released, name) for name in ("price", "quantity"))
    return np.asarray(price * quantity)


def true_sales(history: History) -> np.ndarray:
    """Price × quantity of every row of an original, in price units."""
    return np.asarray(history.numbers("price") * history.numbers("quantity").astype(np.float64))


def item_totals(sets: ItemSets, kept: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The sum per item (in the order of `names`) when each row's weight is shared by its set.

    A `*` counts for nothing: shared out as the known items are, it would change no order of theirs.
    """
    sizes = sets.sizes
    of_set = np.bincount(sets.code[kept], weights=weights, minlength=len(sizes))
    share = np.repeat(of_set / np.maximum(sizes, 1), sizes)
    return np.bincount(sets.members, weights=share, minlength=len(sets.names))
