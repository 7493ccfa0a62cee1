"""Makes cells of a released column coarser: wider ranges, larger sets, a top code.

A recoding returns the new column, or None where it cannot make one.
"""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.core.generalized_cells import SUPPRESSED_CELL, CellShape, canonicalize_value

MAX_SET = 12
"""A set of more values is published as `*`."""
TOP_SHARE = 0.95
FORBIDDEN_IN_SETS = frozenset(";{}[]")
STEPS = (1, 2, 2.5, 5, 10)
DAY_STEPS = (1, 7, 30, 91, 365, 1825, 3650)


def is_ordered(codes: ColumnCodes) -> bool:
    """Whether all values are numbers or days, so that ranges can be published."""
    numbers = codes.numbers[codes.domain]
    has_texts = bool(codes.texts) and any(
        codes.texts[rank] is not None and np.isnan(codes.numbers[rank]) for rank in codes.domain
    )
    days = numbers[~np.isnan(numbers)]
    is_whole = not codes.is_date or bool((days == np.round(days)).all())
    return len(days) > 0 and not has_texts and is_whole


def cell_texts(codes: ColumnCodes) -> list[str | None]:
    """Every cell as text that is read as the same."""
    return [text_of_cell(codes, place) for place in range(len(codes.cells))]


def text_of_cell(codes: ColumnCodes, place: int) -> str | None:
    """A cell as text that is read as the same."""
    cell = codes.cells[place]
    if cell.shape is CellShape.INTERVAL:
        return cell_text(codes, int(codes.low[place]), int(codes.high[place]))
    return cell.text if codes.texts else number_text(codes, float(codes.numbers[codes.low[place]]))


def number_text(codes: ColumnCodes, number: float) -> str | None:
    """A number or day as it is written; None: missing."""
    if math.isnan(number):
        return None
    if codes.is_date:
        return date.fromordinal(int(number)).isoformat()
    return canonicalize_value(repr(number))


def cell_text(codes: ColumnCodes, low: int, high: int) -> str | None:
    """The range of numbers between two ranks; `*` where a missing value is among them."""
    ends = [number_text(codes, float(codes.numbers[rank])) for rank in (low, high)]
    if low == high:
        return ends[0]
    return SUPPRESSED_CELL if None in ends else f"[{ends[0]};{ends[1]}]"


def spread(codes: ColumnCodes, texts: list[str | None]) -> pl.Series:
    """A column from the text of every cell."""
    words = pl.Series(codes.name, texts, dtype=pl.String)
    return words.gather(codes.cell_code)


def coarsen(codes: ColumnCodes, groups: int) -> pl.Series | None:
    """The column in about so many ranges, or with its rare values in one set."""
    if is_ordered(codes):
        return _coarsen_numbers(codes, groups)
    return _coarsen_texts(codes, groups)


def _coarsen_numbers(codes: ColumnCodes, groups: int) -> pl.Series | None:
    texts = cell_texts(codes)
    low, high = codes.numbers[codes.low.clip(0)], codes.numbers[codes.high.clip(0)]
    middle = (low + high) / 2
    usable = np.array([c.shape in (CellShape.PLAIN, CellShape.INTERVAL) for c in codes.cells])
    usable &= ~np.isnan(middle) & (codes.low <= codes.high)
    if not usable.any():
        return None
    step = step_for_groups(codes, groups)
    if step <= 0:
        return None
    bins = np.floor(np.where(usable, middle, 0.0) / step)
    for number in np.unique(bins[usable]):
        members = np.flatnonzero(usable & (bins == number))
        text = cell_text(codes, int(codes.low[members].min()), int(codes.high[members].max()))
        for member in members:
            texts[member] = text
    return spread(codes, texts)


def step_for_groups(codes: ColumnCodes, groups: int) -> float:
    """A round width of ranges that makes about so many of the column's values; 0: none does."""
    numbers = codes.numbers[codes.domain]
    present = numbers[~np.isnan(numbers)]
    return nice_step(float(np.ptp(present)), groups, codes.is_date) if len(present) else 0.0


def round_numbers(codes: ColumnCodes, step: float) -> pl.Series | None:
    """The numbers of a column, rounded to multiples of a step; gaps stay gaps."""
    if not codes.is_number or codes.read_otherwise or codes.is_date or step <= 0:
        return None
    rounded = np.round(codes.numbers[codes.low] / step) * step
    texts = [number_text(codes, float(number)) for number in rounded]
    return spread(codes, texts).cast(pl.Float64)


def nice_step(width: float, groups: int, is_date: bool) -> float:
    """A round step that makes about so many groups of a width."""
    wanted = width / groups
    if wanted <= 0:
        return 0.0
    if is_date:
        return float(min(DAY_STEPS, key=lambda days: abs(math.log(days / wanted))))
    power = 10.0 ** math.floor(math.log10(wanted))
    return min((step * power for step in STEPS), key=lambda step: abs(math.log(step / wanted)))


def _coarsen_texts(codes: ColumnCodes, groups: int) -> pl.Series | None:
    """The most frequent values stay; all others become one set, or `*`."""
    if not codes.texts:
        return None
    counts = np.bincount(codes.cell_code, minlength=len(codes.cells))
    single = [place for place in np.argsort(-counts, kind="stable") if codes.is_plain[place]]
    kept = {int(place) for place in single[: max(groups - 1, 1)]}
    rest = sorted(
        {str(codes.cells[p].text) for p in single if p not in kept and codes.cells[p].text}
    )
    other = set_text(rest)
    texts = [
        cell.text if place in kept or not codes.is_plain[place] or cell.text is None else other
        for place, cell in enumerate(codes.cells)
    ]
    return spread(codes, texts) if rest and len(rest) > 1 else None


def set_text(members: list[str]) -> str:
    """A set of values; `*` where it is large or its members cannot be told apart."""
    if len(members) > MAX_SET or any(FORBIDDEN_IN_SETS & {*member} for member in members):
        return SUPPRESSED_CELL
    return members[0] if len(members) == 1 else "{" + ";".join(members) + "}"


def top_code(codes: ColumnCodes) -> pl.Series | None:
    """The column with its highest values in one range."""
    if not is_ordered(codes) or codes.read_otherwise:
        return None
    values = codes.numbers[codes.low[codes.cell_code]]
    present = values[~np.isnan(values)]
    if len(present) < 2:
        return None
    limit = float(np.quantile(present, TOP_SHARE, method="higher"))
    numbers = codes.numbers[codes.low]
    high = np.flatnonzero(~np.isnan(numbers) & (numbers >= limit))
    if len(high) < 2:
        return None
    texts = cell_texts(codes)
    text = cell_text(codes, int(codes.low[high].min()), int(codes.high[high].max()))
    for place in high:
        texts[place] = text
    return spread(codes, texts)
