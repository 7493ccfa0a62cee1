"""What to do with released rows whose QI vector nobody has: search everyone."""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.candidates import NOBODY, Candidates


def with_everyone(found: Candidates, known: int) -> Candidates:
    """Released rows without a match get the set of all known rows."""
    lost = found.group == NOBODY
    if not lost.any():
        return found
    group = np.where(lost, len(found.start) - 1, found.group)
    start = np.append(found.start, found.start[-1] + known)
    return Candidates(group, start, np.concatenate([found.rows, np.arange(known)]))
