"""The hierarchies of a release's columns, by what they mean: never lists of people's values."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tokumei.tables.hierarchies.choose import AUTO
from tokumei.tables.profiling.profile import TableProfile

PREFIX_TYPES = frozenset({"postal", "diagnosis", "jan", "item"})
"""Types of codes whose first characters mean something."""
FEW_VALUES = 20


def choose_natural_hierarchies(
    frame: pl.DataFrame, profile: TableProfile, proposed: Mapping[str, str]
) -> dict[str, str]:
    """By column a hierarchy: the one proposed, or rare values merged where that loses less."""
    return {
        name: "rare" if _is_better_merged(frame[name], profile[name].type, source) else source
        for name, source in proposed.items()
    }


def _is_better_merged(series: pl.Series, column_type: str, source: str) -> bool:
    """Whether words of many values would be lost at once, or cut where nothing begins."""
    if source == "suppress":
        return True
    is_word = series.dtype == pl.String or series.dtype == pl.Categorical
    if source == "codes":
        return column_type not in PREFIX_TYPES
    return source == AUTO and is_word and series.n_unique() > FEW_VALUES
