"""The hierarchies of a release's columns, by what they mean: never lists of people's values."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL
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
        name: _choose(frame[name], profile[name].type, source) for name, source in proposed.items()
    }


def _choose(series: pl.Series, column_type: str, source: str) -> str:
    is_text = not (series.dtype.is_numeric() or series.dtype.is_temporal())
    if is_text and series.cast(pl.String).eq(SUPPRESSED_CELL).any():
        return AUTO  # no hierarchy can have such a leaf
    return "rare" if _is_better_merged(series, column_type, source) else source


def _is_better_merged(series: pl.Series, column_type: str, source: str) -> bool:
    """Whether words of many values would be lost at once, or cut where nothing begins."""
    if source == "suppress":
        return True
    is_word = series.dtype == pl.String or series.dtype == pl.Categorical
    if source == "codes":
        return column_type not in PREFIX_TYPES
    return source == AUTO and is_word and series.n_unique() > FEW_VALUES
