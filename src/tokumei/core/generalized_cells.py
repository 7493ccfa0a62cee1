"""Generalized cells, as they are written: interval `[a;b]`, set `{x;y}`, suppressed `*`.

Ends of an interval are numbers, ISO dates or times; members of a set are any text without `;`. What
may be missing as well begins with `∅`: `{∅;[a;b]}`, `{∅;x;y}`. Whatever does not parse as one of
these is a plain value; `cell_notations.py` parses other notations. Faults name the cell they are
in. Values as whole numbers stand here, too: places in a list, classes of equal rows, ranks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_interval, parse_number_or_day
from tokumei.core.errors import Violation
from tokumei.core.messages import Message

SUPPRESSED_CELL = "*"
MISSING_SIGN = "∅"
"""A missing value, among others that a cell may stand for."""
MISSING_WORD = "NULL"
"""The same in an encoding that lacks the sign."""
MISSING_MARKS = frozenset({MISSING_SIGN, MISSING_WORD})
NUMBER_PATTERN = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
TIMESTAMP_PATTERN = re.compile(
    r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(Z|[+-]\d{2}:?\d{2}| ?[A-Z]{3,4})?"
)
LineOfRow = Callable[[int], int]
"""From a row of a frame to its line in the file."""
ROW_COLUMN = "tokumei_row"


class CellShape(Enum):
    """How a cell is written."""

    PLAIN = "plain"
    INTERVAL = "interval"
    SET = "set"
    SUPPRESSED = "suppressed"
    UNREAD = "unread"
    """Nothing explains it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One parsed cell; an interval has the member None if its value may be missing, too."""

    shape: CellShape
    text: str | None
    low: float = math.nan
    high: float = math.nan
    members: frozenset[str | None] = frozenset()

    @property
    def is_generalized(self) -> bool:
        """Whether the cell stands for more than one value."""
        return self.shape is not CellShape.PLAIN

    def covers(self, value: str) -> bool:
        """Whether the plain value (canonical text) may be behind this cell."""
        if self.shape is CellShape.SUPPRESSED:
            return True
        if self.shape is CellShape.SET:
            return value in self.members
        if self.shape is CellShape.INTERVAL:
            return self.low <= parse_number_or_day(value) <= self.high
        return value == self.text


def parse_cell(text: str) -> Cell:
    """Read one cell; text that is no generalized cell is plain."""
    if text == SUPPRESSED_CELL:
        return Cell(CellShape.SUPPRESSED, text, -math.inf, math.inf)
    if text.startswith("[") and text.endswith("]"):
        ends = text[1:-1].split(";")
        if len(ends) == 2:
            low, high = parse_number_or_day(ends[0]), parse_number_or_day(ends[1])
            if low <= high:
                return Cell(CellShape.INTERVAL, text, low, high)
    if text.startswith("{") and text.endswith("}") and len(text) > 2:
        inner_text = strip_missing_mark(text)
        return (
            _parse_set_cell(text)
            if inner_text is None
            else add_missing_member(text, parse_cell(inner_text))
        )
    value = parse_number_or_day(text)
    return Cell(CellShape.PLAIN, canonicalize_value(text), value, value)


def strip_missing_mark(text: str) -> str | None:
    """The cell of what is known in `{∅;…}`; None: the cell is none of these."""
    sign, _, inner_text = text[1:-1].partition(";")
    if text[:1] + text[-1:] != "{}" or sign not in MISSING_MARKS or not inner_text:
        return None
    is_single_cell = ";" not in inner_text or parse_cell(inner_text).shape is CellShape.INTERVAL
    return inner_text if is_single_cell else "{" + inner_text + "}"


def add_missing_member(text: str, known: Cell, more: Set[str] = frozenset()) -> Cell:
    """The cell of a text that stands for what `known` does, for `more`, or for a missing value."""
    if known.shape in (CellShape.SUPPRESSED, CellShape.UNREAD):
        return replace(known, text=text)
    shape = CellShape.SET if known.shape is CellShape.PLAIN else known.shape
    known_members = {known.text} if known.shape is CellShape.PLAIN else known.members
    return Cell(shape, text, known.low, known.high, frozenset({*known_members, *more, None}))


def canonicalize_value(text: str) -> str:
    """The canonical text of a plain value: `1.50` is `1.5`, `2.0` is `2`, times have a `T`."""
    if text.lstrip("-").isdigit():
        return text
    if NUMBER_PATTERN.fullmatch(text):
        value = float(text)
        is_integer = math.isfinite(value) and value == round(value) and abs(value) < 2**53
        return str(round(value)) if is_integer else repr(value)
    moment = TIMESTAMP_PATTERN.fullmatch(text)
    if moment is None:
        return text
    fraction = (moment[3] or "").rstrip("0").rstrip(".")
    return f"{moment[1]}T{moment[2]}{fraction}{moment[4] or ''}"


def canonicalize_column(series: pl.Series) -> pl.Series:
    """A column as canonical text, equal for equal values whatever their types and spelling."""
    text = series.cast(pl.String)
    if series.dtype.is_integer() or series.dtype in (pl.Date, pl.Boolean):
        return text
    unique = text.unique().drop_nulls()
    plain = pl.Series([canonicalize_value(value) for value in unique], dtype=pl.String)
    changed = plain != unique
    if not changed.any():
        return text
    return text.replace(unique.filter(changed), plain.filter(changed))


def is_generalized(series: pl.Series) -> pl.Series:
    """Which cells of a column are generalized."""
    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return pl.Series(np.zeros(len(series), dtype=bool))
    texts = series.cast(pl.String)
    general = [text for text in texts.unique().drop_nulls() if parse_cell(text).is_generalized]
    return texts.is_in(general).fill_null(False)


def cell_bounds(series: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of each cell; NaN where it is no number."""
    if series.dtype.is_numeric():
        plain = series.cast(pl.Float64).to_numpy()
        return plain, plain
    if series.dtype in (pl.Date, pl.Datetime):
        # Ordinals, as `number` gives for the text of a date: day 0 of Polars is 1970-01-01.
        moments = series.cast(pl.Datetime("us")).cast(pl.Int64).cast(pl.Float64).to_numpy()
        days = moments / 86_400e6 + 719_163
        return days, days
    text = series.cast(pl.String)
    unique = text.unique().drop_nulls()
    interval_ends = (
        zip(*(_cell_ends(value) for value in unique), strict=True) if len(unique) else ((), ())
    )
    low, high = (
        text.replace_strict(unique, ends, default=math.nan, return_dtype=pl.Float64)
        for ends in map(list, interval_ends)
    )
    return low.fill_null(math.nan).to_numpy(), high.fill_null(math.nan).to_numpy()


def _cell_ends(text: str) -> tuple[float, float]:
    cell = parse_cell(text)
    notation_ends = parse_interval(text) if math.isnan(cell.low) else None
    return notation_ends or (cell.low, cell.high)


def _parse_set_cell(text: str) -> Cell:
    members = frozenset(canonicalize_value(member) for member in text[1:-1].split(";"))
    values = [parse_number_or_day(member) for member in members]
    if any(math.isnan(value) for value in values):
        return Cell(CellShape.SET, text, members=members)
    return Cell(CellShape.SET, text, min(values), max(values), members)


def cell_violation(
    series: pl.Series, row: int, line_of: LineOfRow | None, *, rule: str, wrong: Message
) -> Violation:
    """The fault of a cell, by its line in the file, or by its row where there is no file."""
    cell_text = "" if series[row] is None else str(series[row])
    line = line_of(row) if line_of else None
    place = Message("line {line}", line=line)
    if line is None:
        place = Message("row {row} (from 0)", row=row)
    message = Message(
        "{place}, column '{column}': {problem}",
        place=place,
        column=series.name,
        problem=wrong.fill(cell=cell_text),
    )
    return Violation(rule=rule, line=line, column=series.name, message=message)


def positions_in(series: pl.Series, names: pl.Series) -> np.ndarray:
    """The place of every cell in `names` (-1 where it is not among them)."""
    places = pl.DataFrame({"name": names, "place": np.arange(len(names), dtype=np.int64)})
    cells = series.alias("name").to_frame()
    joined = cells.join(places, on="name", how="left", maintain_order="left")
    return joined["place"].fill_null(-1).to_numpy()


def equivalence_class_codes(frame: pl.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """A dense class number per row, by first appearance; equal vectors share it.

    No columns: one class.
    """
    codes = np.zeros(frame.height, dtype=np.int64)
    if not columns or not frame.height:
        return codes
    rows = frame.select(columns).with_row_index(ROW_COLUMN)
    members = rows.group_by([*columns], maintain_order=True).agg(ROW_COLUMN)[ROW_COLUMN]
    sizes = members.list.len().to_numpy()
    codes[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return codes


def rank_quantiles(values: np.ndarray, classes: int) -> np.ndarray:
    """The class of every value, 1 (smallest) to `classes`, all as large as ties allow.

    Equal values share the mean of their ranks r of 1…n, and the class is that of (r − ½) / n;
    if all are equal they are in the middle one.
    """
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, "left")
    upto = np.searchsorted(ordered, values, "right")
    return np.asarray(classes * (below + upto) // (2 * max(len(values), 1)) + 1)
