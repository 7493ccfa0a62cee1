"""Whether what a team says of its rows can be true.

    link_refuted(original, public, link, seen)

A row refutes its link if its values show one person for certain (`recognition.py`), the link names
another, and that other's QI do not fit the row: methods that leave the QI true, or generalize,
unify or exchange within them, never come there. Where half of the released rows do, the link as a
whole is a tale: it says nothing of the other rows either, and every row counts as found.
"""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.candidates import consistent_vector
from tokumei.tables.data.guess import ABSTAIN, Guess
from tokumei.tables.data.table import Table

REFUTED = 0.5
"""The share of the released rows whose values must speak against the link."""


def link_refuted(original: Table, public: Table, link: np.ndarray, shown: np.ndarray) -> bool:
    """Whether values speak against the link in at least half of the rows."""
    against = np.flatnonzero((shown != ABSTAIN) & (shown != link))
    if len(against) < REFUTED * public.rows:
        return False
    fitting = _fits(original, public, against, link[against])
    return bool(len(against) - np.count_nonzero(fitting) >= REFUTED * public.rows)


def _fits(original: Table, public: Table, rows: np.ndarray, people: np.ndarray) -> np.ndarray:
    """Whether each person's QI fit the released row; a QI with one value in S tells nothing."""
    varying = [name for name in original.schema.qi if public.frame[name].n_unique() > 1]
    if not varying:
        return np.zeros(len(rows), dtype=bool)
    found = consistent_vector(public.frame[rows], original.frame, varying, strict=False)
    return _among(found, people, original.rows)


def _among(found: Guess, people: np.ndarray, known: int) -> np.ndarray:
    """Whether each row's set of candidates holds this person."""
    sizes = np.diff(found.start)
    pairs = np.repeat(np.arange(len(sizes)), sizes) * known + found.rows
    inside: np.ndarray = np.isin(found.group * known + people, pairs) & (found.group != ABSTAIN)
    return inside
