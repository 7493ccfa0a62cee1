"""Normalizes cells of a history such as ￥1,415, 3個, 令和7年5月1日; counts every rule.

    frame, touched = normalize_cells(frame, {"day": "購入日", "price": "単価"})
    touched["単価"]        # {"nfkc": 900, "currency": 900, "thousands": 301}

Only columns with a cell that cannot be read as it stands are touched. What no rule reads stays as
it is, so that the reader names it; days whose order of day and month is open stay, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from datetime import time

import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.fields import field_value
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences, detect_date_style
from tokumei.core.parsing.numbers import parse_numbers
from tokumei.histories.data.column_parsing import (
    CODE_PATTERN,
    NUMBERS,
    infer_value_type,
    is_value_column,
    parse_column,
)

RuleCounts = dict[str, Counter[str]]
NORMALIZATION_RULES = (
    *("all", "nfkc", "thousands", "decimal-comma", "currency", "unit", "negative"),
    *("integer-as-float", "era", "date"),
)
"""What can be switched off."""


def normalize_cells(
    frame: pl.DataFrame,
    found: Mapping[str, str],
    off: Set[str] = frozenset(),
    said: DatePreferences = NO_PREFERENCES,
) -> tuple[pl.DataFrame, RuleCounts]:
    """Days and numbers in plain form, and how many cells each rule touched."""
    touched: RuleCounts = {}
    for column, name in found.items():
        cells = frame[name]
        if "all" in off or cells.dtype != pl.String:
            continue
        if is_value_column(column):
            normalized, counts = _normalize_value(cells, off, said)
        elif column in NUMBERS and parse_column(cells.drop_nulls(), column).null_count():
            normalized, counts = _normalize_column(cells, column, off, said)
        else:
            continue
        if counts:
            frame, touched[name] = frame.with_columns(normalized.alias(name)), counts
    return frame, touched


def _normalize_value(
    cells: pl.Series, off: Set[str], said: DatePreferences
) -> tuple[pl.Series, Counter[str]]:
    """Cells of a further value, if all that are filled stand for days, or all for numbers."""
    if infer_value_type(cells) == "item" and not cells.str.contains(CODE_PATTERN).any():
        for like in ("day", "price"):
            normalized, counts = _normalize_column(cells, like, off, said)
            if infer_value_type(normalized) == like:
                return normalized, counts
    return cells, Counter()


def _normalize_column(
    cells: pl.Series, column: str, off: Set[str], said: DatePreferences
) -> tuple[pl.Series, Counter[str]]:
    distinct = cells.drop_nulls().value_counts(name="n")
    raw, frequencies = distinct[cells.name], distinct["n"].to_list()
    text = raw if "nfkc" in off else raw.str.normalize("NFKC").str.strip_chars()
    normalized, rules = (
        _normalize_days(text, off, said) if column == "day" else _normalize_numbers(text, off)
    )
    counts: Counter[str] = Counter()
    for before, after, cell, rule_names, n in zip(
        raw, text, normalized, rules, frequencies, strict=True
    ):
        if cell is not None:
            counts.update(dict.fromkeys((*(["nfkc"] if before != after else []), *rule_names), n))
    new = [old if cell is None else cell for old, cell in zip(raw, normalized, strict=True)]
    return cells.replace(raw, pl.Series(new, dtype=pl.String)), counts


def _normalize_numbers(text: pl.Series, off: Set[str]) -> tuple[list[str | None], list[list[str]]]:
    parsed = parse_numbers(text, off)
    number_texts = [None if value is None else repr(value) for value in parsed.values]
    masks = {rule: mask.to_list() for rule, mask in parsed.touched.items()}
    return number_texts, [[r for r, mask in masks.items() if mask[i]] for i in range(len(text))]


def _normalize_days(
    text: pl.Series, off: Set[str], said: DatePreferences
) -> tuple[list[str | None], list[list[str]]]:
    style = detect_date_style(text, named=True, off=off, said=said)
    parsed = [style.read(cell) for cell in text]
    if style.undecided and all(day for day, _ in parsed):
        raise InputError(
            "{column}: is 3/4 the 3rd of April or the 4th of March? No cell decides it; say "
            "{setting} or mdy (or ymd)",
            field="date_order",
            column=text.name,
            setting=field_value("date_order", "dmy"),
        )
    if style.undecided:
        return [None] * len(text), [[]] * len(text)
    rules = [[rule] if rule else [] for _, rule in parsed]
    return [None if day is None else day.isoformat() for day, _ in parsed], rules


def describe_dropped_times(days: pl.DataFrame) -> list[Message]:
    """One line per column of days whose cells tell the time as well."""
    timed = [
        cells.name
        for cells in days
        if (cells.dtype == pl.Datetime and (cells.dt.time() != time(0)).any())
        or (cells.dtype == pl.String and cells.str.contains(r"\d:\d\d").any())
    ]
    return [
        Message("{column}: only the day is used; times of day are not released", column=name)
        for name in timed
    ]


def describe_normalization(touched: RuleCounts) -> list[Message]:
    """One line per rule and column."""
    return [
        Message("Normalized: {rule} {cells} ({column})", rule=rule, cells=n, column=name)
        for name, counts in touched.items()
        for rule, n in counts.items()
    ]
