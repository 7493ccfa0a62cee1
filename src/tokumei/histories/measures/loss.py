"""The contest's loss: how far generalized cells are from the true ones, over all rows of T.

    deleted or *  1      plain  0      set  1 − 1/|set|
    interval [a;b] around x:  ((a−x)² + (b−x)² + (b−a)) / (2·sd·(b−a+1))

in whole days, cents and pieces; sd is the population standard deviation of the original column.
It is not capped: a wide interval can cost more than `*`. A cell that does not hold the true value
(the rules forbid it) costs by the same formula, an item set without the true item 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.cells import codes_in
from tokumei.histories.data.general import GeneralHistory, ItemSets, Spans
from tokumei.histories.data.history import History

PARTS = ("day", "item", "price", "quantity")


@dataclass(frozen=True)
class HistoryLoss:
    """Mean cell error per column, their mean, and the share of rows that are left."""

    day: float
    item: float
    price: float
    quantity: float
    rows_kept: float

    @property
    def loss(self) -> float:
        """The mean over the four columns."""
        return (self.day + self.item + self.price + self.quantity) / 4

    def as_json(self) -> dict[str, float]:
        """The figures of the command line contract."""
        return {"loss": self.loss, **vars(self)}


def history_loss(original: History, released: GeneralHistory) -> HistoryLoss:
    """The contest's loss of a release against its original, row by row."""
    errors = {name: float(cell_errors(original, released, name).mean()) for name in PARTS}
    return HistoryLoss(**errors, rows_kept=released.rows_kept)


def cell_errors(original: History, released: GeneralHistory, column: str) -> np.ndarray:
    """The error of every cell of a column."""
    if column == "item":
        return _item_errors(original, released.item, released.kept)
    values = original.numbers(column)
    unit = original.unit(column)
    if released.decimals != original.decimals and column == "price":
        raise ValueError("prices of both histories must be counted in the same unit")
    return _span_errors(values, released.spans(column), released.kept, unit)


def _span_errors(values: np.ndarray, spans: Spans, kept: np.ndarray, unit: float) -> np.ndarray:
    errors = np.ones(len(values))
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


def _item_errors(original: History, sets: ItemSets, kept: np.ndarray) -> np.ndarray:
    errors = np.ones(original.rows)
    items = codes_in(original.item_names, sets.names)[original.item_codes]
    held = sets.holds(items) & kept
    errors[held] = 1 - 1 / sets.sizes[sets.code[held]]
    return errors
