"""Ranks released rows by how easily an attacker places them.

No truth is used: the ranking rests on how few known rows fit and how much nearer the nearest is
than the next. It may therefore stand in a report.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.tables.attackers.assignment import assignment_points
from tokumei.tables.attackers.qi_candidates import match_consistent_qi
from tokumei.tables.attackers.sensitive_distance import build_sensitive_boxes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import ABSTAIN, Knowledge

MAX_ISOLATION_ROWS = 10_000


@dataclass(frozen=True)
class ExposedRow:
    """A released row, as published, and why it stands out."""

    values: dict[str, object]
    candidates: int
    class_size: int
    isolation: float
    reason: Message


def most_exposed(case: Comparison, count: int = 10) -> list[ExposedRow]:
    """The rows with the fewest candidates, then the most isolated values, one of each class."""
    candidates = candidate_counts(case)
    classes = equivalence_class_codes(case.released.frame, case.qi)
    sizes = np.bincount(classes)[classes]
    # Isolation is dear and only breaks ties, so the first MANY rows must do.
    closest_rows = np.lexsort((sizes, candidates))[:MAX_ISOLATION_ROWS]
    isolation = np.zeros(case.released.rows)
    isolation[closest_rows] = isolation_scores(case, closest_rows)
    order = closest_rows[
        np.lexsort((-isolation[closest_rows], sizes[closest_rows], candidates[closest_rows]))
    ]
    # One row speaks for its class: its fellows would only repeat it.
    _, first = np.unique(classes[order], return_index=True)
    order = order[np.sort(first)[:count]]
    rows = case.released.frame.select([*case.qi, *case.sa])[order].to_dicts()
    figures = (part[order].tolist() for part in (candidates, sizes, isolation))
    return [
        ExposedRow(
            row,
            candidate_count,
            size,
            row_isolation,
            _describe_exposure(candidate_count, row_isolation),
        )
        for row, candidate_count, size, row_isolation in zip(rows, *figures, strict=True)
    ]


def candidate_counts(case: Comparison) -> np.ndarray:
    """How many known people fit each released row's QI (all of them if none fits).

    Every known row is another person unless the case says whose it is.
    """
    candidates = match_consistent_qi(
        case.released.frame, case.original.frame, case.qi, case.hierarchies
    )
    known_people = case.original.rows
    if case.people is not None:
        candidates, known_people = candidates.to_people(case.people), len(np.unique(case.people))
    return np.where(
        candidates.group == ABSTAIN, known_people, np.diff(candidates.start)[candidates.group]
    )


def isolation_scores(case: Comparison, rows: np.ndarray) -> np.ndarray:
    """1 − nearest/second nearest distance in standardized SA: 1 stands alone, 0 is a tie."""
    if not case.sa or case.original.rows < 2:
        return np.zeros(len(rows))
    boxes = build_sensitive_boxes(case.released, Knowledge(case.original), standardize=True)
    known, released, _ = assignment_points(boxes, np.arange(case.original.rows), rows)
    distance, _ = cKDTree(known).query(released, k=2, workers=-1)
    near, next_near = np.asarray(distance).T
    ratio = np.divide(near, next_near, out=np.ones(len(near)), where=next_near > 0)
    return np.asarray(1.0 - ratio)


def _describe_exposure(candidates: int, isolation: float) -> Message:
    people = Message(
        "{count} known person has these quasi-identifiers",
        plural="{count:,} known people fit these quasi-identifiers",
        count=candidates,
    )
    if isolation < 0.5:
        return people
    if isolation >= 1.0:
        return Message(
            "{people}; its sensitive values equal a known person's exactly", people=people
        )
    return Message(
        "{people}; the nearest sensitive values are {times:,.0f}× nearer than the next",
        people=people,
        times=1 / (1 - isolation),
    )
