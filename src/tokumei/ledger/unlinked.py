"""What a coalition learns that holds public files only, and cannot tell which rows are one person.

The attacker knows p's quasi-identifiers and that p is in all releases. S_i(p): the values in the
classes of release i that fit p. A value is certain if ∩ S_i(p) holds it alone; it is probable if
its posterior ∝ Π_i h_i(s) / q(s)^(m−1) is at least .9, h_i(s) the share of s in the classes of i
that fit, q(s) its share in all of them (Ganta et al. 2008). Posteriors are over-confident, so it is
told how many of the probable values are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.ledger.classes import Recorded
from tokumei.ledger.linked import joint
from tokumei.ledger.together import Figures, Together

PROBABLE = 0.9
MOST_CELLS = 150_000_000
"""Patterns of people × different values: beyond, the figures stay unknown, and it is said."""


@dataclass(frozen=True)
class Unlinked(Figures):
    """Shares of the people in all releases whose classes are known; `right`: of those shares."""

    people: int
    left_out: int
    certain: float
    certain_right: float | None
    probable: float
    probable_right: float | None
    guess_before: float
    guess: float
    changed: float
    """No value is in all releases: it changed between them."""
    truth_inside: float | None
    """Of people whose value did not change: whether it is in the intersection (it must be)."""


def unlinked_figures(all_: Together, chosen: Sequence[int], sensitive: int) -> Unlinked | None:
    """The worst of the sensitive columns; None where there is none, or nothing is known."""
    found = [one for c in range(sensitive) if (one := _of_column(all_, chosen, c)) is not None]
    return max(found, key=lambda one: (one.certain, one.probable), default=None)


def histograms(release: Recorded, column: int, values: np.ndarray) -> np.ndarray:
    """Rows of every pattern of people by value: h[f, s] over the classes that fit."""
    fits = release.patterns
    of = release.values.filter(pl.col("column") == column)
    classes = 1 + max(
        int(fits.classes.max(initial=-1)), int(of["class"].to_numpy().max(initial=-1))
    )
    rows = np.zeros((classes, len(values)), dtype=np.float32)
    place = np.searchsorted(values, of["value"].to_numpy())
    rows[of["class"].to_numpy(), place] = of["rows"].to_numpy()
    return _summed(rows, fits.start, fits.classes)


def _summed(rows: np.ndarray, start: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The sums over every pattern's classes."""
    found = np.zeros((len(start) - 1, rows.shape[1]), dtype=np.float32)
    some = np.flatnonzero(np.diff(start) > 0)
    if len(some):
        found[some] = np.add.reduceat(rows[classes], start[some], axis=0)
    return found


def _of_column(all_: Together, chosen: Sequence[int], column: int) -> Unlinked | None:
    people = np.flatnonzero(all_.present(chosen))
    fits = np.column_stack([all_.taken("fit", one, people) for one in chosen])
    known = (fits >= 0).all(axis=1)
    left_out = int((~known).sum())
    people, fits = people[known], fits[known]
    if not len(people):
        return None
    used = [all_.releases[one] for one in chosen]
    values = np.unique(
        np.concatenate([one.values.filter(pl.col("column") == column)["value"] for one in used])
    )
    # People who fit the same classes everywhere are looked at once.
    grouped = joint(list(fits.T))
    widest = max(len(grouped.sizes), *(one.fits.height + one.values.height for one in used))
    if widest * len(values) > MOST_CELLS:
        return None
    first = np.zeros(len(grouped.sizes), dtype=np.int64)
    first[grouped.group] = np.arange(len(people))
    shown = [histograms(one, column, values) for one in used]
    seen = [h[fits[first, i]] for i, h in enumerate(shown)]
    totals = [one.values.filter(pl.col("column") == column) for one in used]
    share = np.zeros(len(values))
    for one in totals:
        np.add.at(share, np.searchsorted(values, one["value"].to_numpy()), one["rows"].to_numpy())
    told = _posterior(seen, share / share.sum())
    own = np.column_stack([all_.own(column, one, people) for one in chosen])
    return _figures(told, seen, grouped.group, values, own, left_out)


def _posterior(seen: Sequence[np.ndarray], share: np.ndarray) -> np.ndarray:
    """What is believed of every pattern; all zero where no value is in all releases."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log = sum(np.log(h) for h in seen) - (len(seen) - 1) * np.log(share)
        best = log.max(axis=1, keepdims=True)
        weight = np.where(np.isfinite(best), np.exp(log - best), 0.0)
        total = weight.sum(axis=1, keepdims=True)
        return np.asarray(np.where(total > 0, weight / total, 0.0))


def _figures(
    told: np.ndarray,
    seen: Sequence[np.ndarray],
    group: np.ndarray,
    values: np.ndarray,
    own: np.ndarray,
    left_out: int,
) -> Unlinked:
    inside = np.logical_and.reduce([h > 0 for h in seen])
    many = inside.sum(axis=1)
    guess, before = (values[one.argmax(axis=1)] for one in (told, seen[0]))
    certain, probable = (many == 1)[group], (told.max(axis=1) >= PROBABLE)[group]
    right = guess[group] == own[:, -1]
    steady = (own == own[:, :1]).all(axis=1)
    place = np.minimum(np.searchsorted(values, own[:, -1]), len(values) - 1)
    truth = inside[group, place] & (values[place] == own[:, -1])
    return Unlinked(
        len(group),
        left_out,
        float(certain.mean()),
        _share(right, certain),
        float(probable.mean()),
        _share(right, probable),
        float((before[group] == own[:, -1]).mean()),
        float(right.mean()),
        float((many == 0)[group].mean()),
        _share(truth, steady),
    )


def _share(which: np.ndarray, of: np.ndarray) -> float | None:
    return float(which[of].mean()) if of.any() else None
