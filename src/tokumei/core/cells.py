"""Generalized cells, as they are written: interval `[a;b]`, set `{x;y}`, suppressed `*`.

Ends of an interval are numbers, ISO dates or times; members of a set are any text without `;`.
What may be missing as well begins with `∅`: `{∅;[a;b]}`, `{∅;x;y}`.
Whatever does not parse as one of these is a plain value; what others write is read in
`notations.py`. Faults name the cell they are in. Values as whole numbers stand here, too: places in
a list, classes of equal rows, ranks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.notations import ends_of, number
from tokumei.core.text import Text

STAR = "*"
GAP = "∅"
"""A missing value, among others that a cell may stand for."""
PLAIN_GAP = "NULL"
"""The same in an encoding that lacks the sign."""
GAPS = frozenset({GAP, PLAIN_GAP})
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(Z|[+-]\d{2}:?\d{2}| ?[A-Z]{3,4})?"
)
LineOf = Callable[[int], int]
"""From a row of a frame to its line in the file."""
ROW = "tokumei_row"


class Shape(Enum):
    """How a cell is written."""

    PLAIN = "plain"
    INTERVAL = "interval"
    SET = "set"
    SUPPRESSED = "suppressed"
    UNREAD = "unread"
    """Nothing explains it."""


@dataclass(frozen=True)
class Cell:
    """One parsed cell; an interval has the member None if its value may be missing, too."""

    shape: Shape
    text: str | None
    low: float = math.nan
    high: float = math.nan
    members: frozenset[str | None] = frozenset()

    @property
    def is_general(self) -> bool:
        """Whether the cell stands for more than one value."""
        return self.shape is not Shape.PLAIN

    def covers(self, value: str) -> bool:
        """Whether the plain value (canonical text) may be behind this cell."""
        if self.shape is Shape.SUPPRESSED:
            return True
        if self.shape is Shape.SET:
            return value in self.members
        if self.shape is Shape.INTERVAL:
            return self.low <= number(value) <= self.high
        return value == self.text


def parse_cell(text: str) -> Cell:
    """Read one cell; text that is no generalized cell is plain."""
    if text == STAR:
        return Cell(Shape.SUPPRESSED, text, -math.inf, math.inf)
    if text.startswith("[") and text.endswith("]"):
        ends = text[1:-1].split(";")
        if len(ends) == 2:
            low, high = number(ends[0]), number(ends[1])
            if low <= high:
                return Cell(Shape.INTERVAL, text, low, high)
    if text.startswith("{") and text.endswith("}") and len(text) > 2:
        known = beside_gap(text)
        return _set_cell(text) if known is None else with_gap(text, parse_cell(known))
    value = number(text)
    return Cell(Shape.PLAIN, plain_text(text), value, value)


def beside_gap(text: str) -> str | None:
    """The cell of what is known in `{∅;…}`; None: the cell is none of these."""
    sign, _, known = text[1:-1].partition(";")
    if text[:1] + text[-1:] != "{}" or sign not in GAPS or not known:
        return None
    alone = ";" not in known or parse_cell(known).shape is Shape.INTERVAL
    return known if alone else "{" + known + "}"


def with_gap(text: str, known: Cell, more: Set[str] = frozenset()) -> Cell:
    """The cell of a text that stands for what `known` does, for `more`, or for a missing value."""
    if known.shape in (Shape.SUPPRESSED, Shape.UNREAD):
        return replace(known, text=text)
    shape = Shape.SET if known.shape is Shape.PLAIN else known.shape
    own = {known.text} if known.shape is Shape.PLAIN else known.members
    return Cell(shape, text, known.low, known.high, frozenset({*own, *more, None}))


def plain_text(text: str) -> str:
    """The canonical text of a plain value: `1.50` is `1.5`, `2.0` is `2`, times have a `T`."""
    if text.lstrip("-").isdigit():
        return text
    if NUMBER.fullmatch(text):
        value = float(text)
        whole = math.isfinite(value) and value == round(value) and abs(value) < 2**53
        return str(round(value)) if whole else repr(value)
    moment = MOMENT.fullmatch(text)
    if moment is None:
        return text
    fraction = (moment[3] or "").rstrip("0").rstrip(".")
    return f"{moment[1]}T{moment[2]}{fraction}{moment[4] or ''}"


def canonical(series: pl.Series) -> pl.Series:
    """A column as canonical text, equal for equal values whatever their types and spelling."""
    text = series.cast(pl.String)
    if series.dtype.is_integer() or series.dtype in (pl.Date, pl.Boolean):
        return text
    unique = text.unique().drop_nulls()
    plain = pl.Series([plain_text(value) for value in unique], dtype=pl.String)
    changed = plain != unique
    if not changed.any():
        return text
    return text.replace(unique.filter(changed), plain.filter(changed))


def is_general(series: pl.Series) -> pl.Series:
    """Which cells of a column are generalized."""
    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return pl.Series(np.zeros(len(series), dtype=bool))
    texts = series.cast(pl.String)
    general = [text for text in texts.unique().drop_nulls() if parse_cell(text).is_general]
    return texts.is_in(general).fill_null(False)


def bounds(series: pl.Series) -> tuple[np.ndarray, np.ndarray]:
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
    found = zip(*(_ends(value) for value in unique), strict=True) if len(unique) else ((), ())
    low, high = (
        text.replace_strict(unique, ends, default=math.nan, return_dtype=pl.Float64)
        for ends in map(list, found)
    )
    return low.fill_null(math.nan).to_numpy(), high.fill_null(math.nan).to_numpy()


def _ends(text: str) -> tuple[float, float]:
    cell = parse_cell(text)
    written = ends_of(text) if math.isnan(cell.low) else None
    return written or (cell.low, cell.high)


def _set_cell(text: str) -> Cell:
    members = frozenset(plain_text(member) for member in text[1:-1].split(";"))
    values = [number(member) for member in members]
    if any(math.isnan(value) for value in values):
        return Cell(Shape.SET, text, members=members)
    return Cell(Shape.SET, text, min(values), max(values), members)


def cell_fault(
    series: pl.Series, row: int, line_of: LineOf | None, *, rule: str, wrong: Text
) -> Fault:
    """The fault of a cell, by its line in the file, or by its row where there is no file."""
    shown = "" if series[row] is None else str(series[row])
    line = line_of(row) if line_of else None
    place = Text(f"line {line}", f"{line} 行目")
    if line is None:
        place = Text(f"row {row} (from 0)", f"第 {row} 行 (0 始まり)")
    message = Text(
        f"{place.en}, column '{series.name}': '{shown}' {wrong.en}",
        f"{place.ja}、列 '{series.name}': '{shown}' {wrong.ja}",
    )
    return Fault(rule=rule, line=line, column=series.name, message=message)


def codes_in(series: pl.Series, names: pl.Series) -> np.ndarray:
    """The place of every cell in `names` (-1 where it is not among them)."""
    places = pl.DataFrame({"name": names, "place": np.arange(len(names), dtype=np.int64)})
    cells = series.alias("name").to_frame()
    found = cells.join(places, on="name", how="left", maintain_order="left")
    return found["place"].fill_null(-1).to_numpy()


def class_codes(frame: pl.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """A dense class number per row, by first appearance; equal vectors share it.

    No columns: one class.
    """
    codes = np.zeros(frame.height, dtype=np.int64)
    if not columns or not frame.height:
        return codes
    rows = frame.select(columns).with_row_index(ROW)
    members = rows.group_by([*columns], maintain_order=True).agg(ROW)[ROW]
    sizes = members.list.len().to_numpy()
    codes[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return codes


def rank_classes(values: np.ndarray, classes: int) -> np.ndarray:
    """The class of every value, 1 (smallest) to `classes`, all as large as ties allow.

    Equal values share the mean of their ranks r of 1…n, and the class is that of (r − ½) / n;
    if all are equal they are in the middle one.
    """
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, "left")
    upto = np.searchsorted(ordered, values, "right")
    return np.asarray(classes * (below + upto) // (2 * max(len(values), 1)) + 1)
