"""Which exchanges of two customers look best, without aligning any rows.

    view = look(lengths, pair_cost, members, cost, slots)
    score, other = promising(lengths, pair_cost, view, cost, k, changed, tried)
    learn(lengths, pair_cost, view, exchanges, seen, members, share=0.5)

A cluster's matched rows are predicted to cost `rate` times the sum of its pair costs, where the
rate is such that the prediction is right for the cluster as it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.aligned.cost import COLUMNS
from tokumei.kernels.compiled import compiled

KEPT = 4
"""Exchanges remembered for each customer."""


class Outlook(NamedTuple):
    """What predictions need to know of the clusters."""

    line: np.ndarray
    """The cluster of each customer; the number of clusters for the dropped ones."""
    link: np.ndarray
    """Sum of the pair costs of each customer (line) with all members of a cluster (column)."""
    inner: np.ndarray
    """Sum of the pair costs inside each cluster."""
    rows: np.ndarray
    low: np.ndarray
    """The two shortest lengths in each cluster."""
    matched: np.ndarray
    """What the groups of each cluster cost without deleted rows."""
    rate: np.ndarray


@compiled
def look(
    lengths: np.ndarray,
    pair_cost: np.ndarray,
    members: np.ndarray,
    cost: np.ndarray,
    slots: np.ndarray,
) -> Outlook:
    """Sum up the clusters."""
    clusters, k = members.shape
    line = np.full(lengths.size, clusters, np.int64)
    link = np.zeros((lengths.size, clusters))
    inner, rows = np.zeros(clusters), np.zeros(clusters, np.int64)
    low = np.empty((clusters, 2), np.int64)
    matched, rate = np.empty(clusters), np.empty(clusters)
    for g in range(clusters):
        low[g] = np.sort(lengths[members[g]])[:2]
        for member in members[g]:
            line[member] = g
            rows[g] += lengths[member]
            for c in range(lengths.size):
                link[c, g] += pair_cost[member, c]
        for member in members[g]:
            inner[g] += link[member, g] / 2
        matched[g] = cost[g] - COLUMNS * (rows[g] - k * slots[g])
        rate[g] = matched[g] / (COLUMNS * k * slots[g]) / max(inner[g], 1e-9)
    return Outlook(line, link, inner, rows, low, matched, rate)


@compiled
def promising(
    lengths: np.ndarray,
    pair_cost: np.ndarray,
    view: Outlook,
    cost: np.ndarray,
    k: int,
    changed: np.ndarray,
    tried: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """For each customer the exchanges with the least predicted rise, relative to what is matched.

    `tried[a, b]` says when an exchange was last refused and `changed[g]` when a cluster last
    changed: nothing is proposed again as long as both clusters stay the same.
    """
    n, clusters = lengths.size, cost.size
    score, other = np.full((n, KEPT), np.inf), np.full((n, KEPT), -1, np.int64)
    for a in range(n):
        g = view.line[a]
        for b in range(a + 1, n):
            h = view.line[b]
            if g == h or tried[a, b] > max(changed[g], changed[h]):
                continue
            scale = 1.0
            rise = 0.0
            if g < clusters:
                rise += _with(lengths, pair_cost, view, a, b, g, k) - cost[g]
                scale += view.matched[g]
            else:
                rise += COLUMNS * (lengths[b] - lengths[a])
            if h < clusters:
                rise += _with(lengths, pair_cost, view, b, a, h, k) - cost[h]
                scale += view.matched[h]
            else:
                rise += COLUMNS * (lengths[a] - lengths[b])
            if rise < scale * score[a, KEPT - 1]:
                _remember(score[a], other[a], rise / scale, b)
    return score, other


@compiled
def _remember(score: np.ndarray, other: np.ndarray, value: float, b: int) -> None:
    place = KEPT - 1
    while place > 0 and value < score[place - 1]:
        score[place] = score[place - 1]
        other[place] = other[place - 1]
        place -= 1
    score[place] = value
    other[place] = b


@compiled
def _shortest(lengths: np.ndarray, view: Outlook, a: int, b: int, g: int) -> int:
    """The shortest history of cluster g with b instead of a."""
    rest = view.low[g, 1] if lengths[a] == view.low[g, 0] else view.low[g, 0]
    return int(min(rest, lengths[b]))


@compiled
def _with(
    lengths: np.ndarray, pair_cost: np.ndarray, view: Outlook, a: int, b: int, g: int, k: int
) -> float:
    """The predicted cost of cluster g with b instead of a."""
    least = _shortest(lengths, view, a, b, g)
    pair_sum = view.inner[g] - view.link[a, g] + view.link[b, g] - pair_cost[a, b]
    rows = view.rows[g] - lengths[a] + lengths[b]
    return float(COLUMNS * (rows - k * least * (1.0 - min(1.0, view.rate[g] * pair_sum))))


@compiled
def learn(
    lengths: np.ndarray,
    pair_cost: np.ndarray,
    view: Outlook,
    exchanges: np.ndarray,
    seen: np.ndarray,
    members: np.ndarray,
    share: float,
) -> None:
    """Correct the newcomers' pair costs by a share of what tried exchanges showed to be wrong."""
    clusters, k = members.shape
    for n in range(len(exchanges)):
        for side in range(2):
            a, b, g = exchanges[n, side], exchanges[n, 1 - side], exchanges[n, 2 + side]
            if g == clusters or view.rate[g] <= 1e-9:
                continue
            least = _shortest(lengths, view, a, b, g)
            rows = view.rows[g] - lengths[a] + lengths[b]
            matched = (seen[n, side] - COLUMNS * (rows - k * least)) / (COLUMNS * k * least)
            expected = view.inner[g] - view.link[a, g] + view.link[b, g] - pair_cost[a, b]
            step = share * (matched / view.rate[g] - expected) / (k - 1)
            for c in members[g]:
                if c != a:
                    pair_cost[b, c] = max(pair_cost[b, c] + step, 0.0)
                    pair_cost[c, b] = pair_cost[b, c]
