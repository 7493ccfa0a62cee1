"""Profiles the first rows of a large table; personal data inside texts is sought in all rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import polars as pl

from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.embedded_pii import EmbeddedPii, find_embedded_pii
from tokumei.tables.profiling.detection.type_inference import InferredType
from tokumei.tables.profiling.normalization_rules import parse_disabled_rules
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile
from tokumei.tables.profiling.reading.source import read_source

PROFILED_ROWS = 20_000
"""The first rows of a large table, which tell what its columns are."""
_TEXT_TYPES = frozenset(
    (
        "free_text",
        "category",
        "item",
        "diagnosis",
        "organization",
        "store",
        "flag",
        "occupation",
        "code",
    )
)


def profile_sample(
    frame: pl.DataFrame,
    disabled_rules: Sequence[str] = (),
    days: DatePreferences = NO_PREFERENCES,
    *,
    question_columns: Collection[str] | None = None,
) -> TableProfile:
    """A look at the first rows; people and personal data inside texts are sought in all rows.

    `question_columns`: the columns about which there may be a question; None: all.
    """
    from tokumei.tables.profiling.profiler import profile_source

    first_rows, off = read_source(frame.head(PROFILED_ROWS)), parse_disabled_rules(disabled_rules)
    profile = profile_source(first_rows, off=off, said=days, question_columns=question_columns)
    return profile if frame.height <= PROFILED_ROWS else extend_to_all_rows(profile, frame)


def find_column_pii(cells: ColumnCells, inferred: InferredType) -> tuple[EmbeddedPii, ...]:
    """Personal data inside texts; numbers, days and what identifies anyway are not searched."""
    if inferred.type not in _TEXT_TYPES or cells.is_number or not cells.has_texts:
        return ()
    return tuple(find_embedded_pii(cells))


def extend_to_all_rows(profile: TableProfile, frame: pl.DataFrame) -> TableProfile:
    """A look at the first rows of a frame, with what only all rows tell: people, personal data."""
    person = profile.person
    if person is not None:
        person_values = frame[person.column].drop_nulls()
        person = replace(person, people=person_values.n_unique(), rows=len(person_values))
    return replace(
        profile, person=person, columns=tuple(_search_all_cells(c, frame) for c in profile.columns)
    )


def may_contain_pii(column: ColumnProfile) -> bool:
    """Whether personal data may stand inside a column's cells, and none was found so far."""
    return column.type in _TEXT_TYPES and column.kind not in ("numeric", "date") and not column.pii


def _search_all_cells(column: ColumnProfile, frame: pl.DataFrame) -> ColumnProfile:
    """The column with the personal data inside all its cells."""
    if not may_contain_pii(column):
        return column
    return search_cells_for_pii(column, frame[column.name].unique().cast(pl.String))


def search_cells_for_pii(column: ColumnProfile, texts: pl.Series) -> ColumnProfile:
    """The column with the personal data inside these cells of it."""
    cells = ColumnCells.of(texts)
    return with_embedded_pii(column, find_embedded_pii(cells) if cells.has_texts else ())


def with_embedded_pii(column: ColumnProfile, embedded_pii: Iterable[EmbeddedPii]) -> ColumnProfile:
    """The column with the personal data that was found inside its cells, if there is any."""
    all_pii = tuple(embedded_pii)
    return replace(column, pii=all_pii, fate="ask") if all_pii else column
