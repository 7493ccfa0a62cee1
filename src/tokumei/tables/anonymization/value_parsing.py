"""Parses the cells of a table before a method runs: numbers, dates, gaps."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, NamedTuple

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import LineOfRow
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.normalization_rules import require_unambiguous_dates

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import TableProfile


class ParsingOptions(NamedTuple):
    """How cells of QI and SA are understood: where rows stand, rules that are off, bad cells."""

    line_of: LineOfRow | None
    off: tuple[str, ...] = ()
    bad_missing: bool = False
    plain: bool = False
    """Whether columns that pass are written as they are understood, too."""
    days: DatePreferences = NO_PREFERENCES
    """What the owner says of days that no cell decides."""
    said: tuple[str, ...] = ()
    """Columns whose kind the owner says."""


def are_bad_cells_missing(option: str | None) -> bool:
    """Whether cells that fit neither number nor day become gaps; fails on another word."""
    if option not in (None, "", "missing"):
        raise UsageError(
            f"bad_cells is 'missing' or nothing, not '{option}'",
            f"bad_cells に指定できるのは 'missing' だけです ('{option}')",
        )
    return option == "missing"


def parse_values(
    table: Table, profile: TableProfile, options: ParsingOptions, own_labels: Set[str]
) -> tuple[Table, list[Message]]:
    """The table as it is understood; words that the owner's hierarchies name stay as they are."""
    from tokumei.tables.profiling.normalization import (
        needs_normalization,
        normalization_messages,
        normalize_columns,
        normalize_texts,
    )

    names = [*table.schema.qi, *table.schema.sa]
    names = [
        n for n in names if n not in own_labels or needs_normalization(table.frame[n], profile[n])
    ]
    names = [n for n in names if n not in options.said]
    notes = list[Message]()
    if options.plain:
        names = [name for name in table.schema.names if name not in table.schema.ids]
        table, notes = normalize_texts(table, names)
    require_unambiguous_dates([profile[name] for name in names])
    notes += normalization_messages(profile, names, table, options.off)
    parsed = normalize_columns(
        table,
        profile,
        names,
        line_of=options.line_of,
        bad_missing=options.bad_missing,
        off=options.off,
    )
    return parsed, notes
