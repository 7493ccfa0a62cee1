"""Profiles the first rows of a large table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import TableProfile

PROFILED_ROWS = 20_000
"""The first rows of a large table, which tell what its columns are."""


def profile_sample(
    frame: pl.DataFrame, disabled_rules: Sequence[str] = (), days: DatePreferences = NO_PREFERENCES
) -> TableProfile:
    """A look at the first rows; people and personal data inside texts are sought in all rows."""
    from tokumei.tables.profiling.pii_search import extend_to_all_rows
    from tokumei.tables.profiling.profiler import look

    first_rows = frame.head(PROFILED_ROWS)
    profile = look(
        first_rows,
        no_normalize=disabled_rules,
        date_order=days.order or None,
        two_digit_years=days.latest,
    )
    return profile if frame.height <= PROFILED_ROWS else extend_to_all_rows(profile, frame)
