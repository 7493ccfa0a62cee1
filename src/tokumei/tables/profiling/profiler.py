"""Profiles a table: `tk.look`.

found = look("顧客台帳.csv")
found.person, found.questions, found.schema()
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences
from tokumei.tables.data.table import AnyTable
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.column_types import COLUMN_TYPES
from tokumei.tables.profiling.detection.answer_scales import infer_answer_scales
from tokumei.tables.profiling.detection.embedded_pii import EmbeddedPii
from tokumei.tables.profiling.detection.neighbour_columns import (
    find_person_keys,
    infer_from_neighbours,
)
from tokumei.tables.profiling.detection.person_column import (
    PersonColumn,
    find_person_column,
    is_about_people,
    measure_exposure,
)
from tokumei.tables.profiling.detection.type_inference import (
    InferredType,
    assign_role,
    assign_value_kind,
    default_treatment,
    infer_type,
)
from tokumei.tables.profiling.first_rows import find_column_pii
from tokumei.tables.profiling.identity_questions import QuestionContext
from tokumei.tables.profiling.normalization import find_bad_cells
from tokumei.tables.profiling.normalization_rules import (
    count_normalizations,
    parse_date_decisions,
    parse_disabled_rules,
)
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile
from tokumei.tables.profiling.questions import find_question
from tokumei.tables.profiling.reading.dialect import Dialect
from tokumei.tables.profiling.reading.source import Source, read_source
from tokumei.tables.profiling.suggested_command import suggest_command
from tokumei.tables.profiling.value_shapes import histogram_counts, top_shapes

SAMPLE_ROWS = 20_000
"""Types are decided on this many random rows of a larger table; counts are of all rows."""
_BLOCKING_QUESTIONS = frozenset(
    (
        "text-with-personal-data",
        "free-text",
        "many-words",
        "key-like",
        "person-or-thing",
        "unnamed-column",
        "mixed-contact",
    )
)


def look(
    data: AnyTable | str | Path,
    *,
    encoding: str = "auto",
    sep: str | None = None,
    sheet: str | None = None,
    header_row: int | str | None = None,
    rows: int | None = SAMPLE_ROWS,
    no_normalize: Iterable[str] = (),
    encoding_errors: str = "strict",
    date_order: str | None = None,
    two_digit_years: int | None = None,
) -> TableProfile:
    """Look at a file, or at a pandas, Polars or Arrow frame; nothing is written.

    Types are decided on `rows` random rows (None: all); everything counted is counted on all.
    `no_normalize` names normalizations that are not to be applied. `date_order` (dmy, mdy, ymd)
    says how days are written where no cell decides, `two_digit_years` the last year of two digits
    that is 20xx.
    """
    disabled_rules = parse_disabled_rules(no_normalize)
    date_decisions = parse_date_decisions(date_order, two_digit_years)
    dialect = Dialect(encoding, sep, sheet, header_row, encoding_errors == "replace")
    source = read_source(data, dialect)
    profile = profile_source(
        source, rows=rows, off=disabled_rules, said=date_decisions, details=True
    )
    if not profile.rows:
        return profile
    file = data if isinstance(data, str) and data else source.file
    command = suggest_command(
        file, profile.columns, profile.person, date_decisions, rows=profile.rows
    )
    return replace(profile, command=command)


def profile_source(
    source: Source,
    *,
    rows: int | None = SAMPLE_ROWS,
    off: frozenset[str] = frozenset(),
    said: DatePreferences = NO_PREFERENCES,
    question_columns: Collection[str] | None = None,
    details: bool = False,
) -> TableProfile:
    """Look at cells that were read.

    `question_columns`: the columns about which there may be a question (None: all); what becomes
    of the others is decided. `details`: also what is only shown to whoever looks.
    """
    frame = source.frame
    sampled_rows = _sample_rows(frame, rows)
    cells = {name: ColumnCells.of(frame[name], off, said) for name in frame.columns}
    sampled_cells = cells
    if sampled_rows is not frame:
        sampled_cells = {
            name: ColumnCells.of(sampled_rows[name], off, said) for name in frame.columns
        }
    inferred_types = {name: infer_type(sampled_cells[name], frame[name]) for name in frame.columns}
    inferred_types = infer_from_neighbours(sampled_rows, inferred_types, sampled_cells)
    inferred_types = infer_answer_scales(inferred_types, sampled_cells)
    person_keys = find_person_keys(sampled_rows, inferred_types, sampled_cells)
    embedded_pii = {
        name: find_column_pii(cells[name], inferred_types[name]) for name in frame.columns
    }
    people = _detect_people(inferred_types, embedded_pii, cells)
    person = find_person_column(frame, inferred_types, people) if people is not False else None
    contexts = [
        _build_question_context(
            source,
            sampled_cells[name],
            inferred_types[name],
            embedded_pii[name],
            people,
            person,
            name in person_keys,
        )
        for name in frame.columns
    ]
    columns = tuple(
        _profile_column(
            context,
            cells[context.name],
            question_columns is None or context.name in question_columns,
        )
        for context in contexts
    )
    profile = TableProfile(source, people, person, columns, source.warnings)
    return _with_details(profile, contexts, cells) if details else profile


def _sample_rows(frame: pl.DataFrame, rows: int | None) -> pl.DataFrame:
    if rows is None or frame.height <= rows:
        return frame
    # Equal files must look equal, whoever looks: the draw is always the same.
    row_numbers = np.sort(
        np.random.default_rng(frame.height).choice(frame.height, rows, replace=False)
    )
    return frame[row_numbers]


def _detect_people(
    inferred_types: dict[str, InferredType],
    embedded_pii: dict[str, tuple[EmbeddedPii, ...]],
    cells: dict[str, ColumnCells],
) -> bool | None:
    has_contact_pii = any(
        entry.type in ("phone", "email", "card", "my_number")
        for column_pii in embedded_pii.values()
        for entry in column_pii
    )
    place_types = ("prefecture", "country", "city")
    has_unique_place = any(
        entry.type in place_types and cells[name].unique_share > 0.95 and cells[name].total > 5
        for name, entry in inferred_types.items()
    )
    return is_about_people(
        list(inferred_types.values()), has_contact_pii, has_unique_place, inferred_types
    )


def _build_question_context(
    source: Source,
    sampled_cells: ColumnCells,
    inferred: InferredType,
    embedded_pii: tuple[EmbeddedPii, ...],
    people: bool | None,
    person: PersonColumn | None,
    is_person_key: bool,
) -> QuestionContext:
    is_date = COLUMN_TYPES[inferred.type].kind == "date"
    style = sampled_cells.style(
        named=inferred.header_confirmed or is_date, epoch=is_date, month=is_date
    )
    if inferred.type == "birth_date" and style.two_digits and sampled_cells.said.latest is None:
        # Nobody is born in the future.
        style = replace(style, latest=date.today().year % 100)
    role = assign_role(inferred, sampled_cells.name, people, person.column if person else None)
    kind = assign_value_kind(inferred, sampled_cells, style)
    return QuestionContext(
        sampled_cells.name,
        inferred,
        role,
        kind,
        sampled_cells,
        embedded_pii,
        style,
        people,
        person,
        source,
        is_person_key,
    )


def _profile_column(context: QuestionContext, cells: ColumnCells, asks: bool) -> ColumnProfile:
    inferred, kind, style = context.meaning, context.kind, context.style
    question = find_question(context) if asks else None
    fate = (
        "ask"
        if question and question.id in _BLOCKING_QUESTIONS
        else default_treatment(context.role, cells)
    )
    return ColumnProfile(
        context.name,
        context.role,
        inferred.type,
        kind,
        inferred.confidence,
        inferred.reason,
        cells.distinct,
        cells.rows - cells.total,
        context.inside,
        count_normalizations(cells, kind, inferred.type, style),
        fate,
        question,
        whole=kind == "numeric" and cells.is_whole,
        unique_share=cells.unique_share,
        style=style,
    )


def _with_details(
    profile: TableProfile, contexts: Iterable[QuestionContext], cells: Mapping[str, ColumnCells]
) -> TableProfile:
    """The profile with shapes, histograms, bad cells and how unique rows are."""
    source, columns, warnings = profile.source, list[ColumnProfile](), list(profile.warnings)
    for column, context in zip(profile.columns, contexts, strict=True):
        shapes = top_shapes(context.cells)
        warnings += find_bad_cells(source, column, cells[column.name])
        columns.append(
            replace(
                column,
                missing_as=_count_missing_markers(cells[column.name]),
                shapes=tuple(value_shape for value_shape, _ in shapes),
                shape_shares=tuple(share for _, share in shapes),
                bins=histogram_counts(context.cells, column.kind, column.role, column.style),
            )
        )
    counts = {"bom": int(source.bom), "title-rows": source.above, "total-row": source.below}
    return replace(
        profile,
        columns=tuple(columns),
        warnings=tuple(warnings),
        exposure=measure_exposure(source.frame, columns, profile.person),
        file_rules={rule: count for rule, count in counts.items() if count},
    )


def _count_missing_markers(cells: ColumnCells) -> dict[str, int]:
    """How missing cells are written, most frequent first; empty ones as ``."""
    marker_counts = {"": cells.rows - int(cells.counts.sum())}
    for marker, count in zip(
        cells.raw.filter(cells.missing), cells.counts.filter(cells.missing), strict=True
    ):
        label = marker.strip() if len(marker.strip()) <= 8 else "<…>"
        marker_counts[label] = marker_counts.get(label, 0) + count
    return {
        marker: n for marker, n in sorted(marker_counts.items(), key=lambda item: -item[1]) if n
    }
