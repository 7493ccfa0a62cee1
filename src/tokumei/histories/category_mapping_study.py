"""Studies how item categories affect marketing: losses, and analyses of items.

    lines = study_categories(history, {"keywords": categories}, k=6, seed=1)
    [(line.name, line.honest_loss, line.rfm) for line in lines]

For every mapping the items are replaced and the history is released; the analyses compare the
replaced original with its release. `no-categories` keeps the items. `random` deals the items of the
first mapping into categories of the same sizes: the lower bar, as it knows nothing of them. RFM
uses no items, so it is the same in every line: the control. The contest's loss is against the
replaced items and must not rank mappings; the honest one is.

In the analyses both sides are rows with a person, a day, sales, and a weight for every item: 1 for
a plain item, 1/|set| for each of a set, nothing for `*`. A day is the middle of its interval. So
all analyses are the same code on original and release.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.generalized_cells import positions_in
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.generalized_history import GeneralHistory
from tokumei.histories.data.history import History
from tokumei.histories.flow import anonymize
from tokumei.histories.measures.losses import honest_loss
from tokumei.histories.measures.protocol import (
    HistoryCase,
    estimated_numbers,
    estimated_sales,
    history_loss,
    true_sales,
)
from tokumei.histories.measures.rfm import Rfm

NO_CATEGORIES, RANDOM = "no-categories", "random"


@dataclass(frozen=True)
class CategoryStudyLine:
    """One mapping: its categories, both losses, and what is left of each analysis.

    `monthly_sales_error` over categories and months; `top_item_overlap` of the 20 best sold;
    `basket_f1` of pairs; `next_original` and `next_released`: hits of the next category by either
    side's habits.
    """

    name: str
    categories: int
    contest_loss: float
    honest_loss: float
    month_error: float
    top_kept: float
    basket_f1: float
    next_original: float
    next_released: float
    rfm: float

    def as_json(self) -> JsonObject:
        """Plain data."""
        return asdict(self)


def study_categories(
    history: History,
    mappings: Mapping[str, Categories],
    *,
    k: int = 6,
    method: str = "rank-match",
    seed: int | None = None,
) -> list[CategoryStudyLine]:
    """A line for the items themselves, every mapping, and one dealt at random."""
    all_mappings = {
        NO_CATEGORIES: Categories(NO_CATEGORIES, {item: item for item in history.item_names}),
        **mappings,
    }
    if mappings:
        all_mappings[RANDOM] = random_categories(next(iter(mappings.values())), seed)
    return [
        _study_mapping(history, name, categories, k, method, seed)
        for name, categories in track_progress(list(all_mappings.items()), Message("mappings"))
    ]


def random_categories(like: Categories, seed: int | None = None) -> Categories:
    """Categories of the same names and sizes, their items dealt at random."""
    items = sorted(like.of)
    order = Randomness(seed).child("random categories").permutation(len(items))
    shuffled = {item: like.of[items[int(place)]] for item, place in zip(items, order, strict=True)}
    return Categories(RANDOM, shuffled)


def _study_mapping(
    history: History, name: str, categories: Categories, k: int, method: str, seed: int | None
) -> CategoryStudyLine:
    source = history.with_items(categories.of)
    release = anonymize(source, method, seed=seed, k=k)
    true, seen = original_item_rows(source), released_item_rows(release.rows, source.item_names)
    original, released = next_item_hits(true, seen)
    return CategoryStudyLine(
        name,
        len(source.item_names),
        history_loss(source, release.rows).loss,
        honest_loss(history, release.rows, categories.of).loss,
        monthly_sales_error(true, seen),
        top_item_overlap(true, seen),
        basket_f1(true, seen),
        original,
        released,
        Rfm().score(HistoryCase(source, release.rows)).value,
    )


MIN_SUPPORT, MIN_LIFT = 0.05, 1.2
"""A pair of items is a rule if this share of people has both, so much more often than by chance."""
TOP_COUNT = 20
ItemWeights: TypeAlias = "sparse.csr_array[np.float64]"


@dataclass(frozen=True, eq=False)
class ItemRows:
    """Rows as an analyst takes them; `weights[row, item]` in the order of the items' names."""

    person: np.ndarray
    day: np.ndarray
    sales: np.ndarray
    weights: ItemWeights


def original_item_rows(history: History) -> ItemRows:
    """The rows of an original."""
    rows, items = history.rows, len(history.item_names)
    ones = (np.ones(rows), (np.arange(rows), history.item_codes))
    weights = sparse.csr_array(ones, shape=(rows, items))
    day = history.numbers("day").astype(np.float64)
    return ItemRows(history.customer_codes, day, true_sales(history), weights)


def released_item_rows(released: GeneralHistory, names: pl.Series) -> ItemRows:
    """The rows that are left; items that `names` lacks count for nothing."""
    kept, sets = released.kept, released.item
    place = positions_in(sets.names, names)[sets.members]
    known = place >= 0
    owner = sets.owners[known]
    cells = (1 / sets.sizes[owner], (owner, place[known]))
    by_set = sparse.csr_array(cells, shape=(len(sets.sizes), len(names)))
    return ItemRows(
        released.person[kept],
        estimated_numbers(released, "day"),
        estimated_sales(released),
        by_set[sets.code[kept]],
    )


def monthly_sales_error(true: ItemRows, seen: ItemRows) -> float:
    """Σ |sales′ − sales| / Σ |sales| over items and months."""
    first, second = (_sales_by_month(side) for side in (true, seen))
    months = {*first, *second}
    none = np.zeros(true.weights.shape[1])
    error = sum(np.abs(first.get(m, none) - second.get(m, none)).sum() for m in months)
    sold = sum(np.abs(month_sales).sum() for month_sales in first.values())
    return float(error / sold) if sold else 0.0


def top_item_overlap(true: ItemRows, seen: ItemRows, n: int = TOP_COUNT) -> float:
    """The share of the n items in most rows that are among the n of the release."""
    first, second = ({*_best_selling_items(side, n)} for side in (true, seen))
    return len(first & second) / max(len(first), 1)


def basket_f1(true: ItemRows, seen: ItemRows) -> float:
    """F1 of the pairs of items that people have together; 1 if neither side has any."""
    first, second = (_co_bought_pairs(side) for side in (true, seen))
    both = len(first & second)
    return 2 * both / (len(first) + len(second)) if first or second else 1.0


def next_item_hits(true: ItemRows, seen: ItemRows) -> tuple[float, float]:
    """How often the likeliest next item is among those bought on the next day in the original.

    First with the habits of the original, then with those of the release.
    """
    before, after = _consecutive_visits(true)
    weights = sparse.csr_array(before.multiply(1 / np.maximum(before.sum(axis=1), 1)[:, None]))
    bought = sparse.csr_array(after.astype(bool).astype(float))
    hit_rates = []
    for side in (true, seen):
        earlier, later = _consecutive_visits(side)
        habit = (earlier.T @ later).tocsr()
        guess = np.asarray((weights @ habit).argmax(axis=1)).ravel()
        hit = np.asarray(bought[np.arange(len(guess)), guess]).ravel()
        hit_rates.append(float(hit.mean()) if len(guess) else 0.0)
    return hit_rates[0], hit_rates[1]


def _sales_by_month(rows: ItemRows) -> dict[int, np.ndarray]:
    days = np.rint(rows.day).astype("datetime64[D]")
    months = days.astype("datetime64[M]").astype(np.int64)
    month_sales = {}
    for month in np.unique(months).tolist():
        in_month = months == month
        month_sales[month] = np.asarray(rows.weights[in_month].T @ rows.sales[in_month])
    return month_sales


def _best_selling_items(rows: ItemRows, n: int) -> list[int]:
    totals: np.ndarray = np.asarray(rows.weights.sum(axis=0)).ravel()
    order = np.lexsort((np.arange(len(totals)), -np.round(totals, 6)))
    return [int(item) for item in order[:n] if totals[item] > 0]


def _co_bought_pairs(rows: ItemRows) -> set[tuple[int, int]]:
    """Pairs of items that enough people have, more often together than by chance."""
    people, place = np.unique(rows.person, return_inverse=True)
    owner_matrix = sparse.csr_array(
        (np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(people), len(place))
    )
    log_absence = rows.weights.copy()
    log_absence.data = np.log1p(-np.minimum(log_absence.data, 1 - 1e-12))
    has = 1 - np.exp((owner_matrix @ log_absence).toarray())
    share = has.mean(axis=0)
    frequent = np.flatnonzero(share >= MIN_SUPPORT)
    together = has[:, frequent].T @ has[:, frequent] / len(people)
    lift = together / (share[frequent][:, None] * share[frequent][None, :])
    first, second = np.nonzero(np.triu((together >= MIN_SUPPORT) & (lift >= MIN_LIFT), 1))
    return {(int(frequent[a]), int(frequent[b])) for a, b in zip(first, second, strict=True)}


def _consecutive_visits(rows: ItemRows) -> tuple[ItemWeights, ItemWeights]:
    """For every purchase day of a person but the last: its items, and those of the next one."""
    keys = np.stack([rows.person, np.rint(rows.day).astype(np.int64)], axis=1)
    visits, place = np.unique(keys, axis=0, return_inverse=True)
    place = place.ravel()
    of_visit = sparse.csr_array(
        (np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(visits), len(place))
    )
    items = (of_visit @ rows.weights).tocsr()
    follows = np.flatnonzero(visits[1:, 0] == visits[:-1, 0])
    return items[follows], items[follows + 1]
