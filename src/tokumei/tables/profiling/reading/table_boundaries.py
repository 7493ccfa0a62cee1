"""Finds separator, titles, header, totals, and a second table in a text."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

SEPARATORS = (",", ";", "|", "\t")
"""From the one that texts hold most often to the one that they hold hardly ever."""
CellRow = Sequence[str | None]

_TOTAL_LABEL = re.compile(
    r"^(合計|総計|小計|累計|計|平均|総合計|合 計|(grand |sub)?-?totals?|averages?|means?|sum"
    r"|(gesamt|zwischen)?summe|gesamt|durchschnitt|totaux|somme|moyenne|totales|suma|promedio|totale|somma|media"
    r"|soma|итого|всего|合计|总计|小计|平均值|합계|총계|소계|평균)"
    r"\s*[:：]?$",
    re.IGNORECASE,
)
_REMARK_LINE = re.compile(r"^(※|\*|注|出典|備考|資料|source|note)", re.IGNORECASE)
_DATA_LIKE_CELL = re.compile(
    r"^[¥\\$£€▲△+(-]?\s?[0-9][0-9,.]*(e[+-]?[0-9]+)?\s?[%円)]?$|^[0-9]{1,4}[-/.年][0-9]{1,2}([-/.月]|$)"
    r"|^(明治|大正|昭和|平成|令和|[MTSHR])[0-9元]{1,2}[年.]|@.+\.|^0[0-9]+-[0-9]+"
    r"|^[0-9a-f]{8}-[0-9a-f]{4}|^(true|false|男性?|女性?|na|null|nan)$|^[0-9]{2}:[0-9]{2}",
    re.IGNORECASE,
)
_YEAR_CELL = re.compile(r"^(19|20)[0-9]{2}年?(度)?$")
_LONG_CELL = 60
_MAX_FIELD_BYTES = 2**28
_MIN_FILLED_SHARE = 0.8
_SPARSE_SHARE = 1 / 5
_MAX_SPARSE_LINES = 5
_ROWS_ABOVE = 60
_MAX_BLANK_LINES = 200
"""So many blank lines are looked behind: what comes after more of them is no second table."""


@dataclass(frozen=True)
class TableStart:
    """Where a table stands among its lines: the line of names, and the first line of cells."""

    header: int | None
    first: int
    names: tuple[str, ...]


def normalize_cell(cell: str | None) -> str:
    """A cell as it is compared: NFKC, without outer blanks."""
    return unicodedata.normalize("NFKC", cell or "").strip()


def guess_separator(lines: Sequence[str]) -> str | None:
    """The separator by which most lines have the same number of fields; None: there is none."""
    best: tuple[float, int, int] | None = None
    for rank, sep in enumerate(SEPARATORS):
        widths = Counter(len(row) for row in split_lines(lines, sep) if any(row))
        wide_counts = {width: n for width, n in widths.items() if width > 1}
        if not wide_counts:
            continue
        width, agreeing = max(wide_counts.items(), key=lambda item: (item[1], item[0]))
        candidate = (round(agreeing / sum(widths.values()), 1), width, rank)
        best = max(best, candidate) if best else candidate
    return SEPARATORS[best[2]] if best else None


def split_lines(lines: Sequence[str], sep: str) -> list[list[str]]:
    """Records as fields, quotation marks respected; none if this separator cannot be theirs."""
    csv.field_size_limit(max(csv.field_size_limit(), _MAX_FIELD_BYTES))
    try:
        return list(csv.reader(lines, delimiter=sep))
    except csv.Error:
        return []


def find_table_bounds(rows: Sequence[CellRow], width: int) -> TableStart:
    """The line of names among the first lines of a table, and where its cells begin."""
    wide_rows = [i for i, row in enumerate(rows) if _is_full_width(row, width)]
    for position, i in enumerate(wide_rows[:3]):
        below = [rows[j] for j in wide_rows[position + 1 : position + 60]]
        if looks_like_data(rows[i], below):
            return TableStart(None, i, tuple(f"column{j}" for j in range(1, width + 1)))
        if not _is_group_header(rows[i], below):
            return TableStart(i, i + 1, header_names(rows[i], rows[i - 1] if i else (), width))
    first = wide_rows[0] if wide_rows else 0
    return TableStart(first, first + 1, header_names(rows[first], (), width))


def header_names(row: CellRow, above: CellRow, width: int) -> tuple[str, ...]:
    """Names of columns: blanks from the merged cell above or `Unnamed: j`, repeated ones `.2`."""
    names: dict[str, None] = {}
    next_numbers: dict[str, int] = {}
    # A line above the names may hold merged cells: some names, not all.
    has_merged_cells = 1 < len(_filled_cells(above)) < width
    for j in range(width):
        name = " ".join((row[j] or "").split()) if j < len(row) else ""
        if not name and has_merged_cells and j < len(above):
            name = " ".join((above[j] or "").split())
        name = name or f"Unnamed: {j}"
        unique_name, number = name, next_numbers.get(name, 2)
        while unique_name in names:
            unique_name, number = f"{name}.{number}", number + 1
        next_numbers[name] = number
        names[unique_name] = None
    return tuple(names)


def find_renamed_columns(bounds: TableStart, rows: Sequence[CellRow]) -> tuple[str, ...]:
    """The columns that have no name in the file, or that of another, and got one here."""
    if bounds.header is None:
        return ()
    file_names = [" ".join((cell or "").split()) for cell in rows[bounds.header]]
    file_names += [""] * (len(bounds.names) - len(file_names))
    pairs = zip(bounds.names, file_names, strict=False)
    new_names = (name for name, file_name in pairs if name != file_name)
    return tuple(name for name in new_names if re.search(r"^Unnamed: |\.[0-9]+$", name))


def count_footer_lines(rows: Sequence[CellRow], width: int) -> int:
    """How many of the last lines are no rows: totals, remarks, nearly empty or blank ones."""
    footer_count = sparse_count = 0
    for row in reversed(rows):
        cells = [normalize_cell(cell) for cell in row]
        filled = [cell for cell in cells if cell]
        if filled and not _TOTAL_LABEL.match(cells[0]):
            is_sparse = len(filled) <= width * _SPARSE_SHARE or (width > 2 and len(row) == 1)
            is_remark = len(filled) == 1 and bool(_REMARK_LINE.match(filled[0]))
            sparse_count += 1
            if not (is_sparse or is_remark) or sparse_count > _MAX_SPARSE_LINES:
                break
        footer_count += 1
    return footer_count


def is_total_label(cells: pl.Series) -> pl.Series:
    """Which cells are the label of a total."""
    return cells.str.strip_chars().str.contains(f"(?i){_TOTAL_LABEL.pattern}").fill_null(False)


def _filled_cells(row: CellRow) -> list[str]:
    return [cell for cell in map(normalize_cell, row) if cell]


def _is_full_width(row: CellRow, width: int) -> bool:
    filled = len(_filled_cells(row))
    return filled >= _MIN_FILLED_SHARE * width or (filled >= width - 1 and width > 2)


def looks_like_data(row: CellRow, below: Sequence[CellRow]) -> bool:
    """Whether a line holds cells rather than names: it has values, or what stands below again."""
    cells = _filled_cells(row)
    values = [c for c in cells if _DATA_LIKE_CELL.search(c) or len(c) > _LONG_CELL]
    if (
        values
        and not all(_YEAR_CELL.match(cell) for cell in values)
        and len(values) > len(cells) / 5
    ):
        return True
    return _count_repeated_below(row, below) > max(len(cells) / 5, 0.5)


def _count_repeated_below(row: CellRow, below: Sequence[CellRow]) -> int:
    """In how many columns the cell occurs again: names of columns are no cells of theirs."""
    repeated_count = 0
    for j, cell in enumerate(row):
        text = normalize_cell(cell)
        repeated_count += bool(text) and any(
            j < len(r) and normalize_cell(r[j]) == text for r in below
        )
    return repeated_count


def _is_group_header(row: CellRow, below: Sequence[CellRow]) -> bool:
    """Whether the names stand in the next line: this one repeats itself, or the next has none
    of the numbers that its columns hold."""
    if not below:
        return False
    following, rest = below[0], below[1:]
    if looks_like_data(following, rest):
        return False
    cells = _filled_cells(row)
    if len(set(cells)) < len(cells) and len(set(_filled_cells(following))) == len(
        _filled_cells(following)
    ):
        return True
    value_columns = [
        j for j in range(len(following)) if _is_mostly_values([r[j] for r in rest if j < len(r)])
    ]
    return len(value_columns) >= 2 and not any(
        _DATA_LIKE_CELL.search(normalize_cell(following[j])) for j in value_columns
    )


def _is_mostly_values(cells: Sequence[str | None]) -> bool:
    """Whether cells are numbers, days or the like, but for few."""
    filled = [normalize_cell(cell) for cell in cells if normalize_cell(cell)]
    return len(filled) > 2 and sum(bool(_DATA_LIKE_CELL.search(c)) for c in filled) > 0.8 * len(
        filled
    )


class LargerTable(NamedTuple):
    """The larger table: rows, their lines, the line of its names, and where the other begins."""

    frame: pl.DataFrame
    lines: np.ndarray
    header: int | None
    """None: the line of names is that of the whole."""
    other: int


def find_larger_table(frame: pl.DataFrame, lines: np.ndarray) -> LargerTable | None:
    """The larger of two tables that a blank line parts; None: there is one only."""
    for row_number in (np.flatnonzero(np.diff(lines) > 1) + 1)[:_MAX_BLANK_LINES].tolist():
        row, above = frame.row(row_number), frame[max(0, row_number - _ROWS_ABOVE) : row_number]
        if row_number + 1 < frame.height and _is_second_header(row, above):
            return _split_tables(frame, lines, row_number, row)
    return None


def _split_tables(
    frame: pl.DataFrame, lines: np.ndarray, row_number: int, row: CellRow
) -> LargerTable:
    if row_number >= frame.height - row_number - 1:
        return LargerTable(frame[:row_number], lines[:row_number], None, int(lines[row_number]))
    names = header_names(row, (), frame.width)
    lower_rows = frame[row_number + 1 :].rename(dict(zip(frame.columns, names, strict=True)))
    return LargerTable(lower_rows, lines[row_number + 1 :], int(lines[row_number]), int(lines[0]))


def _is_second_header(row: CellRow, above: pl.DataFrame) -> bool:
    """Whether a line holds several words, none of them a value, also where values stood above."""
    filled = {j: text for j, cell in enumerate(row) if (text := normalize_cell(cell))}
    value_columns = [j for j, series in enumerate(above) if _is_mostly_values(series.to_list())]
    if len(filled) < 2 or len({*filled.values()}) < len(filled) or not {*value_columns} & {*filled}:
        return False
    return not any(_DATA_LIKE_CELL.search(text) for text in filled.values())
