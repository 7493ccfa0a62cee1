"""Predicates on a column's cells that several detectors use."""

from __future__ import annotations

import re
from collections.abc import Callable

from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.header_tokens import parse_header
from tokumei.tables.profiling.detection.name_detection import is_name, is_single_name

MAJORITY_SHARE = 0.6
"""A column has a type if this share of its filled cells has it."""
SURE, LIKELY, GUESS = 0.95, 0.85, 0.6
TypeMatch = tuple[str, float] | None
"""The type after all, with the confidence; None: the cells are something else."""
TypeValidator = Callable[[ColumnCells], TypeMatch]
IDENTIFIER_NUMBER_TYPES = (
    "member_id", "record_id", "device_id", "insurance_no", "bank_account", "my_number", "passport",
    "ssn", "card",
)  # fmt: skip
"""Types of numbers that identify."""


def is_within(cells: ColumnCells, low: float, high: float) -> bool:
    """Whether nearly all numbers lie between two."""
    values = cells.numbers.values
    cells_within = cells.weights.filter((values >= low) & (values <= high)).sum()
    return (
        cells.number_share > MAJORITY_SHARE
        and int(cells_within) >= 0.97 * cells.total * cells.number_share
    )


def share_of_names(cells: ColumnCells) -> float:
    """Share of the cells that look like names of people, whole ones or parts."""
    return max(cells.share_passing(is_name), cells.share_passing(is_single_name))


def are_dates(cells: ColumnCells, *, named: bool) -> bool:
    """Whether most cells are days, written in any way that the column's name allows."""
    words = parse_header(cells.name).words + parse_header(cells.name).flat
    month = bool(re.search(r"月|month|ym", words))
    style = cells.style(named=named, epoch=named, month=month)
    return cells.are_days(style, MAJORITY_SHARE if named else 0.9)


def has_time(cells: ColumnCells) -> bool:
    """Whether cells tell the time of the day beside the day."""
    text, weights = cells.sample
    clock = r"\d{1,2}:\d{2}|\d時|^\d{10}(\d{3})?$|^\d{8}[T ]?\d{4,6}$"
    timed = int(weights.filter(text.str.contains(clock)).sum())
    midnight = int(weights.filter(text.str.contains(r"[T ]00:00(:00(\.0+)?)?$")).sum())
    return timed > 0.5 * int(weights.sum()) and midnight < 0.99 * timed


def is_textual(cells: ColumnCells) -> bool:
    """Whether cells are words rather than numbers or days."""
    return cells.number_share < 0.5 and not are_dates(cells, named=False)


def is_code_like(cells: ColumnCells) -> bool:
    """Whether cells are numbers of a list: whole, or codes of letters and digits."""
    if (
        cells.share("digits") > 0.9
        or cells.share("code") > MAJORITY_SHARE
        or cells.share("hash") > MAJORITY_SHARE
    ):
        return True
    return cells.is_number and cells.is_whole
