"""The lines of a stranger's table: separator, titles, names, totals; and two tables in one."""

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
Row = Sequence[str | None]

_TOTAL = re.compile(
    r"^(合計|総計|小計|累計|計|平均|総合計|合 計|(grand |sub)?-?totals?|averages?|means?|sum"
    r"|(gesamt|zwischen)?summe|gesamt|durchschnitt|totaux|somme|moyenne|totales|suma|promedio|totale|somma|media"
    r"|soma|итого|всего|合计|总计|小计|平均值|합계|총계|소계|평균)"
    r"\s*[:：]?$",
    re.IGNORECASE,
)
_REMARK = re.compile(r"^(※|\*|注|出典|備考|資料|source|note)", re.IGNORECASE)
_DATA_LIKE = re.compile(
    r"^[¥\\$£€▲△+(-]?\s?[0-9][0-9,.]*\s?[%円)]?$|^[0-9]{1,4}[-/.年][0-9]{1,2}([-/.月]|$)"
    r"|^(明治|大正|昭和|平成|令和|[MTSHR])[0-9元]{1,2}[年.]|@.+\.|^0[0-9]+-[0-9]+"
    r"|^[0-9a-f]{8}-[0-9a-f]{4}|^(true|false|男性?|女性?|na|null|nan)$|^[0-9]{2}:[0-9]{2}",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^(19|20)[0-9]{2}年?(度)?$")
_LONG = 60
_LONGEST = 2**28
_NARROWEST = 0.8
_SPARSE = 1 / 5
_MOST_SPARSE = 5
_NEAR = 60
_MOST = 200
"""So many blank lines are looked behind: what comes after more of them is no second table."""


@dataclass(frozen=True)
class Frame:
    """Where a table stands among its lines: the line of names, and the first line of cells."""

    header: int | None
    first: int
    names: tuple[str, ...]


def plain(cell: str | None) -> str:
    """A cell as it is compared: NFKC, without outer blanks."""
    return unicodedata.normalize("NFKC", cell or "").strip()


def guess_separator(lines: Sequence[str]) -> str | None:
    """The separator by which most lines have the same number of fields; None: there is none."""
    best: tuple[float, int, int] | None = None
    for rank, sep in enumerate(SEPARATORS):
        widths = Counter(len(row) for row in split_lines(lines, sep) if any(row))
        wide = {width: n for width, n in widths.items() if width > 1}
        if not wide:
            continue
        width, agreeing = max(wide.items(), key=lambda one: (one[1], one[0]))
        found = (round(agreeing / sum(widths.values()), 1), width, rank)
        best = max(best, found) if best else found
    return SEPARATORS[best[2]] if best else None


def split_lines(lines: Sequence[str], sep: str) -> list[list[str]]:
    """Records as fields, quotation marks respected; none if this separator cannot be theirs."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST))
    try:
        return list(csv.reader(lines, delimiter=sep))
    except csv.Error:
        return []


def find_frame(rows: Sequence[Row], width: int) -> Frame:
    """The line of names among the first lines of a table, and where its cells begin."""
    wide = [i for i, row in enumerate(rows) if _is_wide(row, width)]
    for at, i in enumerate(wide[:3]):
        below = [rows[j] for j in wide[at + 1 : at + 60]]
        if looks_like_data(rows[i], below):
            return Frame(None, i, tuple(f"column{j}" for j in range(1, width + 1)))
        if not _is_group_line(rows[i], below):
            return Frame(i, i + 1, header_names(rows[i], rows[i - 1] if i else (), width))
    first = wide[0] if wide else 0
    return Frame(first, first + 1, header_names(rows[first], (), width))


def header_names(row: Row, above: Row, width: int) -> tuple[str, ...]:
    """Names of columns: blanks from the merged cell above or `Unnamed: j`, repeated ones `.2`."""
    names: list[str] = []
    # A line above the names may hold merged cells: some names, not all.
    merged = 1 < len(_filled(above)) < width
    for j in range(width):
        name = " ".join((row[j] or "").split()) if j < len(row) else ""
        if not name and merged and j < len(above):
            name = " ".join((above[j] or "").split())
        name = name or f"Unnamed: {j}"
        repeated, number = name, 2
        while repeated in names:
            repeated, number = f"{name}.{number}", number + 1
        names.append(repeated)
    return tuple(names)


def renamed(frame: Frame, rows: Sequence[Row]) -> tuple[str, ...]:
    """The columns that have no name in the file, or that of another, and got one here."""
    if frame.header is None:
        return ()
    given = [" ".join((cell or "").split()) for cell in rows[frame.header]]
    given += [""] * (len(frame.names) - len(given))
    pairs = zip(frame.names, given, strict=False)
    made = (name for name, old in pairs if name != old)
    return tuple(name for name in made if re.search(r"^Unnamed: |\.[0-9]+$", name))


def lines_below(rows: Sequence[Row], width: int) -> int:
    """How many of the last lines are no rows: totals, remarks, nearly empty or blank ones."""
    below = sparse = 0
    for row in reversed(rows):
        cells = [plain(cell) for cell in row]
        filled = [cell for cell in cells if cell]
        if filled and not _TOTAL.match(cells[0]):
            few = len(filled) <= width * _SPARSE or (width > 2 and len(row) == 1)
            remark = len(filled) == 1 and bool(_REMARK.match(filled[0]))
            sparse += 1
            if not (few or remark) or sparse > _MOST_SPARSE:
                break
        below += 1
    return below


def are_totals(cells: pl.Series) -> pl.Series:
    """Which cells are the label of a total."""
    return cells.str.strip_chars().str.contains(f"(?i){_TOTAL.pattern}").fill_null(False)


def _filled(row: Row) -> list[str]:
    return [cell for cell in map(plain, row) if cell]


def _is_wide(row: Row, width: int) -> bool:
    filled = len(_filled(row))
    return filled >= _NARROWEST * width or (filled >= width - 1 and width > 2)


def looks_like_data(row: Row, below: Sequence[Row]) -> bool:
    """Whether a line holds cells rather than names: it has values, or what stands below again."""
    cells = _filled(row)
    values = [c for c in cells if _DATA_LIKE.search(c) or len(c) > _LONG]
    if values and not all(_YEAR.match(cell) for cell in values) and len(values) > len(cells) / 5:
        return True
    return _repeated_below(row, below) > max(len(cells) / 5, 0.5)


def _repeated_below(row: Row, below: Sequence[Row]) -> int:
    """In how many columns the cell occurs again: names of columns are no cells of theirs."""
    found = 0
    for j, cell in enumerate(row):
        text = plain(cell)
        found += bool(text) and any(j < len(r) and plain(r[j]) == text for r in below)
    return found


def _is_group_line(row: Row, below: Sequence[Row]) -> bool:
    """Whether the names stand in the next line: this one repeats itself, or the next has none
    of the numbers that its columns hold."""
    if not below:
        return False
    following, rest = below[0], below[1:]
    if looks_like_data(following, rest):
        return False
    cells = _filled(row)
    if len(set(cells)) < len(cells) and len(set(_filled(following))) == len(_filled(following)):
        return True
    numbers = [
        j for j in range(len(following)) if _mostly_values([r[j] for r in rest if j < len(r)])
    ]
    return len(numbers) >= 2 and not any(_DATA_LIKE.search(plain(following[j])) for j in numbers)


def _mostly_values(cells: Sequence[str | None]) -> bool:
    """Whether cells are numbers, days or the like, but for few."""
    filled = [plain(cell) for cell in cells if plain(cell)]
    return len(filled) > 2 and sum(bool(_DATA_LIKE.search(c)) for c in filled) > 0.8 * len(filled)


class Part(NamedTuple):
    """The larger table: rows, their lines, the line of its names, and where the other begins."""

    frame: pl.DataFrame
    lines: np.ndarray
    header: int | None
    """None: the line of names is that of the whole."""
    other: int


def larger_part(frame: pl.DataFrame, lines: np.ndarray) -> Part | None:
    """The larger of two tables that a blank line parts; None: there is one only."""
    for at in (np.flatnonzero(np.diff(lines) > 1) + 1)[:_MOST].tolist():
        row, above = frame.row(at), frame[max(0, at - _NEAR) : at]
        if at + 1 < frame.height and _names_others(row, above):
            return _parted(frame, lines, at, row)
    return None


def _parted(frame: pl.DataFrame, lines: np.ndarray, at: int, row: Row) -> Part:
    if at >= frame.height - at - 1:
        return Part(frame[:at], lines[:at], None, int(lines[at]))
    names = header_names(row, (), frame.width)
    rest = frame[at + 1 :].rename(dict(zip(frame.columns, names, strict=True)))
    return Part(rest, lines[at + 1 :], int(lines[at]), int(lines[0]))


def _names_others(row: Row, above: pl.DataFrame) -> bool:
    """Whether a line holds several words, none of them a value, also where values stood above."""
    filled = {j: text for j, cell in enumerate(row) if (text := plain(cell))}
    values = [j for j, series in enumerate(above) if _mostly_values(series.to_list())]
    if len(filled) < 2 or len({*filled.values()}) < len(filled) or not {*values} & {*filled}:
        return False
    return not any(_DATA_LIKE.search(text) for text in filled.values())
