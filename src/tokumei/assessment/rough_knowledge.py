"""What an attacker knows of a column, in the ranks of its codes: a range for every value.

Somebody who knows a number or a date roughly knows a range of ranks. First characters and the
category above group the values; the column is then encoded anew, with groups for values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.scenario import ColumnKnowledge
from tokumei.tables.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class KnownColumnCodes:
    """A column, and by original row the range of ranks that the attacker thinks possible."""

    codes: ColumnCodes
    low: np.ndarray
    high: np.ndarray

    @property
    def is_exact(self) -> bool:
        """Whether every range is one rank."""
        return self.low is self.high

    @classmethod
    def of(
        cls, codes: ColumnCodes, knowledge: ColumnKnowledge, hierarchy: Hierarchy | None
    ) -> KnownColumnCodes:
        """The column as somebody knows it."""
        if knowledge.first is not None:
            codes = _group(codes, _prefixes(codes, knowledge.first))
        if knowledge.levels is not None:
            codes = _group(codes, _parents(codes, knowledge, hierarchy))
        if knowledge.days is None and knowledge.percent is None:
            return cls(codes, codes.value_rank, codes.value_rank)
        low, high = _ranges(codes, knowledge)
        return cls(codes, low[codes.value_rank], high[codes.value_rank])


def _ranges(codes: ColumnCodes, knowledge: ColumnKnowledge) -> tuple[np.ndarray, np.ndarray]:
    """By rank the first and the last rank within the tolerance; a missing value knows itself."""
    ranks = np.arange(len(codes.numbers))
    places = np.flatnonzero(~np.isnan(codes.numbers))
    values = codes.numbers[places]
    slack = np.full(len(values), knowledge.days or 0.0)
    if knowledge.percent is not None:
        slack = np.abs(values) * knowledge.percent / 100
    low, high = ranks.copy(), ranks.copy()
    if len(places):
        margin = 1e-9 * np.abs(values)
        low[places] = places[0] + np.searchsorted(values, values - slack - margin)
        high[places] = places[0] - 1 + np.searchsorted(values, values + slack + margin, "right")
    return low, high


def _prefixes(codes: ColumnCodes, length: int) -> Callable[[int], object]:
    texts: list[str | None] = codes.texts or [
        None if np.isnan(number) else f"{number:.15g}" for number in codes.numbers
    ]
    return lambda rank: None if (text := texts[rank]) is None else text[:length]


def _parents(
    codes: ColumnCodes, knowledge: ColumnKnowledge, hierarchy: Hierarchy | None
) -> Callable[[int], object]:
    if hierarchy is None:
        raise UsageError(
            "only the category above '{column}' is known, but it has no hierarchy",
            column=codes.name,
            field="knows",
        )
    level = min(knowledge.levels or 1, hierarchy.height)
    leaves = canonicalize_column(hierarchy.leaves).to_list()
    parents = dict(zip(leaves, hierarchy.up[level].tolist(), strict=True))
    return lambda rank: parents.get(codes.texts[rank], ("own", rank)) if codes.texts else rank


def _group(codes: ColumnCodes, group_of: Callable[[int], object]) -> ColumnCodes:
    """The codes with groups of values for values."""
    numbers: dict[object, int] = {}
    groups = np.array(
        [numbers.setdefault(group_of(rank), len(numbers)) for rank in range(len(codes.numbers))]
    )
    count = len(numbers)
    low, high = (
        np.ones(len(codes.cells), dtype=np.int64),
        np.zeros(len(codes.cells), dtype=np.int64),
    )
    scattered = np.zeros((len(codes.cells), count), dtype=bool)
    for cell, row in enumerate(codes.scattered_row.tolist()):
        ranks = np.arange(codes.low[cell], codes.high[cell] + 1)
        ranks = ranks[codes.scattered[row][ranks]] if row >= 0 else ranks
        scattered[cell, groups[ranks]] = True
        inside = np.flatnonzero(scattered[cell])
        if len(inside):
            low[cell], high[cell] = inside[0], inside[-1]
    return replace(
        codes,
        numbers=np.full(count, np.nan),
        texts=[],
        value_rank=groups[codes.value_rank],
        low=low,
        high=high,
        scattered=scattered,
        scattered_row=np.arange(len(codes.cells)),
    )
