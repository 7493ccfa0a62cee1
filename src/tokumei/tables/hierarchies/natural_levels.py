"""Natural levels of words: regions of states and prefectures, scales, rare values.

state_hierarchy(series)         # CA → Pacific → West → *
prefecture_code_hierarchy(series)      # 08 → 関東 → *
scale_hierarchy(series)         # S, M, L: neighbours are merged
rare_hierarchy(series)          # what few rows have becomes "other"
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
import polars as pl

from tokumei.core.messages import Message
from tokumei.tables.hierarchies.builtin import load_prefectures, load_us_states
from tokumei.tables.hierarchies.column_values import (
    ColumnValues,
    build_hierarchy,
    unfit_values_error,
)
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.text_hierarchies import merge_hierarchy

RARE_ROWS = (10, 50)
"""Values on fewer rows than this become one; then those on a few per cent of the rows."""
RARE_SHARES = (0.02, 0.1)
_JAPANESE = r"[ぁ-んァ-ヶ一-龠]"


@cache
def _divisions_by_state() -> dict[str, tuple[str, str]]:
    """Division and region by name, abbreviation and code of a state, in capitals."""
    divisions = dict[str, tuple[str, str]]()
    for region in load_us_states():
        for division, states in region["divisions"].items():
            for name, codes in states.items():
                for word in (name, *codes, codes[1].lstrip("0")):
                    divisions[word.upper()] = (division, region["name"])
    return divisions


@cache
def _region_by_prefecture_code() -> dict[str, str]:
    """The region by the code of a prefecture, with and without its leading zero."""
    names = [region["ja"] for region in load_prefectures() for _ in region["prefectures"]]
    codes = {f"{number:02}": name for number, name in enumerate(names, 1)}
    return codes | {code.lstrip("0"): name for code, name in codes.items()}


def are_states(text: pl.Series) -> bool:
    """Whether all values are states of the USA, by name or abbreviation."""
    words = {word for word in _divisions_by_state() if not word.isdigit()}
    return text.str.to_uppercase().is_in(list(words)).all()


def are_state_codes(text: pl.Series) -> bool:
    """Whether all values are FIPS codes of states."""
    codes = [word for word in _divisions_by_state() if word.isdigit()]
    return text.is_in(codes).all()


def are_prefecture_codes(text: pl.Series) -> bool:
    """Whether all values are codes of prefectures."""
    return text.is_in(list(_region_by_prefecture_code())).all()


def state_hierarchy(series: pl.Series) -> Hierarchy:
    """States by name, abbreviation or code: their division, then their region."""
    values, divisions = ColumnValues.of(series), _divisions_by_state()
    found = [divisions.get(word.upper()) for word in values.text]
    _require_all(values, [place is not None for place in found], Message("not a state of the USA"))
    places = [place for place in found if place is not None]
    division = pl.Series([place[0] for place in places], dtype=pl.String)
    region = pl.Series([place[1] for place in places], dtype=pl.String)
    return build_hierarchy(values, [division, region])


def prefecture_code_hierarchy(series: pl.Series) -> Hierarchy:
    """Codes of prefectures: their regions."""
    values, regions = ColumnValues.of(series), _region_by_prefecture_code()
    found = [regions.get(word) for word in values.text]
    _require_all(
        values, [name is not None for name in found], Message("not a code of a prefecture")
    )
    return build_hierarchy(values, [pl.Series(found, dtype=pl.String)])


def find_scale(text: pl.Series) -> list[str] | None:
    """The values in the order of the scale that has all of them; None: no scale has."""
    words = {word.strip().lower(): word for word in text}
    if len(words) < len(text):
        return None
    for scale in _read_scales():
        if words.keys() <= set(scale):
            return [words[word] for word in scale if word in words]
    return None


@cache
def _read_scales() -> tuple[tuple[str, ...], ...]:
    text = files("tokumei.tables.hierarchies").joinpath("scales.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(tuple(line.split("|")) for line in lines)


def scale_hierarchy(series: pl.Series) -> Hierarchy:
    """Answers in their order: neighbours are merged, two at a time."""
    values = ColumnValues.of(series)
    order = find_scale(values.text)
    if order is None:
        _require_all(values, [False] * len(values), Message("not on a known scale"))
    return merge_hierarchy(series, fanout=2, order=order)


def rare_hierarchy(series: pl.Series) -> Hierarchy:
    """Values of few rows become one, then those of a few per cent of the rows; then all."""
    values = ColumnValues.of(series)
    rows, japanese = int(values.counts.sum()), values.text.str.contains(_JAPANESE).any()
    limits = sorted({*RARE_ROWS, *(int(share * rows) for share in RARE_SHARES)})
    levels, rare_count = list[pl.Series](), 1
    for limit in limits:
        is_rare = pl.Series(values.counts < limit)
        if not rare_count < int(is_rare.sum()) < len(values):
            continue
        rare_count = int(is_rare.sum())
        label = _rare_label(rare_count, japanese, values.text)
        levels.append(
            pl.Series([label]).new_from_index(0, len(values)).zip_with(is_rare, values.text)
        )
    return build_hierarchy(values, levels)


def _rare_label(count: int, japanese: bool, text: pl.Series) -> str:
    """A name for what is rare that no value has; the number of values tells the levels apart."""
    label = f"その他（{count}種類）" if japanese else f"other ({count} values)"
    while text.is_in([label]).any():
        label = f"{label}*"
    return label


def _require_all(values: ColumnValues, fits: Sequence[bool], problem: Message) -> None:
    wrong = np.flatnonzero(~np.array(fits, dtype=bool))
    if len(wrong):
        raise unfit_values_error(values, wrong, problem)
