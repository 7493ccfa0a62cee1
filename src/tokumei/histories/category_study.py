"""What the choice of item categories does to marketing: losses, and analyses of items.

    found = study_categories(history, {"keywords": categories}, k=6, seed=1)
    [(line.name, line.honest_loss, line.rfm) for line in found]

For every mapping the items are replaced and the history is released; the analyses compare the
replaced original with its release. `no categories` keeps the items. `random` deals the items of the
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
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.cells import codes_in
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.histories.categories.categories import Categories
from tokumei.histories.data.general import GeneralHistory
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

PLAIN, RANDOM = "no categories", "random"


@dataclass(frozen=True)
class StudyLine:
    """One mapping: its categories, both losses, and what is left of each analysis.

    `month_error` over categories and months; `top_kept` of the 20 best sold; `basket_f1` of pairs;
    `next_original` and `next_released`: hits of the next category by either side's habits.
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

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def study_categories(
    history: History,
    mappings: Mapping[str, Categories],
    *,
    k: int = 6,
    method: str = "rank-match",
    seed: int | None = None,
) -> list[StudyLine]:
    """A line for the items themselves, every mapping, and one dealt at random."""
    every = {PLAIN: Categories(PLAIN, {item: item for item in history.item_names}), **mappings}
    if mappings:
        every[RANDOM] = random_categories(next(iter(mappings.values())), seed)
    return [
        _studied(history, name, categories, k, method, seed)
        for name, categories in track(list(every.items()), Text("mappings", "対応表"))
    ]


def random_categories(like: Categories, seed: int | None = None) -> Categories:
    """Categories of the same names and sizes, their items dealt at random."""
    items = sorted(like.of)
    order = Randomness(seed).child("random categories").permutation(len(items))
    dealt = {item: like.of[items[int(place)]] for item, place in zip(items, order, strict=True)}
    return Categories(RANDOM, dealt)


def _studied(
    history: History, name: str, categories: Categories, k: int, method: str, seed: int | None
) -> StudyLine:
    source = history.with_items(categories.of)
    release = anonymize(source, method, seed=seed, k=k)
    true, seen = original_rows(source), released_rows(release.rows, source.item_names)
    original, released = next_hits(true, seen)
    return StudyLine(
        name,
        len(source.item_names),
        history_loss(source, release.rows).loss,
        honest_loss(history, release.rows, categories.of).loss,
        month_error(true, seen),
        top_kept(true, seen),
        basket_f1(true, seen),
        original,
        released,
        Rfm().score(HistoryCase(source, release.rows)).value,
    )


SUPPORT, LIFT = 0.05, 1.2
"""A pair of items is a rule if this share of people has both, so much more often than by chance."""
TOP = 20


@dataclass(frozen=True, eq=False)
class ItemRows:
    """Rows as an analyst takes them; `weights[row, item]` in the order of the items' names."""

    person: np.ndarray
    day: np.ndarray
    sales: np.ndarray
    weights: Any


def original_rows(history: History) -> ItemRows:
    """The rows of an original."""
    rows, items = history.rows, len(history.item_names)
    ones = (np.ones(rows), (np.arange(rows), history.item_codes))
    weights = sparse.csr_array(ones, shape=(rows, items))
    day = history.numbers("day").astype(np.float64)
    return ItemRows(history.customer_codes, day, true_sales(history), weights)


def released_rows(released: GeneralHistory, names: pl.Series) -> ItemRows:
    """The rows that are left; items that `names` lacks count for nothing."""
    kept, sets = released.kept, released.item
    place = codes_in(sets.names, names)[sets.members]
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


def month_error(true: ItemRows, seen: ItemRows) -> float:
    """Σ |sales′ − sales| / Σ |sales| over items and months."""
    first, second = (_by_month(side) for side in (true, seen))
    months = {*first, *second}
    none = np.zeros(true.weights.shape[1])
    wrong = sum(np.abs(first.get(m, none) - second.get(m, none)).sum() for m in months)
    sold = sum(np.abs(one).sum() for one in first.values())
    return float(wrong / sold) if sold else 0.0


def top_kept(true: ItemRows, seen: ItemRows, n: int = TOP) -> float:
    """The share of the n items in most rows that are among the n of the release."""
    first, second = ({*_best(side, n)} for side in (true, seen))
    return len(first & second) / max(len(first), 1)


def basket_f1(true: ItemRows, seen: ItemRows) -> float:
    """F1 of the pairs of items that people have together; 1 if neither side has any."""
    first, second = (_pairs(side) for side in (true, seen))
    both = len(first & second)
    return 2 * both / (len(first) + len(second)) if first or second else 1.0


def next_hits(true: ItemRows, seen: ItemRows) -> tuple[float, float]:
    """How often the likeliest next item is among those bought on the next day in the original.

    First with the habits of the original, then with those of the release.
    """
    before, after = _steps(true)
    weights = before.multiply(1 / np.maximum(before.sum(axis=1), 1)[:, None]).tocsr()
    bought = after.astype(bool).astype(float)
    found = []
    for side in (true, seen):
        earlier, later = _steps(side)
        habit = (earlier.T @ later).tocsr()
        guess = np.asarray((weights @ habit).argmax(axis=1)).ravel()
        hit = np.asarray(bought[np.arange(len(guess)), guess]).ravel()
        found.append(float(hit.mean()) if len(guess) else 0.0)
    return found[0], found[1]


def _by_month(rows: ItemRows) -> dict[int, np.ndarray]:
    days = np.rint(rows.day).astype("datetime64[D]")
    months = days.astype("datetime64[M]").astype(np.int64)
    found = {}
    for month in np.unique(months).tolist():
        here = months == month
        found[month] = np.asarray(rows.weights[here].T @ rows.sales[here])
    return found


def _best(rows: ItemRows, n: int) -> list[int]:
    totals = np.asarray(rows.weights.sum(axis=0)).ravel()
    order = np.lexsort((np.arange(len(totals)), -np.round(totals, 6)))
    return [int(item) for item in order[:n] if totals[item] > 0]


def _pairs(rows: ItemRows) -> set[tuple[int, int]]:
    """Pairs of items that enough people have, more often together than by chance."""
    people, place = np.unique(rows.person, return_inverse=True)
    whose = sparse.csr_array(
        (np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(people), len(place))
    )
    lacks = rows.weights.copy()
    lacks.data = np.log1p(-np.minimum(lacks.data, 1 - 1e-12))
    has = 1 - np.exp((whose @ lacks).toarray())
    share = has.mean(axis=0)
    often = np.flatnonzero(share >= SUPPORT)
    together = has[:, often].T @ has[:, often] / len(people)
    lift = together / (share[often][:, None] * share[often][None, :])
    first, second = np.nonzero(np.triu((together >= SUPPORT) & (lift >= LIFT), 1))
    return {(int(often[a]), int(often[b])) for a, b in zip(first, second, strict=True)}


def _steps(rows: ItemRows) -> tuple[Any, Any]:
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
