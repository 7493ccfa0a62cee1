"""Measures of the contest's loss and its parts, and of the loss by categories.

    Loss().score(case)         # the mean over all columns
    ItemLoss().score(case)     # of one column

The formula of a cell stands in `protocol.py`. Where items were first replaced by categories, the
contest's figure is against the history with items already replaced: a plain category costs nothing,
and the coarser the categories, the better it looks. The honest one is against the original items:
categories that hold c items of the history in all cost 1 − 1/c. Never choose categories by the
first. Where every item is its own category both are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import positions_in, rank_quantiles
from tokumei.core.measure import ROWS_KEPT_LIMITS, SHARE_LIMITS, Goal, Limits, Score
from tokumei.core.messages import Message
from tokumei.histories.data.generalized_history import DELETED, GeneralHistory, ItemSets
from tokumei.histories.data.history import History
from tokumei.histories.measures.protocol import (
    HistoryCase,
    HistoryLoss,
    HistoryMeasure,
    history_loss,
)

HONEST_LOSS = Message("Loss against the real items")
"""What the loss is called where items were replaced by categories first."""


def honest_loss(
    original: History, released: GeneralHistory, mapping: Mapping[str, str]
) -> HistoryLoss:
    """The loss, against the original items, of a release whose items were replaced first.

    The other columns cost the same either way.
    """
    replaced = original.with_items(mapping)
    items = _count_held_items(original, released.item, mapping)
    category = positions_in(replaced.frame["item"], released.item.names)
    holds_category = released.item.holds(category) & released.kept
    errors = np.ones(original.rows)
    errors[holds_category] = 1 - 1 / items[released.item.code[holds_category]]
    contest = history_loss(replaced, released)
    return HistoryLoss({**contest.parts, "item": float(errors.mean())}, contest.rows_kept)


def _count_held_items(original: History, sets: ItemSets, mapping: Mapping[str, str]) -> np.ndarray:
    """How many distinct items of the original the categories of each set hold in all.

    A category without any counts as one: the reader of the release cannot rule it out.
    """
    category = original.item_names.replace_strict(
        original.item_names, [mapping[name] for name in original.item_names]
    )
    place = positions_in(category, sets.names)
    per_category = np.bincount(place[place >= 0], minlength=len(sets.names))
    counted = np.maximum(per_category, 1)[sets.members]
    return np.bincount(sets.owners, weights=counted, minlength=len(sets.sizes))


CELL_FORMULA = "mean_cells 1 (deleted, *), ((a−x)² + (b−x)² + (b−a)) / (2·sd·(b−a+1)) ([a;b])"


class _LossPart(HistoryMeasure):
    """A figure of `case.loss`, by its name."""

    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    unit: ClassVar[Message] = Message("loss")
    formula: ClassVar[str] = CELL_FORMULA
    as_percent: ClassVar[bool] = False

    def score(self, case: HistoryCase) -> Score:
        """The figure."""
        return Score(case.loss.as_json()[self.name])


@dataclass(frozen=True)
class Loss(_LossPart):
    """The mean of the columns' losses: the contest's utility."""

    name: ClassVar[str] = "loss"
    title: ClassVar[Message] = Message("Loss (the contest's)")
    sentence: ClassVar[Message] = Message(
        "How much of the columns is blurred or deleted: 0 nothing, 1 as much as deleting all."
    )
    formula: ClassVar[str] = "mean(day, item, price, quantity, …)"
    says: ClassVar[Message] = Message(
        "The loss is {value} (0: nothing, 1: as much as deleting all)."
    )
    heading: ClassVar[Message] = Message("Loss")


@dataclass(frozen=True)
class DayLoss(_LossPart):
    """Mean cell error of the days."""

    name: ClassVar[str] = "day"
    heading: ClassVar[Message] = Message("Day")
    title: ClassVar[Message] = Message("Loss of days")
    sentence: ClassVar[Message] = Message("How much the days of purchase are blurred or deleted.")
    says: ClassVar[Message] = Message("The loss of days is {value}.")


@dataclass(frozen=True)
class ItemLoss(_LossPart):
    """Mean cell error of the items."""

    name: ClassVar[str] = "item"
    heading: ClassVar[Message] = Message("Item")
    title: ClassVar[Message] = Message("Loss of items")
    sentence: ClassVar[Message] = Message("How much the items are blurred or deleted.")
    says: ClassVar[Message] = Message("The loss of items is {value}.")
    formula: ClassVar[str] = "mean_cells 1 (deleted, *), 1 − 1/|set|"


@dataclass(frozen=True)
class PriceLoss(_LossPart):
    """Mean cell error of the prices."""

    name: ClassVar[str] = "price"
    heading: ClassVar[Message] = Message("Price")
    title: ClassVar[Message] = Message("Loss of prices")
    sentence: ClassVar[Message] = Message("How much the prices are blurred or deleted.")
    says: ClassVar[Message] = Message("The loss of prices is {value}.")


@dataclass(frozen=True)
class QuantityLoss(_LossPart):
    """Mean cell error of the quantities."""

    name: ClassVar[str] = "quantity"
    heading: ClassVar[Message] = Message("Quantity")
    title: ClassVar[Message] = Message("Loss of quantities")
    sentence: ClassVar[Message] = Message("How much the quantities are blurred or deleted.")
    says: ClassVar[Message] = Message("The loss of quantities is {value}.")


@dataclass(frozen=True)
class HistoryRowsKept(_LossPart):
    """Released rows / original rows."""

    name: ClassVar[str] = "rows_kept"
    title: ClassVar[Message] = Message("Share of rows kept")
    sentence: ClassVar[Message] = Message("The share of rows that are not deleted.")
    formula: ClassVar[str] = "|released| / |original|"
    unit: ClassVar[Message] = Message("share of rows")
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    says: ClassVar[Message] = Message("{value} of the rows are kept.")
    limits: ClassVar[Limits] = ROWS_KEPT_LIMITS
    as_percent: ClassVar[bool] = True
    caption: ClassVar[Message] = Message("of the rows are kept")


LOSS_PARTS = tuple(
    measure.name for measure in (Loss, DayLoss, ItemLoss, PriceLoss, QuantityLoss, HistoryRowsKept)
)
"""The measures that a page lists under "loss", not among the uses."""


DECILES = 10


@dataclass(frozen=True)
class CustomersKept(HistoryMeasure):
    """The share of customers with at least one released row.

    A loss over all rows hides whose rows are gone: the paper's method deletes the surplus of the
    most active customer of a cluster, and the least active customers altogether.
    """

    name: ClassVar[str] = "customers_kept"
    title: ClassVar[Message] = Message("Share of customers kept")
    sentence: ClassVar[Message] = Message(
        "The share of customers who still have at least one released row."
    )
    formula: ClassVar[str] = "|customers released| / |customers|"
    says: ClassVar[Message] = Message("{value} of the customers still have at least one row.")
    limits: ClassVar[Limits] = SHARE_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message("share")

    def score(self, case: HistoryCase) -> Score:
        """The figure."""
        kept = case.pseudonym != DELETED
        return Score(float(kept.mean()), sample=len(kept))


def rows_by_activity(case: HistoryCase) -> pl.DataFrame:
    """Per decile of customers by number of rows (1 the fewest): customers, rows, share kept.

    A decile that ties leave without customers is not listed.
    """
    decile = rank_quantiles(case.original.counts, DECILES)
    owner = decile[case.original.customer_codes]
    customers = np.bincount(decile)
    rows = np.bincount(owner)
    kept = np.bincount(owner[case.released.kept], minlength=len(rows))
    deciles = np.flatnonzero(customers)
    figures = {"decile": deciles, "customers": customers[deciles], "rows": rows[deciles]}
    return pl.DataFrame({**figures, "kept": kept[deciles] / rows[deciles]})
