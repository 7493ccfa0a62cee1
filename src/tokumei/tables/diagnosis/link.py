"""C: does the claimed link tell the truth? And the likeliest link when it does not."""

from __future__ import annotations

import numpy as np

from tokumei.core.text import Text
from tokumei.tables.attackers.assign import assign_in_sets
from tokumei.tables.attackers.candidates import consistent_vector
from tokumei.tables.attackers.fallback import with_everyone
from tokumei.tables.attackers.values import sa_values, scales
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import ABSTAIN, Knowledge
from tokumei.tables.diagnosis.columns import Look, conflicts
from tokumei.tables.diagnosis.evidence import Evidence

MIN_SHARE = 0.005
MOSTLY = 0.5


def link_evidence(case: Comparison, looks: list[Look]) -> tuple[list[Evidence], np.ndarray]:
    """Evidence for C, and the link to use for everything else."""
    broken = conflicts(case, looks)
    moved = _moved_whole(case)
    if moved.any() and moved.sum() > MOSTLY * _changed(case).sum():
        broken |= moved
    if not broken.any():
        return [], case.link
    share, exact = float(broken.mean()), float(moved[broken].mean())
    # A stray contradiction may be an error in the data; one that is another's row is not.
    if share < MIN_SHARE and exact < MOSTLY:
        return [], case.link
    evidence = Evidence(
        "C",
        Text(
            f"{share:.0%} of the rows contradict the row they are linked to"
            + (f"; {exact:.0%} of those equal another original row" if exact else ""),
            f"{share:.0%} の行が対応先の行と矛盾しています"
            + (f"。うち {exact:.0%} は別の元の行と一致します" if exact else ""),
        ),
        share,
    )
    return [evidence], likely_link(case, looks)


def likely_link(case: Comparison, looks: list[Look]) -> np.ndarray:
    """The link an attacker would infer: QI that fit, then the cheapest assignment by SA."""
    names = [look.name for look in looks if not look.unified]
    found = consistent_vector(case.released.frame, case.original.frame, names)
    found = with_everyone(found, case.original.rows)
    known, released = sa_values(case.released, Knowledge(case.original))
    scale = scales(known)
    low = released / scale
    answers = assign_in_sets(found, known / scale, low, low)
    return np.where(answers == ABSTAIN, case.link, answers)


def _changed(case: Comparison) -> np.ndarray:
    return np.asarray((case.sa_released != case.sa_original[case.link]).any(axis=1))


def _moved_whole(case: Comparison) -> np.ndarray:
    """Rows whose SA are not those of the linked row but exactly those of another."""
    changed = _changed(case)
    known = {row.tobytes() for row in np.ascontiguousarray(case.sa_original)}
    released = np.ascontiguousarray(case.sa_released)
    rows = np.flatnonzero(changed)
    changed[rows] = [released[i].tobytes() in known for i in rows]
    return changed
