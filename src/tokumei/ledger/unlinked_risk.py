"""Risk from a coalition that holds public files and cannot link rows.

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

from tokumei.ledger.class_membership import ClassMembership, JsonFigures
from tokumei.ledger.linked_risk import group_by_classes
from tokumei.ledger.recorded_classes import RecordedClasses

PROBABLE_POSTERIOR = 0.9
MAX_HISTOGRAM_CELLS = 150_000_000
"""Patterns of people × different values: beyond, the figures stay unknown, and it is said."""


@dataclass(frozen=True)
class UnlinkedRisk(JsonFigures):
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


def unlinked_risk(
    membership: ClassMembership, chosen: Sequence[int], sensitive: int
) -> UnlinkedRisk | None:
    """The worst of the sensitive columns; None where there is none, or nothing is known."""
    by_column = [
        risk
        for column in range(sensitive)
        if (risk := _column_risk(membership, chosen, column)) is not None
    ]
    return max(by_column, key=lambda risk: (risk.certain, risk.probable), default=None)


def value_histograms(release: RecordedClasses, column: int, values: np.ndarray) -> np.ndarray:
    """Rows of every pattern of people by value: h[f, s] over the classes that fit."""
    fits = release.patterns
    column_values = release.values.filter(pl.col("column") == column)
    classes = 1 + max(
        int(fits.classes.max(initial=-1)), int(column_values["class"].to_numpy().max(initial=-1))
    )
    rows = np.zeros((classes, len(values)), dtype=np.float32)
    value_index = np.searchsorted(values, column_values["value"].to_numpy())
    rows[column_values["class"].to_numpy(), value_index] = column_values["rows"].to_numpy()
    return _sum_over_patterns(rows, fits.start, fits.classes)


def _sum_over_patterns(rows: np.ndarray, start: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The sums over every pattern's classes."""
    sums = np.zeros((len(start) - 1, rows.shape[1]), dtype=np.float32)
    non_empty = np.flatnonzero(np.diff(start) > 0)
    if len(non_empty):
        sums[non_empty] = np.add.reduceat(rows[classes], start[non_empty], axis=0)
    return sums


def _column_risk(
    membership: ClassMembership, chosen: Sequence[int], column: int
) -> UnlinkedRisk | None:
    people = np.flatnonzero(membership.present(chosen))
    fits = np.column_stack([membership.taken("fit", item, people) for item in chosen])
    is_known = (fits >= 0).all(axis=1)
    left_out = int((~is_known).sum())
    people, fits = people[is_known], fits[is_known]
    if not len(people):
        return None
    releases = [membership.releases[item] for item in chosen]
    values = np.unique(
        np.concatenate(
            [item.values.filter(pl.col("column") == column)["value"] for item in releases]
        )
    )
    # People who fit the same classes everywhere are looked at once.
    grouped = group_by_classes(list(fits.T))
    widest = max(len(grouped.sizes), *(item.fits.height + item.values.height for item in releases))
    if widest * len(values) > MAX_HISTOGRAM_CELLS:
        return None
    first = np.zeros(len(grouped.sizes), dtype=np.int64)
    first[grouped.group] = np.arange(len(people))
    histograms_by_release = [value_histograms(item, column, values) for item in releases]
    pattern_histograms = [h[fits[first, i]] for i, h in enumerate(histograms_by_release)]
    totals = [item.values.filter(pl.col("column") == column) for item in releases]
    value_shares = np.zeros(len(values))
    for item in totals:
        np.add.at(
            value_shares, np.searchsorted(values, item["value"].to_numpy()), item["rows"].to_numpy()
        )
    posteriors = _posterior_by_pattern(pattern_histograms, value_shares / value_shares.sum())
    true_values = np.column_stack([membership.own(column, item, people) for item in chosen])
    return _summarize_posteriors(
        posteriors, pattern_histograms, grouped.group, values, true_values, left_out
    )


def _posterior_by_pattern(
    pattern_histograms: Sequence[np.ndarray], value_shares: np.ndarray
) -> np.ndarray:
    """What is believed of every pattern; all zero where no value is in all releases."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log = sum(np.log(h) for h in pattern_histograms) - (len(pattern_histograms) - 1) * np.log(
            value_shares
        )
        best = log.max(axis=1, keepdims=True)
        weight = np.where(np.isfinite(best), np.exp(log - best), 0.0)
        total = weight.sum(axis=1, keepdims=True)
        return np.asarray(np.where(total > 0, weight / total, 0.0))


def _summarize_posteriors(
    posteriors: np.ndarray,
    pattern_histograms: Sequence[np.ndarray],
    group: np.ndarray,
    values: np.ndarray,
    true_values: np.ndarray,
    left_out: int,
) -> UnlinkedRisk:
    in_all_releases = np.logical_and.reduce([h > 0 for h in pattern_histograms])
    possible_counts = in_all_releases.sum(axis=1)
    guess, before = (
        values[histogram.argmax(axis=1)] for histogram in (posteriors, pattern_histograms[0])
    )
    certain, probable = (
        (possible_counts == 1)[group],
        (posteriors.max(axis=1) >= PROBABLE_POSTERIOR)[group],
    )
    right = guess[group] == true_values[:, -1]
    is_unchanged = (true_values == true_values[:, :1]).all(axis=1)
    true_index = np.minimum(np.searchsorted(values, true_values[:, -1]), len(values) - 1)
    truth = in_all_releases[group, true_index] & (values[true_index] == true_values[:, -1])
    return UnlinkedRisk(
        len(group),
        left_out,
        float(certain.mean()),
        _share_or_none(right, certain),
        float(probable.mean()),
        _share_or_none(right, probable),
        float((before[group] == true_values[:, -1]).mean()),
        float(right.mean()),
        float((possible_counts == 0)[group].mean()),
        _share_or_none(truth, is_unchanged),
    )


def _share_or_none(is_hit: np.ndarray, selected: np.ndarray) -> float | None:
    return float(is_hit[selected].mean()) if selected.any() else None
