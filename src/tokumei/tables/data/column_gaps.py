"""How many cells of a column are missing before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tokumei.tables.data.comparison import Comparison


class ColumnGaps(NamedTuple):
    """The missing cells of one column: in the original, in the release, made and filled.

    Gained: missing in the release only; lost: missing in the original only. Of deleted rows neither
    is said. Where no link is known, they are what the numbers of gaps say at least.
    """

    column: str
    before: int
    after: int
    gained: int
    lost: int

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return self._asdict()


def column_gaps(case: Comparison, name: str, *, linked: bool = True) -> ColumnGaps:
    """The missing cells of a column that both tables have; `linked`: if its link can be used."""
    left, right = (one.frame[name].is_null().to_numpy() for one in (case.original, case.released))
    before, after = _rows(left, case.original_counts), _rows(right, case.released_counts)
    if not (linked and case.linked):
        return ColumnGaps(name, before, after, max(after - before, 0), max(before - after, 0))
    there = left[case.link]
    return ColumnGaps(name, before, after, int((right & ~there).sum()), int((there & ~right).sum()))


def _rows(missing: np.ndarray, counts: np.ndarray | None) -> int:
    return int(missing.sum() if counts is None else counts[missing].sum())


def gaps_by_column(
    case: Comparison, names: Sequence[str], *, linked: bool = True
) -> list[ColumnGaps]:
    """Those of the columns that have missing cells on either side, one each."""
    found = [column_gaps(case, name, linked=linked) for name in dict.fromkeys(names)]
    return [one for one in found if one.before or one.after]
