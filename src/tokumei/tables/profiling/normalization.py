"""Normalizes columns: texts that mean numbers or dates become numbers or dates.

Only columns that are generalized, protected or compared are read so; what passes leaves as it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace

import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, Violation
from tokumei.core.fields import field_value
from tokumei.core.generalized_cells import LineOfRow
from tokumei.core.messages import Message, join_messages
from tokumei.tables.data.schema import Schema
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.missing_in_text import (
    LARGEST_EXACT_INTEGER,
    find_marks,
    find_non_numbers,
    is_exact_as_float,
    is_text_column,
    missing_mark_messages,
    replace_marks,
)
from tokumei.tables.profiling.distinct_cells import normalize_text
from tokumei.tables.profiling.normalization_rules import (
    NORMALIZATION_RULES,
    parse_disabled_rules,
    two_digit_year_message,
)
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile
from tokumei.tables.profiling.reading.source import Source
from tokumei.tables.profiling.value_shapes import cell_shape

MAX_BAD_CELLS = 5
"""How many bad cells of a column are listed."""


def normalize_columns(
    table: Table,
    profile: TableProfile,
    names: Iterable[str],
    *,
    line_of: LineOfRow | None,
    bad_missing: bool = False,
    off: Iterable[str] = (),
) -> Table:
    """The table with the named columns as they are understood; rules that are `off` are not used.

    Fails on cells that are neither number nor day where most are, unless `are_bad_cells_missing`
    makes them gaps. Marks of missing values become gaps among words, too.
    """
    column_names, disabled_rules = [*names], parse_disabled_rules(off)
    columns = [
        profile[name]
        for name in column_names
        if needs_normalization(table.frame[name], profile[name], disabled_rules)
    ]
    parsed_names = {column.name for column in columns}
    table = _marks_to_gaps(
        table, [name for name in column_names if name not in parsed_names], disabled_rules
    )
    if not columns:
        return table
    cells = {column.name: _parse_column(table.frame[column.name], column) for column in columns}
    if not bad_missing:
        _require_parsed(table.frame, cells, columns, line_of)
    value_kinds = {column.name: column.values for column in columns}
    schema_columns = tuple(
        replace(c, kind=value_kinds[c.name]) if c.name in value_kinds else c
        for c in table.schema.columns
    )
    kept_spellings = {
        name: cells for name, cells in table.spelled.items() if name not in parsed_names
    }
    original_texts = {
        column.name: _original_text(table.frame[column.name], cells[column.name], bad_missing)
        for column in columns
        if not column.normalizations
    }
    return Table(
        table.frame.with_columns(cells.values()),
        Schema(schema_columns),
        {**original_texts, **kept_spellings},
    )


def _original_text(cells: pl.Series, parsed: pl.Series, bad_missing: bool) -> pl.Series:
    """Plain numbers as they are written; what was made a gap is one."""
    text = cells.cast(pl.String)
    became_gap = pl.lit(parsed.is_null()) if bad_missing else pl.lit(False)
    return pl.select(pl.when(~became_gap).then(pl.lit(text)).alias(cells.name)).to_series()


def _marks_to_gaps(table: Table, names: Iterable[str], off: Set[str]) -> Table:
    """The table with gaps in place of marks; columns that no method touches keep their writing."""
    marks = {name: find_marks(table.frame[name], off) for name in names}
    marks = {name: column_marks for name, column_marks in marks.items() if len(column_marks)}
    if not marks:
        return table
    new_columns = {
        name: replace_marks(table.frame[name], column_marks) for name, column_marks in marks.items()
    }
    original_texts = {name: table.frame[name].cast(pl.String) for name in marks}
    return Table(
        table.frame.with_columns(**new_columns), table.schema, {**original_texts, **table.spelled}
    )


def normalize_texts(table: Table, names: Iterable[str]) -> tuple[Table, list[Message]]:
    """The table with texts after NFKC and without outer blanks, and how many cells that changed.

    Numbers lose the spelling of their file: `1.50` becomes 1.5.
    """
    changed_columns, notes = dict[str, pl.Series](), list[Message]()
    for name in names:
        cells = table.frame[name]
        if not is_text_column(cells):
            continue
        before = cells.cast(pl.String)
        after = normalize_text(before)
        if count := int((before != after).sum()):
            changed_columns[name] = after
            notes.append(_normalization_message(name, {"nfkc": count}))
    column_names = {*names}
    spelled = {name: cells for name, cells in table.spelled.items() if name not in column_names}
    return Table(table.frame.with_columns(**changed_columns), table.schema, spelled), notes


def normalization_messages(
    profile: TableProfile, names: Iterable[str], table: Table, off: Iterable[str] = ()
) -> list[Message]:
    """Which rules touched how many cells of which columns."""
    notes, disabled_rules = list[Message](), parse_disabled_rules(off)
    for column in (profile[name] for name in names):
        if not needs_normalization(table.frame[column.name], column, disabled_rules):
            notes += missing_mark_messages(table.frame[column.name], disabled_rules)
            continue
        if not column.normalizations:
            continue
        notes.append(_normalization_message(column.name, column.normalizations))
        if (year_message := two_digit_year_message(column)) is not None:
            notes.append(year_message)
    return notes


def _normalization_message(column: str, rule_counts: Mapping[str, int]) -> Message:
    descriptions = (
        Message("{description} ({cells:,})", description=NORMALIZATION_RULES[rule], cells=cells)
        for rule, cells in rule_counts.items()
    )
    return Message(
        "Normalized: {column}: {descriptions}",
        column=column,
        descriptions=join_messages(descriptions),
    )


def needs_normalization(
    cells: pl.Series, column: ColumnProfile, off: Set[str] = frozenset()
) -> bool:
    """Whether texts stand for numbers or days: all but few, plainly or by a rule that is on."""
    if not is_text_column(cells) or column.kind not in ("numeric", "date"):
        return False
    if column.kind == "numeric" and not is_exact_as_float(cells):
        return False
    if column.normalizations:
        return True
    if column.kind == "numeric" and "missing" not in off and len(find_non_numbers(cells)) > 0:
        return True
    return _is_typed_in_csv(cells)


def _is_typed_in_csv(cells: pl.Series) -> bool:
    """Whether texts of a frame or Parquet file are what a CSV file has as numbers or days."""
    from tokumei.files.column_types import infer_column_types

    return cells.dtype == pl.String and infer_column_types(cells.to_frame()).dtypes != [pl.String]


def _parse_column(series: pl.Series, column: ColumnProfile) -> pl.Series:
    cells = ColumnCells.of(series.cast(pl.String))
    if column.kind == "date":
        values = cells.days(column.style)["day"]
    else:
        values = cells.numbers.values
        is_exact = (values.abs() < LARGEST_EXACT_INTEGER).all()
        values = values.cast(pl.Int64) if column.whole and cells.is_whole and is_exact else values
    # Codes of a column may stand for one text twice.
    pairs = pl.DataFrame({"raw": cells.raw.filter(~cells.missing), "value": values}).unique("raw")
    return (
        series.cast(pl.String)
        .replace_strict(pairs["raw"], pairs["value"], default=None, return_dtype=values.dtype)
        .alias(series.name)
    )


def _require_parsed(
    frame: pl.DataFrame,
    parsed: dict[str, pl.Series],
    columns: list[ColumnProfile],
    line_of: LineOfRow | None,
) -> None:
    violations, total = list[Violation](), 0
    for column in columns:
        cells = frame[column.name].cast(pl.String)
        column_cells = ColumnCells.of(cells)
        missing = column_cells.raw.filter(column_cells.missing)
        is_unparsed = (
            parsed[column.name].is_null() & cells.is_not_null() & ~cells.is_in(missing.implode())
        )
        rows = is_unparsed.fill_null(False).arg_true()
        total += len(rows)
        violations += [
            _bad_cell_violation(cells, int(row), column, line_of)
            for row in rows.head(MAX_SHOWN_VIOLATIONS)
        ]
    if violations:
        raise InputError(
            "some cells do not fit their column; correct them, or treat them as missing with "
            "{option}",
            faults=violations,
            total=total,
            option=field_value("bad_cells", "missing"),
        )


def count_unread_cells(before: Table, after: Table) -> dict[str, int]:
    """How many cells of which columns became gaps although they are no marks of missing values."""
    counts = dict[str, int]()
    for name in after.schema.names:
        if after.frame[name].null_count() <= before.frame[name].null_count():
            continue
        cells = before.frame[name].cast(pl.String)
        column_cells = ColumnCells.of(cells)
        marks = column_cells.raw.filter(column_cells.missing)
        is_gap = after.frame[name].is_null() & cells.is_not_null()
        if count := int((is_gap & ~cells.is_in(marks.implode())).fill_null(False).sum()):
            counts[name] = count
    return counts


def unread_cell_messages(counts: Mapping[str, int]) -> list[Message]:
    """One line per column."""
    return [
        Message(
            "'{column}': {count} cell that is neither number nor day became a gap",
            plural="'{column}': {count:,} cells that are neither numbers nor days became gaps",
            column=name,
            count=count,
        )
        for name, count in counts.items()
    ]


def find_bad_cells(source: Source, column: ColumnProfile, cells: ColumnCells) -> list[Violation]:
    """The first cells of a column of numbers or days that are neither: by line, shown by shape."""
    if column.kind not in ("numeric", "date"):
        return []
    days = cells.days(column.style)["day"] if column.kind == "date" else None
    unparsed = cells.filled.filter((cells.numbers.values if days is None else days).is_null())
    if not len(unparsed):
        return []
    raw = cells.raw.filter(cells.text.is_in(unparsed.to_list()))
    texts = source.frame[column.name]
    rows = texts.is_in(raw.to_list()).fill_null(False).arg_true()
    return [
        _bad_cell_violation(texts, int(row), column, source.line_of)
        for row in rows.head(MAX_BAD_CELLS)
    ]


def _bad_cell_violation(
    cells: pl.Series, row: int, column: ColumnProfile, line_of: LineOfRow | None
) -> Violation:
    """The fault of a cell that is no number, or no day, where most are."""
    line, cell_form = line_of(row) if line_of else None, cell_shape(cells[row])
    place = Message("line {line}", line=line)
    if line is None:
        place = Message("row {row} (from 0)", row=row)
    problem = Message("{place}, {column}: a cell of the form '{form}' is not a date")
    if column.kind == "numeric":
        problem = Message("{place}, {column}: a cell of the form '{form}' is not a number")
    message = problem.fill(place=place, column=column.name, form=cell_form)
    return Violation(rule="bad-cell", line=line, column=column.name, message=message)
