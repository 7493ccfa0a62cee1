"""The loss of a release whose items were first replaced by categories, told in two ways.

    replaced = history.with_items(category_of)
    release = method.anonymize(replaced, rng=rng).rows
    contest_loss(history, release, category_of)
    honest_loss(history, release, category_of)

The contest's figure is against the history with items already replaced: a plain category costs
nothing, and the coarser the categories, the better it looks. The honest one is against the
original items: categories that hold c items of the history in all cost 1 − 1/c. Never choose
categories by the first. Where every item is its own category both are the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from tokumei.core.cells import codes_in
from tokumei.core.text import Text
from tokumei.histories.data.general import GeneralHistory, ItemSets
from tokumei.histories.data.history import History
from tokumei.histories.measures.loss import HistoryLoss, history_loss

HONEST_LOSS = Text("Loss against the real items", "元の商品での損失")
"""What the loss is called where items were replaced by categories first."""


def contest_loss(
    original: History, released_of_replaced: GeneralHistory, mapping: Mapping[str, str]
) -> HistoryLoss:
    """The loss against the history with items already replaced by `mapping`."""
    return history_loss(original.with_items(mapping), released_of_replaced)


def honest_loss(
    original: History, released_of_replaced: GeneralHistory, mapping: Mapping[str, str]
) -> HistoryLoss:
    """The loss against the original items; the other columns cost the same either way."""
    released = released_of_replaced
    replaced = original.with_items(mapping)
    items = _items_held(original, released.item, mapping)
    category = codes_in(replaced.frame["item"], released.item.names)
    held = released.item.holds(category) & released.kept
    errors = np.ones(original.rows)
    errors[held] = 1 - 1 / items[released.item.code[held]]
    return dataclasses.replace(history_loss(replaced, released), item=float(errors.mean()))


def _items_held(original: History, sets: ItemSets, mapping: Mapping[str, str]) -> np.ndarray:
    """How many distinct items of the original the categories of each set hold in all.

    A category without any counts as one: the reader of the release cannot rule it out.
    """
    category = original.item_names.replace_strict(
        original.item_names, [mapping[name] for name in original.item_names]
    )
    place = codes_in(category, sets.names)
    per_category = np.bincount(place[place >= 0], minlength=len(sets.names))
    owner = np.repeat(np.arange(len(sets.sizes)), sets.sizes)
    counted = np.maximum(per_category, 1)[sets.members]
    held = np.bincount(owner, weights=counted, minlength=len(sets.sizes))
    return np.asarray(held)
