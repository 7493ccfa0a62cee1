"""Linking people of two releases by what they do again and again: purchases, for example.

Every class has a profile, how often a value occurs in a column: log(1 + times) · √log(classes /
classes with the value), of length one. Profiles are compared by their cosines, added up over the
columns; who is guessed is one of the people of the class of the second release that is most alike.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.ledger.together import Together

MOST_PAIRS = 400_000_000
"""More pairs of classes are not compared."""
BLOCK = 512
ALIKE = 1e-9


def profile_links(all_: Together, pair: tuple[int, int], people: np.ndarray) -> float | None:
    """The expected share of people who are found by their profiles; None where there are none."""
    shown = [all_.releases[one].profile for one in pair]
    first, second = shown
    if first is None or second is None:
        return None
    sizes = [int(all_.classes[:, one].max(initial=-1)) + 1 for one in pair]
    if float(sizes[0]) * sizes[1] > MOST_PAIRS:
        return None
    columns = sorted(set(first["column"]) & set(second["column"]))
    parts = [_vectors(first, second, column, sizes) for column in columns]
    known = all_.classes[all_.place[:, pair[1]] >= 0, pair[1]]
    many = np.bincount(known, minlength=sizes[1])
    own = all_.classes[people, pair[0]], all_.classes[people, pair[1]]
    return float(_chances(parts, many, *own).mean())


def _chances(
    parts: list[tuple[sparse.csr_array, sparse.csr_array]],
    many: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> np.ndarray:
    """For people in classes of both, how likely a guess by profiles is right."""
    found = np.zeros(len(first))
    order = np.argsort(first, kind="stable")
    for begin in range(0, len(order), BLOCK):
        rows = order[begin : begin + BLOCK]
        scores = np.zeros((len(rows), len(many)))
        for left, right in parts:
            scores += (left[first[rows]] @ right.T).toarray()
        scores[:, many == 0] = -1.0
        best = scores >= scores.max(axis=1, keepdims=True) - ALIKE
        inside = best[np.arange(len(rows)), second[rows]]
        found[rows] = inside / (best @ many)
    return found


def _vectors(
    first: pl.DataFrame, second: pl.DataFrame, column: int, sizes: list[int]
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Classes × values of both releases, weighted by rarity, of length one."""
    both = [one.filter(pl.col("column") == column) for one in (first, second)]
    _, place = np.unique(
        np.concatenate([one["value"].to_numpy() for one in both]), return_inverse=True
    )
    width = int(place.max(initial=-1)) + 1
    at = np.split(place, [both[0].height])
    tables = [
        sparse.csr_array(
            (np.log1p(one["rows"].to_numpy()), (one["class"].to_numpy(), where)),
            shape=(size, width),
        )
        for one, where, size in zip(both, at, sizes, strict=True)
    ]
    owners = np.bincount(place, minlength=width)
    rarity = sparse.diags_array(np.sqrt(np.log(max(sum(sizes), 1) / np.maximum(owners, 1))))
    left, right = (_unit(one @ rarity) for one in tables)
    return left, right


def _unit(table: sparse.csr_array) -> sparse.csr_array:
    length = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.where(length > 0, length, 1.0)) @ table)
