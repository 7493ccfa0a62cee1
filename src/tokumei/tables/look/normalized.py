"""Columns as they are understood: texts that stand for numbers and days become numbers and days.

Only columns that are generalized, protected or compared are read so; what passes leaves as it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

import polars as pl

from tokumei.core.cells import LineOf
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.core.fields import field_value
from tokumei.core.text import Text
from tokumei.tables.data.schema import Schema
from tokumei.tables.data.table import Table
from tokumei.tables.look.column_cells import ColumnCells, normal_text
from tokumei.tables.look.days import year_note
from tokumei.tables.look.result import Look, LookColumn
from tokumei.tables.look.rules import RULES, switched_off
from tokumei.tables.look.shapes import shape
from tokumei.tables.look.source import Source
from tokumei.tables.look.word_gaps import (
    LARGEST,
    are_exact,
    is_text,
    mark_notes,
    marks_in,
    odd_words,
    without_marks,
)

LISTED = 5
"""How many bad cells of a column are listed."""


def normalized(
    table: Table,
    found: Look,
    names: Iterable[str],
    *,
    line_of: LineOf | None,
    bad_missing: bool = False,
    off: Iterable[str] = (),
) -> Table:
    """The table with the named columns as they are understood; rules that are `off` are not used.

    Fails on cells that are neither number nor day where most are, unless `bad_missing` makes them
    gaps. Marks of missing values become gaps among words, too.
    """
    named, silent = [*names], switched_off(off)
    columns = [found[name] for name in named if needs(table.frame[name], found[name], silent)]
    read = {column.name for column in columns}
    table = _with_gaps(table, [name for name in named if name not in read], silent)
    if not columns:
        return table
    cells = {column.name: _read(table.frame[column.name], column) for column in columns}
    if not bad_missing:
        _require_read(table.frame, cells, columns, line_of)
    kinds = {column.name: column.values for column in columns}
    changed = tuple(
        replace(c, kind=kinds[c.name]) if c.name in kinds else c for c in table.schema.columns
    )
    spelled = {name: cells for name, cells in table.spelled.items() if name not in read}
    came = {
        column.name: _as_it_came(table.frame[column.name], cells[column.name], bad_missing)
        for column in columns
        if not column.normalizations
    }
    return Table(table.frame.with_columns(cells.values()), Schema(changed), {**came, **spelled})


def _as_it_came(cells: pl.Series, read: pl.Series, bad_missing: bool) -> pl.Series:
    """Plain numbers as they are written; what was made a gap is one."""
    text = cells.cast(pl.String)
    gaps = pl.lit(read.is_null()) if bad_missing else pl.lit(False)
    return pl.select(pl.when(~gaps).then(pl.lit(text)).alias(cells.name)).to_series()


def _with_gaps(table: Table, names: Iterable[str], off: Set[str]) -> Table:
    """The table with gaps in place of marks; columns that no method touches keep their writing."""
    marks = {name: marks_in(table.frame[name], off) for name in names}
    marks = {name: found for name, found in marks.items() if len(found)}
    if not marks:
        return table
    new = {name: without_marks(table.frame[name], found) for name, found in marks.items()}
    came = {name: table.frame[name].cast(pl.String) for name in marks}
    return Table(table.frame.with_columns(**new), table.schema, {**came, **table.spelled})


def plain_texts(table: Table, names: Iterable[str]) -> tuple[Table, list[Text]]:
    """The table with texts after NFKC and without outer blanks, and how many cells that changed.

    Numbers lose the spelling of their file: `1.50` becomes 1.5.
    """
    changed, notes = dict[str, pl.Series](), list[Text]()
    for name in names:
        cells = table.frame[name]
        if not is_text(cells):
            continue
        before = cells.cast(pl.String)
        after = normal_text(before)
        if count := int((before != after).sum()):
            changed[name] = after
            en, ja = (f"{name}: {words} ({count:,})" for words in RULES["nfkc"])
            notes.append(Text(f"Normalized: {en}", f"正規化: {ja}"))
    named = {*names}
    spelled = {name: cells for name, cells in table.spelled.items() if name not in named}
    return Table(table.frame.with_columns(**changed), table.schema, spelled), notes


def rule_notes(
    found: Look, names: Iterable[str], table: Table, off: Iterable[str] = ()
) -> list[Text]:
    """Which rules touched how many cells of which columns."""
    notes, silent = list[Text](), switched_off(off)
    for column in (found[name] for name in names):
        if not needs(table.frame[column.name], column, silent):
            notes += mark_notes(table.frame[column.name], silent)
            continue
        told = [(RULES[rule], count) for rule, count in column.normalizations.items()]
        if not told:
            continue
        en = ", ".join(f"{words.en} ({count:,})" for words, count in told)
        ja = "、".join(f"{words.ja} ({count:,})" for words, count in told)
        notes.append(Text(f"Normalized: {column.name}: {en}", f"正規化: {column.name}: {ja}"))
        if (years := year_note(column)) is not None:
            notes.append(years)
    return notes


def needs(cells: pl.Series, column: LookColumn, off: Set[str] = frozenset()) -> bool:
    """Whether texts stand for numbers or days, as a rule that is on reads them, or all but few."""
    if not is_text(cells) or column.kind not in ("numeric", "date"):
        return False
    if column.kind == "numeric" and not are_exact(cells):
        return False
    if column.normalizations:
        return True
    return column.kind == "numeric" and "missing" not in off and len(odd_words(cells)) > 0


def _read(series: pl.Series, column: LookColumn) -> pl.Series:
    cells = ColumnCells.of(series.cast(pl.String))
    if column.kind == "date":
        values = cells.days(column.style)["day"]
    else:
        values = cells.numbers.values
        exact = (values.abs() < LARGEST).all()
        values = values.cast(pl.Int64) if column.whole and cells.is_whole and exact else values
    raw = cells.raw.filter(~cells.missing)
    return (
        series.cast(pl.String)
        .replace_strict(raw, values, default=None, return_dtype=values.dtype)
        .alias(series.name)
    )


def _require_read(
    frame: pl.DataFrame,
    read: dict[str, pl.Series],
    columns: list[LookColumn],
    line_of: LineOf | None,
) -> None:
    faults, total = list[Fault](), 0
    for column in columns:
        cells = frame[column.name].cast(pl.String)
        gaps = ColumnCells.of(cells)
        missing = gaps.raw.filter(gaps.missing)
        lost = read[column.name].is_null() & cells.is_not_null() & ~cells.is_in(missing.implode())
        rows = lost.fill_null(False).arg_true()
        total += len(rows)
        faults += [_bad_cell(cells, int(row), column, line_of) for row in rows.head(FAULTS_SHOWN)]
    if faults:
        gaps_wanted = field_value("bad_cells", "missing")
        raise InputError(
            "some cells do not fit their column; correct them, or make them gaps with "
            f"{gaps_wanted}",
            f"列に合わないセルがあります。修正するか、{gaps_wanted} で欠損としてください",
            faults=faults,
            total=total,
        )


def bad_cells(source: Source, column: LookColumn, cells: ColumnCells) -> list[Fault]:
    """The first cells of a column of numbers or days that are neither: by line, shown by shape."""
    if column.kind not in ("numeric", "date"):
        return []
    days = cells.days(column.style)["day"] if column.kind == "date" else None
    bad = cells.filled.filter((cells.numbers.values if days is None else days).is_null())
    if not len(bad):
        return []
    raw = cells.raw.filter(cells.text.is_in(bad.to_list()))
    texts = source.frame[column.name]
    rows = texts.is_in(raw.to_list()).fill_null(False).arg_true()
    return [_bad_cell(texts, int(row), column, source.line_of) for row in rows.head(LISTED)]


def _bad_cell(cells: pl.Series, row: int, column: LookColumn, line_of: LineOf | None) -> Fault:
    """The fault of a cell that is no number, or no day, where most are."""
    line, form = line_of(row) if line_of else None, shape(cells[row])
    word = Text("number", "数値") if column.kind == "numeric" else Text("date", "日付")
    place = Text(f"line {line}", f"{line} 行目")
    if line is None:
        place = Text(f"row {row} (from 0)", f"第 {row} 行 (0 始まり)")
    message = Text(
        f"{place.en}, {column.name}: a cell of the form '{form}' is no {word.en}",
        f"{place.ja} {column.name}: '{form}' の形のセルは{word.ja}ではありません",
    )
    return Fault(rule="bad-cell", line=line, column=column.name, message=message)
