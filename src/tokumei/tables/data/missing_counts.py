"""Counts the missing cells of a column before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokumei.core.json_types import JsonObject
from tokumei.tables.data.comparison import Comparison


class MissingCounts(NamedTuple):
    """The missing cells of one column: in the original, in the release, made and filled.

    Gained: missing in the release only; lost: missing in the original only. Of deleted rows neither
    is said. Where no link is known, they are what the numbers of gaps say at least.
    """

    column: str
    before: int
    after: int
    gained: int
    lost: int

    def as_json(self) -> JsonObject:
        """As plain data."""
        return self._asdict()


def count_missing(case: Comparison, name: str, *, linked: bool = True) -> MissingCounts:
    """The missing cells of a column that both tables have; `linked`: if its link can be used."""
    left, right = (
        table.frame[name].is_null().to_numpy() for table in (case.original, case.released)
    )
    before, after = _sum_rows(left, case.original_counts), _sum_rows(right, case.released_counts)
    if not (linked and case.linked):
        return MissingCounts(name, before, after, max(after - before, 0), max(before - after, 0))
    missing_in_original = left[case.link]
    return MissingCounts(
        name,
        before,
        after,
        int((right & ~missing_in_original).sum()),
        int((missing_in_original & ~right).sum()),
    )


def _sum_rows(missing: np.ndarray, counts: np.ndarray | None) -> int:
    return int(missing.sum() if counts is None else counts[missing].sum())


def missing_by_column(
    case: Comparison, names: Sequence[str], *, linked: bool = True
) -> list[MissingCounts]:
    """Those of the columns that have missing cells on either side, one each."""
    all_counts = [count_missing(case, name, linked=linked) for name in dict.fromkeys(names)]
    return [counts for counts in all_counts if counts.before or counts.after]
