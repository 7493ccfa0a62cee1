"""Base class of history anonymizers: groups of rows become one generalized row each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.described import Anonymizer
from tokumei.core.errors import UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.randomness import Randomness, content_digest, digit_pseudonyms
from tokumei.histories.data.generalized_history import (
    DELETED,
    MAX_SET_SIZE,
    GeneralHistory,
    IntervalCells,
    ItemSets,
)
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease


def generalize_groups(
    history: History, groups: np.ndarray, *, rng: Randomness, give_up: bool
) -> GeneralHistory:
    """Row numbers (groups × k) to a release in which the rows of a group are equal.

    Numbers become `[smallest;largest]`, items the set of the distinct ones, further values what
    they are like. With `give_up` a cell
    whose interval costs its rows more than `*` would becomes `*` for all of them. Rows in no
    group are deleted.
    """
    code = np.full(history.rows, DELETED, dtype=np.int64)
    code[groups] = np.arange(len(groups))[:, None]
    spans = {
        name: _generalize_numbers(history, name, groups, code, give_up)
        for name in history.number_columns
    }
    sets = {
        name: _generalize_items(history, name, groups, code)
        for name in ("item", *history.set_values)
    }
    empty = np.all(
        [cells.star for cells in spans.values()] + [cells.sizes == 0 for cells in sets.values()],
        axis=0,
    )
    code[(code != DELETED) & empty[code]] = DELETED  # nothing left: as good as deleted
    cells: dict[str, IntervalCells | ItemSets] = {**spans, **sets}
    return GeneralHistory(
        np.where(code == DELETED, DELETED, history.customer_codes),
        digit_pseudonyms(history.customers, rng=rng),
        spans["day"],
        sets["item"],
        spans["price"],
        spans["quantity"],
        history.decimals,
        {name: cells[name] for name in history.like},
        history.like,
    )


def _generalize_numbers(
    history: History, column: str, groups: np.ndarray, code: np.ndarray, give_up: bool
) -> IntervalCells:
    values = history.numbers(column)
    cells = values[groups]
    low, high = cells.min(axis=1, initial=2**62), cells.max(axis=1, initial=-(2**62))
    star = np.zeros(len(groups), dtype=bool)
    if give_up and (sd := float(values.std()) / history.unit(column)) > 0:
        star = _group_cell_errors(cells / history.unit(column), sd) > groups.shape[1]
    return IntervalCells(code, low, high, star)


def _group_cell_errors(cells: np.ndarray, sd: float) -> np.ndarray:
    """The sum of the contest's cell errors of every group."""
    low, high = cells.min(axis=1, keepdims=True), cells.max(axis=1, keepdims=True)
    width = high - low
    error = ((cells - low) ** 2 + (cells - high) ** 2 + width) / (2 * sd * (width + 1))
    return np.asarray(error.sum(axis=1))


def _generalize_items(
    history: History, column: str, groups: np.ndarray, code: np.ndarray
) -> ItemSets:
    items = np.sort(history.places(column)[groups], axis=1)
    is_first = np.ones(items.shape, dtype=bool)
    is_first[:, 1:] = items[:, 1:] != items[:, :-1]
    is_first[is_first.sum(axis=1) > MAX_SET_SIZE] = False  # too many for a cell: *
    start = np.concatenate([[0], np.cumsum(is_first.sum(axis=1))])
    return ItemSets(code, start, items[is_first], history.members(column))


MERGED_ROWS_STEP = Message(
    "The matched rows become one: day, price and quantity the interval from the smallest to the "
    "largest, the item the set of all items; further values become intervals or sets as well. Rows "
    "without a partner are left out."
)
PSEUDONYM_STEP = Message(
    "Every customer gets a random pseudonym. All k histories of a group are identical, so even "
    "someone who knows every purchase can only guess among k people."
)


class GroupingMethod(Anonymizer):
    """Base of the methods that give k customers identical histories; `groups` does the work."""

    give_up: ClassVar[bool]
    explained: ClassVar[tuple[Message, ...]] = ()
    """How it works, step by step, for somebody who has never heard of it."""
    k: int

    def prepare(self, history: History) -> object:
        """What releases of one history with different k can share; None if nothing."""
        return None

    def groups(self, history: History, *, rng: Randomness, prepared: object = None) -> np.ndarray:
        """Row numbers, groups × k: in every group one row of each customer of a cluster."""
        raise NotImplementedError

    def anonymize(
        self,
        source: History,
        *,
        rng: Randomness,
        sha256: str | None = None,
        prepared: object = None,
    ) -> HistoryRelease:
        """Group the rows, make every group one generalized row, give out pseudonyms."""
        require_k(self.k, len(source.customers))
        groups = self.groups(source, rng=rng.child(self.name), prepared=prepared)
        if rng.seeded:
            rng = bind_seed_to_customers(rng, source.customers, source.counts, self.describe())
            if source.recoded:
                # Other item names make another release, which must not share its pseudonyms.
                rng = rng.bound_to(content_digest(source.item_names.to_frame()))
            if source.like:
                rng = rng.bound_to(content_digest(source.frame.select([*source.like])))
        rows = generalize_groups(source, groups, rng=rng, give_up=self.give_up)
        claims = (Claim("identical-histories", {"k": self.k}),)
        provenance = Provenance((self.describe(),), sha256, rng.seed)
        return HistoryRelease(rows, source.customers, claims, provenance)

    def describe(self) -> JsonObject:
        """The method and its parameters as plain data."""
        return {"method": self.name, **dataclasses.asdict(self)}


def bind_seed_to_customers(
    rng: Randomness, customers: pl.Series, rows: np.ndarray, description: Mapping[str, object]
) -> Randomness:
    """Chance that also depends on who the customers are, how much each bought, and the method."""
    people = pl.DataFrame({"customer": customers.cast(pl.String), "rows": rows.astype(np.int64)})
    return rng.bound_to(content_digest(people), description)


def require_k(k: int, customers: int) -> None:
    """Fail unless k customers can be made alike."""
    if k < 2:
        raise UsageError("k must be at least 2, not {k}", k=k)
    if k > customers:
        raise UsageError(
            "k = {k} needs at least {k} customers; there are {customers}", k=k, customers=customers
        )
