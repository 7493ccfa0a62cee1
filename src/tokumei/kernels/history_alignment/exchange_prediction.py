"""Which exchanges of two customers look best, without aligning any rows.

A cluster's matched rows are predicted to cost `rate` times the sum of its pair costs, where the
rate is such that the prediction is right for the cluster as it is.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import float as single
from cython import int as small
from cython import longlong as whole

from tokumei.kernels.history_alignment.group_cost import COLUMNS


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class Outlook:
    """What predictions need to know of the clusters: see `kernels/history_alignment`."""

    lengths: whole[::1]
    pair_cost: single[:, ::1]
    members: whole[:, ::1]
    line: whole[::1]
    link: real[:, ::1]
    home: real[::1]
    away: real[::1]
    inner: real[::1]
    rows: whole[::1]
    low: whole[:, ::1]
    matched: real[::1]
    rate: real[::1]


def look(o: Outlook, cost: real[::1], slots: whole[::1]) -> None:
    """Sum up the clusters; the sums are 0 before."""
    with cython.nogil:
        for g in range(o.members.shape[0]):
            _sum_cluster(o, g, cost[g], slots[g])


@cython.cfunc
def _sum_cluster(o: Outlook, g: whole, cost: real, slots: whole) -> cython.void:
    k = o.members.shape[1]
    for p in range(k):
        member = o.members[g, p]
        o.line[member] = g
        o.rows[g] += o.lengths[member]
        _update_two_shortest(o, g, o.lengths[member])
        for c in range(o.lengths.shape[0]):
            o.link[g, c] += o.pair_cost[member, c]
    for p in range(k):
        o.home[o.members[g, p]] = o.link[g, o.members[g, p]]
        o.inner[g] += o.link[g, o.members[g, p]] / 2
    o.matched[g] = cost - COLUMNS * (o.rows[g] - k * slots)
    o.rate[g] = o.matched[g] / (COLUMNS * k * slots) / max(o.inner[g], 1e-9)


@cython.cfunc
def _update_two_shortest(o: Outlook, g: whole, rows: whole) -> cython.void:
    """Keep the two shortest."""
    if rows < o.low[g, 0]:
        o.low[g, 0], o.low[g, 1] = rows, o.low[g, 0]
    elif rows < o.low[g, 1]:
        o.low[g, 1] = rows


def promising(
    o: Outlook,
    cost: real[::1],
    changed: small[::1],
    tried: small[:, ::1],
    score: real[:, ::1],
    other: whole[:, ::1],
) -> None:
    """For each customer the exchanges with the least predicted rise, relative to what is matched.

    `tried[a, b]` says when an exchange was last refused and `changed[g]` when a cluster last
    changed: nothing is proposed again as long as both clusters stay the same.
    """
    with cython.nogil:
        for a in range(o.lengths.shape[0]):
            for h in range(cost.shape[0]):
                o.away[h] = o.link[h, a]
            for b in range(a + 1, o.lengths.shape[0]):
                g, h = o.line[a], o.line[b]
                if g != h and tried[a, b] <= max(changed[g], changed[h]):
                    _rate_exchange(o, cost, a, b, score, other)


@cython.cfunc
def _rate_exchange(
    o: Outlook, cost: real[::1], a: whole, b: whole, score: real[:, ::1], other: whole[:, ::1]
) -> cython.void:
    """Remember the exchange of a and b if it is one of the best of a.

    All that is looked up for one a stands side by side: `away` are its links to all clusters.
    """
    scale: real = 1.0
    rise: real = 0.0
    g, h = o.line[a], o.line[b]
    if g < cost.shape[0]:
        sum_g = o.inner[g] - o.home[a] + o.link[g, b] - o.pair_cost[a, b]
        rise += _predicted_cost(o, a, b, g, sum_g) - cost[g]
        scale += o.matched[g]
    else:
        rise += COLUMNS * (o.lengths[b] - o.lengths[a])
    if h < cost.shape[0]:
        sum_h = o.inner[h] - o.home[b] + o.away[h] - o.pair_cost[a, b]
        rise += _predicted_cost(o, b, a, h, sum_h) - cost[h]
        scale += o.matched[h]
    else:
        rise += COLUMNS * (o.lengths[a] - o.lengths[b])
    place: whole = score.shape[1] - 1
    if rise < scale * score[a, place]:
        value = rise / scale
        while place > 0 and value < score[a, place - 1]:
            score[a, place] = score[a, place - 1]
            other[a, place] = other[a, place - 1]
            place -= 1
        score[a, place] = value
        other[a, place] = b


@cython.cfunc
def _shortest_after_exchange(o: Outlook, a: whole, b: whole, g: whole) -> whole:
    """The shortest history of cluster g with b instead of a."""
    left: whole = o.low[g, 1] if o.lengths[a] == o.low[g, 0] else o.low[g, 0]
    return min(left, o.lengths[b])


@cython.cfunc
def _pair_sum(o: Outlook, a: whole, b: whole, g: whole) -> real:
    """The pair costs inside cluster g with b instead of a."""
    return o.inner[g] - o.link[g, a] + o.link[g, b] - o.pair_cost[a, b]


@cython.cfunc
def _predicted_cost(o: Outlook, a: whole, b: whole, g: whole, pair_sum: real) -> real:
    """The predicted cost of cluster g with b instead of a, and so the pair costs inside."""
    matched = o.members.shape[1] * _shortest_after_exchange(o, a, b, g)
    rows = o.rows[g] - o.lengths[a] + o.lengths[b]
    return COLUMNS * (rows - matched * (1.0 - min(1.0, o.rate[g] * pair_sum)))


def learn(o: Outlook, exchanges: whole[:, ::1], seen: real[:, ::1], share: real) -> None:
    """Correct the newcomers' pair costs by a share of what tried exchanges showed to be wrong."""
    with cython.nogil:
        for n in range(exchanges.shape[0]):
            for side in range(2):
                a, b, g = exchanges[n, side], exchanges[n, 1 - side], exchanges[n, 2 + side]
                if g < o.members.shape[0] and o.rate[g] > 1e-9:
                    _correct_pair_costs(o, a, b, g, seen[n, side], share)


@cython.cfunc
def _correct_pair_costs(
    o: Outlook, a: whole, b: whole, g: whole, seen: real, share: real
) -> cython.void:
    k = o.members.shape[1]
    least_rows = _shortest_after_exchange(o, a, b, g)
    rows = o.rows[g] - o.lengths[a] + o.lengths[b]
    matched = (seen - COLUMNS * (rows - k * least_rows)) / (COLUMNS * k * least_rows)
    step = share * (matched / o.rate[g] - _pair_sum(o, a, b, g)) / (k - 1)
    for p in range(k):
        c = o.members[g, p]
        if c != a:
            corrected: single = max(o.pair_cost[b, c] + step, 0.0)
            o.pair_cost[b, c] = corrected
            o.pair_cost[c, b] = corrected
