"""Groups of rows, one of each customer of a cluster, become one and the same generalized row."""

from __future__ import annotations

import numpy as np

from tokumei.core.randomness import Randomness, digit_pseudonyms
from tokumei.histories.data.cell_text import MAX_SET
from tokumei.histories.data.general import DELETED, GeneralHistory, ItemSets, Spans
from tokumei.histories.data.history import History


def generalize(
    history: History, groups: np.ndarray, *, rng: Randomness, give_up: bool
) -> GeneralHistory:
    """Row numbers (groups × k) to a release in which the rows of a group are equal.

    Numbers become `[smallest;largest]`, items the set of the distinct ones. With `give_up` a cell
    whose interval costs its rows more than `*` would becomes `*` for all of them. Rows in no
    group are deleted.
    """
    code = np.full(history.rows, DELETED, dtype=np.int64)
    code[groups] = np.arange(len(groups))[:, None]
    day, price, quantity = (
        _spans(history, name, groups, code, give_up) for name in ("day", "price", "quantity")
    )
    items = _item_sets(history, groups, code)
    empty = day.star & price.star & quantity.star & (items.sizes == 0)
    code[(code != DELETED) & empty[code]] = DELETED  # nothing left: as good as deleted
    pseudonyms = digit_pseudonyms(history.customers, rng=rng)
    person = np.where(code == DELETED, DELETED, history.customer_codes)
    return GeneralHistory(person, pseudonyms, day, items, price, quantity, history.decimals)


def _spans(
    history: History, column: str, groups: np.ndarray, code: np.ndarray, give_up: bool
) -> Spans:
    values = history.numbers(column)
    cells = values[groups]
    low, high = cells.min(axis=1, initial=2**62), cells.max(axis=1, initial=-(2**62))
    star = np.zeros(len(groups), dtype=bool)
    if give_up and (sd := float(values.std()) / history.unit(column)) > 0:
        star = _error(cells / history.unit(column), sd) > groups.shape[1]
    return Spans(code, low, high, star)


def _error(cells: np.ndarray, sd: float) -> np.ndarray:
    """The sum of the contest's cell errors of every group."""
    low, high = cells.min(axis=1, keepdims=True), cells.max(axis=1, keepdims=True)
    width = high - low
    error = ((cells - low) ** 2 + (cells - high) ** 2 + width) / (2 * sd * (width + 1))
    return np.asarray(error.sum(axis=1))


def _item_sets(history: History, groups: np.ndarray, code: np.ndarray) -> ItemSets:
    items = np.sort(history.item_codes[groups], axis=1)
    first = np.ones(items.shape, dtype=bool)
    first[:, 1:] = items[:, 1:] != items[:, :-1]
    first[first.sum(axis=1) > MAX_SET] = False  # too many for a cell: *
    start = np.concatenate([[0], np.cumsum(first.sum(axis=1))])
    return ItemSets(code, start, items[first], history.item_names)
