"""Cells of a history as people write them: ￥1,415, 3個, 令和7年5月1日; every rule is counted.

    frame, touched = in_plain_form(frame, {"day": "購入日", "price": "単価"})
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
from tokumei.core.text import Text
from tokumei.core.written.dates import UNSAID, Days, find_style
from tokumei.core.written.numbers import parse_numbers
from tokumei.histories.data.columns import CODE, NUMBERS, is_value, likeness, read_column

Touched = dict[str, Counter[str]]
RULES = (
    *("all", "nfkc", "thousands", "decimal-comma", "currency", "unit", "negative"),
    *("integer-as-float", "era", "date"),
)
"""What can be switched off."""


def in_plain_form(
    frame: pl.DataFrame,
    found: Mapping[str, str],
    off: Set[str] = frozenset(),
    said: Days = UNSAID,
) -> tuple[pl.DataFrame, Touched]:
    """Days and numbers in plain form, and how many cells each rule touched."""
    touched: Touched = {}
    for own, name in found.items():
        cells = frame[name]
        if "all" in off or cells.dtype != pl.String:
            continue
        if is_value(own):
            plain, counts = _plain_value(cells, off, said)
        elif own in NUMBERS and read_column(cells.drop_nulls(), own).null_count():
            plain, counts = _plain(cells, own, off, said)
        else:
            continue
        if counts:
            frame, touched[name] = frame.with_columns(plain.alias(name)), counts
    return frame, touched


def _plain_value(cells: pl.Series, off: Set[str], said: Days) -> tuple[pl.Series, Counter[str]]:
    """Cells of a further value, if all that are filled stand for days, or all for numbers."""
    if likeness(cells) == "item" and not cells.str.contains(CODE).any():
        for like in ("day", "price"):
            plain, counts = _plain(cells, like, off, said)
            if likeness(plain) == like:
                return plain, counts
    return cells, Counter()


def _plain(cells: pl.Series, own: str, off: Set[str], said: Days) -> tuple[pl.Series, Counter[str]]:
    distinct = cells.drop_nulls().value_counts(name="n")
    raw, often = distinct[cells.name], distinct["n"].to_list()
    text = raw if "nfkc" in off else raw.str.normalize("NFKC").str.strip_chars()
    made, rules = _days(text, off, said) if own == "day" else _numbers(text, off)
    counts: Counter[str] = Counter()
    for before, after, one, names, n in zip(raw, text, made, rules, often, strict=True):
        if one is not None:
            counts.update(dict.fromkeys((*(["nfkc"] if before != after else []), *names), n))
    new = [old if one is None else one for old, one in zip(raw, made, strict=True)]
    return cells.replace(raw, pl.Series(new, dtype=pl.String)), counts


def _numbers(text: pl.Series, off: Set[str]) -> tuple[list[str | None], list[list[str]]]:
    read = parse_numbers(text, off)
    made = [None if value is None else repr(value) for value in read.values]
    masks = {rule: mask.to_list() for rule, mask in read.touched.items()}
    return made, [[r for r, mask in masks.items() if mask[i]] for i in range(len(text))]


def _days(text: pl.Series, off: Set[str], said: Days) -> tuple[list[str | None], list[list[str]]]:
    style = find_style(text, named=True, off=off, said=said)
    read = [style.read(cell) for cell in text]
    if style.undecided and all(day for day, _ in read):
        raise InputError(
            f"{text.name}: is 3/4 the 3rd of April or the 4th of March? No cell decides it; say "
            f"{field_value('date_order', 'dmy')} or mdy (or ymd)",
            f"{text.name}: 3/4 は 3 月 4 日ですか、4 月 3 日ですか? 決め手になるセルがありません。"
            f"{field_value('date_order', 'dmy')} か mdy (または ymd) を指定してください",
            field="date_order",
        )
    if style.undecided:
        return [None] * len(text), [[]] * len(text)
    rules = [[rule] if rule else [] for _, rule in read]
    return [None if day is None else day.isoformat() for day, _ in read], rules


def times_left_out(days: pl.DataFrame) -> list[Text]:
    """One line per column of days whose cells tell the time as well."""
    timed = [
        cells.name
        for cells in days
        if (cells.dtype == pl.Datetime and (cells.dt.time() != time(0)).any())
        or (cells.dtype == pl.String and cells.str.contains(r"\d:\d\d").any())
    ]
    return [
        Text(
            f"{name}: only the day is used; times of day are not released",
            f"{name}: 日だけを使い、時刻は公開しません",
        )
        for name in timed
    ]


def told(touched: Touched) -> list[Text]:
    """One line per rule and column."""
    return [
        Text(f"Normalized: {rule} {n} ({name})", f"正規化: {rule} {n} ({name})")
        for name, counts in touched.items()
        for rule, n in counts.items()
    ]
