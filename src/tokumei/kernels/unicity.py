"""Whom a few points single out (compiled)."""

from __future__ import annotations

import numpy as np

from tokumei.kernels.compiled import compiled


@compiled
def nobody_else(
    people: np.ndarray,
    drawn: np.ndarray,
    starts: np.ndarray,
    points: np.ndarray,
    holder_starts: np.ndarray,
    holders: np.ndarray,
) -> np.ndarray:
    """Ask the holders of the rarest point, one by one, until one has all the others too."""
    alone = np.ones(len(people), dtype=np.bool_)
    for line in range(len(people)):
        rarest = drawn[line, 0]
        for point in drawn[line]:
            held = holder_starts[point + 1] - holder_starts[point]
            if held < holder_starts[rarest + 1] - holder_starts[rarest]:
                rarest = point
        for other in holders[holder_starts[rarest] : holder_starts[rarest + 1]]:
            if other == people[line]:
                continue
            own = points[starts[other] : starts[other + 1]]
            has_all = True
            for point in drawn[line]:
                place = np.searchsorted(own, point)
                has_all = place < len(own) and own[place] == point
                if not has_all:
                    break
            if has_all:
                alone[line] = False
                break
    return alone
