"""Builds categories of items that the same customers buy.

categories = co_purchase_categories(purchases, number=19, seed=0)   # columns customer, item

Every item is a direction in the space of customers, where one who buys few different items
weighs more. The strongest common directions (truncated SVD) are kept and grouped by spherical
k-means. A category is named after its most bought item: "like 85123A".
"""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import sparse
from scipy.sparse.linalg import svds

from tokumei.core.randomness import Randomness
from tokumei.histories.categories.mapping import Categories

_SVD_COMPONENTS = 50
_DENSE_SVD_LIMIT = 200
_ZERO_LENGTH = 1e-9


def co_purchase_categories(
    purchases: pl.DataFrame, *, number: int = 19, seed: int = 0
) -> Categories:
    """At most `number` categories of the items in a frame with columns `customer`, `item`.

    The order of the rows does not matter, and the same seed gives the same categories.
    """
    pairs = purchases.select("customer", "item").unique().sort("item", "customer")
    items, weights = _item_customer_weights(pairs)
    randomness = Randomness(seed).child("co-purchase")
    labels = spherical_kmeans(
        svd_directions(weights, randomness), number=number, randomness=randomness
    )
    return _name_categories(items, labels, pairs)


def _item_customer_weights(pairs: pl.DataFrame) -> tuple[pl.Series, sparse.csr_array]:
    """Items × customers, rows of length 1; a customer of many items weighs little."""
    items, customers = (pairs[name].rank("dense").to_numpy() - 1 for name in ("item", "customer"))
    names = pairs["item"].unique(maintain_order=True)
    bought = np.bincount(customers.astype(np.int64))
    cells = np.log1p(len(names) / bought)[customers] if len(pairs) else np.zeros(0)
    matrix = sparse.csr_array((cells, (items, customers)), shape=(len(names), len(bought)))
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return names, sparse.csr_array(sparse.diags_array(1 / lengths) @ matrix)


def svd_directions(weights: sparse.csr_array, randomness: Randomness) -> np.ndarray:
    """The rows seen along the strongest common directions, each of length 1 (or 0)."""
    if min(weights.shape) <= _DENSE_SVD_LIMIT:
        left, strengths, _ = np.linalg.svd(weights.toarray(), full_matrices=False)
        left, strengths = left[:, :_SVD_COMPONENTS], strengths[:_SVD_COMPONENTS]
    else:
        start = randomness.child("svd").generator.standard_normal(min(weights.shape))
        left, strengths, _ = svds(weights, k=_SVD_COMPONENTS, v0=start)
    projected: np.ndarray = left * strengths
    lengths = np.linalg.norm(projected, axis=1, keepdims=True)
    return np.where(lengths > _ZERO_LENGTH, projected / np.maximum(lengths, _ZERO_LENGTH), 0.0)


def _name_categories(items: pl.Series, labels: np.ndarray, pairs: pl.DataFrame) -> Categories:
    buyers = pairs.group_by("item").len("buyers")
    table = pl.DataFrame({"item": items, "label": labels}).join(buyers, on="item")
    first = pl.col("item").sort_by(["buyers", "item"], descending=[True, False]).first()
    with_category = table.with_columns(category=pl.lit("like ") + first.over("label"))
    return Categories(
        "co-purchase", dict(with_category.sort("item").select("item", "category").rows())
    )


_KMEANS_STARTS = 4
_KMEANS_ROUNDS = 100
_SAME_DIRECTION = 1e-12


def spherical_kmeans(rows: np.ndarray, *, number: int, randomness: Randomness) -> np.ndarray:
    """A group for every row, at most `number` of them (fewer if fewer rows differ).

    Spherical k-means: rows are compared by the cosine of their angle. Starting centres are drawn
    far apart (k-means++), a few times; the grouping with the greatest total cosine is kept.
    """
    best, best_total = np.zeros(len(rows), dtype=np.int64), -np.inf
    for start in range(_KMEANS_STARTS if len(rows) else 0):
        centres = draw_first_centres(rows, number, randomness.child("start", start).generator)
        labels, total = run_kmeans(rows, centres)
        if total > best_total:
            best, best_total = labels, total
    return best


def draw_first_centres(rows: np.ndarray, number: int, generator: np.random.Generator) -> np.ndarray:
    """Rows drawn with a chance that grows with their distance from those drawn before."""
    chosen = [int(generator.integers(len(rows)))]
    distances = np.full(len(rows), np.inf)
    while len(chosen) < number:
        distances = np.minimum(distances, np.clip(1 - rows @ rows[chosen[-1]], 0, None))
        cumulative = np.cumsum(np.where(distances > _SAME_DIRECTION, distances, 0))
        if cumulative[-1] == 0:
            break
        chosen.append(
            int(np.searchsorted(cumulative, generator.random() * cumulative[-1], side="right"))
        )
    return rows[chosen]


def run_kmeans(rows: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, float]:
    """Assign rows to centres and move centres to their rows until nothing changes."""
    labels = np.full(len(rows), -1)
    for _ in range(_KMEANS_ROUNDS):
        cosines = rows @ centres.T
        nearest = cosines.argmax(axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        centres = _update_centres(rows, labels, centres)
    return labels, float(cosines.max(axis=1).sum())


def _update_centres(rows: np.ndarray, labels: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """The mean direction of every group; a group without rows or direction keeps its centre."""
    sums = np.zeros_like(centres)
    np.add.at(sums, labels, rows)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths > _SAME_DIRECTION, sums / np.maximum(lengths, _SAME_DIRECTION), centres)
