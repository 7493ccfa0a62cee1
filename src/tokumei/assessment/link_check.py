"""Whether a link can be true: do the released cells hold the values of the rows they come from?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.information_kept import mean_difference

AGREEMENT_OF_LINKED = 0.5
"""Below this agreement beyond chance in every column, a link says nothing."""
AGREEMENT_OF_MOVED = 0.1
"""The same for numbers that were moved: noise may be wide."""


@dataclass(frozen=True)
class LinkCheck:
    """Agreement beyond chance by column (1: always, 0: as a random link), and contradictions."""

    agreement: dict[str, float]
    contradictions: dict[str, int]
    moved: frozenset[str]
    rows: int

    @property
    def is_contradicted(self) -> bool:
        """Whether rows agree with their origins no better than with others, in every column."""
        return bool(self.agreement) and all(
            agreement < (AGREEMENT_OF_MOVED if name in self.moved else AGREEMENT_OF_LINKED)
            for name, agreement in self.agreement.items()
        )

    def contradicted_columns(self) -> list[str]:
        """The columns whose cells do not hold the value of the linked row."""
        return [name for name, rows in self.contradictions.items() if rows]


def check_link(columns: Mapping[str, ColumnCodes], link: np.ndarray) -> LinkCheck:
    """Hold the cells of every column that varies against the linked values."""
    agreement, contradictions = dict[str, float](), dict[str, int]()
    for name, codes in columns.items():
        if codes.is_constant or len(codes.domain) < 2:
            continue
        if codes.is_moved:
            agreement[name] = _agreement_of_moved(codes, link)
            continue
        holds = codes.covers(codes.cell_code, codes.value_rank[link], codes.value_rank[link])
        chance = _chance_agreement(codes)
        if chance < 1.0:
            agreement[name] = (float(holds.mean()) - chance) / (1 - chance)
        contradictions[name] = int((~holds).sum())
    moved = frozenset(name for name, codes in columns.items() if codes.is_moved)
    return LinkCheck(agreement, contradictions, moved, len(link))


def _chance_agreement(codes: ColumnCodes) -> float:
    """How often a cell holds the value of an original row drawn at random."""
    counts = np.bincount(codes.value_rank, minlength=len(codes.numbers)).astype(np.float64)
    below = np.concatenate([[0.0], np.cumsum(counts)])
    share = np.where(codes.low > codes.high, 0.0, below[codes.high + 1] - below[codes.low])
    for cell in np.flatnonzero(codes.scattered_row >= 0):
        share[cell] = counts[codes.scattered[codes.scattered_row[cell]]].sum()
    return float((share / len(codes.value_rank))[codes.cell_code].mean())


def _agreement_of_moved(codes: ColumnCodes, link: np.ndarray) -> float:
    """1 − mean |x′ − x| / mean |x − random other x|."""
    released = codes.numbers[codes.low[codes.cell_code]]
    original = codes.numbers[codes.value_rank]
    apart = np.abs(released - original[link])
    scale = mean_difference(original)
    present = apart[~np.isnan(apart)]
    if not len(present) or scale == 0:
        return 0.0
    # Noise may be wide: a true link still brings values nearer than another does.
    random = float(np.nanmean(np.abs(released - np.roll(original[link], 1))))
    return 1.0 - float(present.mean()) / max(scale, random)
