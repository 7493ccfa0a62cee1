"""The groups of people who are found most often, by the published cells of a known column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tokumei.assessment.column_codes import ColumnCodes

LEAST_PEOPLE = 10
"""Smaller groups are not named: they would point at people."""
MAX_GROUPS = 5


@dataclass(frozen=True)
class WorstOffGroup:
    """People whose rows have one published cell, and how they fare."""

    column: str
    cell: str
    people: int
    share: float
    """Expected share of right guesses."""

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return dict(vars(self))


def find_worst_off(
    columns: Mapping[str, ColumnCodes], chances: np.ndarray, people: np.ndarray
) -> list[WorstOffGroup]:
    """The groups with the highest expected share, above that of all; `chances` by released row."""
    overall = _share_of_people(chances, people)
    groups = list[WorstOffGroup]()
    for name, codes in columns.items():
        order = np.argsort(codes.cell_code, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(codes.cell_code[order])) + 1)
        for rows in parts if len(parts) <= 200 else []:
            count = len(np.unique(people[rows])) if len(rows) >= LEAST_PEOPLE else 0
            if count < LEAST_PEOPLE:
                continue
            share = _share_of_people(chances[rows], people[rows])
            if share > overall + 1e-9:
                cell = codes.cells[int(codes.cell_code[rows[0]])]
                text = f"{cell.low:g}" if cell.text is None else cell.text
                groups.append(WorstOffGroup(name, text, count, share))
    return sorted(groups, key=lambda group: (-group.share, group.column, group.cell))[:MAX_GROUPS]


def _share_of_people(chances: np.ndarray, people: np.ndarray) -> float:
    present, position = np.unique(people, return_inverse=True)
    best = np.zeros(len(present))
    np.maximum.at(best, position, chances)
    return float(best.mean()) if len(best) else 0.0
