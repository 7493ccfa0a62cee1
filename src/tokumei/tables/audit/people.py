"""Members, control and reference as frames that fit each other, or an error that names files.

Names in messages are those of the files, or what the frames are for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import Fault, InputError, UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.data.person_values import canonicalize_persons, number_persons
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.data.table import Table

FEWEST = 30
"""Fewer members or controls tell nothing."""
FEWEST_TEXTS = 0.05
"""Among numbers, a smaller share of texts is taken for mistakes."""
WHOLE = (pl.Null, pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
KIND_NAMES = {"number": "数値", "time": "日時", "text": "文字列", "empty": "空"}


def matched_frames(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Members, control and reference with the same columns of the same types, or an error.

    `frames` by the name that messages give them; the first are the members.
    """
    first, *others = frames
    names = frames[first].columns
    faults = [
        _fault(name, Text(f"{other} lacks it", f"{other} にありません"))
        for other in others
        for name in names
        if name not in frames[other].columns
    ]
    if faults:
        raise InputError(
            "members, control and reference do not have the same columns",
            "メンバー・対照・参照の列が揃っていません",
            faults=faults,
        )
    kept = {key: frame.select(names) for key, frame in frames.items()}
    for name in names:
        kinds = {key: _kind(frame[name]) for key, frame in kept.items()}
        told = {kind for kind in kinds.values() if kind != "empty"}
        if told == {"number", "text"} and _mixed(name, kept, kinds):
            told = {"text"}
        if len(told) > 1:
            faults.append(_unlike(name, kept, kinds))
            continue
        # Days stay days: as moments they would be spelled unlike the leaves of a hierarchy.
        days = all(frame[name].dtype in (pl.Date, pl.Null) for frame in kept.values())
        times = pl.Date() if days else pl.Datetime("us")
        # Whole numbers stay whole, too: they may be codes, of which a release has the first digits.
        whole = all(frame[name].dtype in WHOLE for frame in kept.values())
        numbers = pl.Int64() if whole else pl.Float64()
        wanted = {"number": numbers, "time": times}.get(next(iter(told), ""), pl.String())
        for key, frame in kept.items():
            kept[key] = frame.with_columns(frame[name].cast(wanted))
    if faults:
        raise InputError(
            "columns of members, control and reference are of different types",
            "メンバー・対照・参照の列の型が異なります",
            faults=faults,
        )
    return kept


def require_enough(frames: Mapping[str, pl.DataFrame], names: Sequence[str]) -> None:
    """Fail unless members and control (the first two) have people enough, who are not all alike."""
    for (where, frame), en, ja in zip(
        frames.items(), ("members", "controls"), ("メンバー", "対照"), strict=False
    ):
        if frame.height < FEWEST:
            raise InputError(
                f"{where}: {frame.height} {en}: at least {FEWEST} are needed to say anything",
                f"{where}: {ja}が {frame.height} 人です。少なくとも {FEWEST} 人必要です",
            )
        if names and frame.select(names).n_unique() == 1:
            raise InputError(
                f"{where}: all {en} are alike in the columns of the release",
                f"{where}: {ja}は公開データの列ですべて同じ値です",
            )


def same_people(frames: Mapping[str, pl.DataFrame], person: str) -> None:
    """Fail if a person, by the column that names people, stands in two files."""
    for where, frame in frames.items():
        if person not in frame.columns:
            raise UnknownNameError(COLUMN, person, frame.columns, where=where)
    for one, other in combinations(frames, 2):
        ids, known = (canonicalize_persons(frames[key][person]) for key in (one, other))
        ids, known = ids.cast(pl.String), known.cast(pl.String)
        both = ids.is_in(known.drop_nulls().implode()) & ~without_person(ids)
        if both.any():
            count, line = int(both.sum()), int(both.arg_max() or 0) + 2
            who = "somebody is" if count == 1 else f"{count:,} people are"
            raise InputError(
                f"{one}, line {line}, column '{person}': {who} in {other}, too",
                f"{one} {line} 行目、列 '{person}': {count:,} 人が {other} にも含まれています",
            )


def without_person(ids: pl.Series) -> pl.Series:
    """Which rows name nobody, so that each is a person of its own: empty ones, or spaces only."""
    return ids.is_null() | (ids.cast(pl.String).str.strip_chars() == "").fill_null(False)


def _kind(series: pl.Series) -> str:
    if series.null_count() == len(series):
        return "empty"
    if series.dtype.is_numeric():
        return "number"
    return "time" if series.dtype in (pl.Date, pl.Datetime) else "text"


def _fault(name: str, message: Text, line: int | None = None) -> Fault:
    message = Text(f"column '{name}': {message.en}", f"列 '{name}': {message.ja}")
    return Fault(rule="columns", line=line, column=name, message=message)


def _mixed(name: str, frames: Mapping[str, pl.DataFrame], kinds: Mapping[str, str]) -> bool:
    """Whether a column holds numbers and texts, so that a file may have numbers only by chance."""
    texts = pl.concat([frames[key][name] for key, kind in kinds.items() if kind == "text"])
    if texts.dtype != pl.String:
        return False
    share = _no_number(texts).sum() / max(1, len(texts) - texts.null_count())
    return bool(FEWEST_TEXTS <= share < 1)


def _no_number(cells: pl.Series) -> pl.Series:
    finite = cells.cast(pl.Float64, strict=False).is_finite().fill_null(False)
    return cells.is_not_null() & ~finite


def _unlike(name: str, frames: Mapping[str, pl.DataFrame], kinds: Mapping[str, str]) -> Fault:
    """The fault of a column with several types; the first cell that is text where others count."""
    listed = ", ".join(f"{key}: {kind}" for key, kind in kinds.items())
    ja = ", ".join(f"{key}: {KIND_NAMES[kind]}" for key, kind in kinds.items())
    told = Text(f"types differ ({listed})", f"型が異なります ({ja})")
    where = next((key for key, kind in kinds.items() if kind == "text"), None)
    if where is None or frames[where][name].dtype != pl.String:
        return _fault(name, told)
    wrong = _no_number(frames[where][name])
    if not wrong.any():
        return _fault(name, told)
    line = int(wrong.arg_max() or 0) + 2
    first = Text(
        f"{told.en}; {where}, line {line} holds the first text",
        f"{told.ja}。最初の文字列は {where} の {line} 行目にあります",
    )
    return _fault(name, first, line)


PARTS = ("members", "control", "reference")


def split_people(
    source: Any,
    *,
    control: float = 0.3,
    reference: float = 0.2,
    person: str | None = None,
    seed: int | None = None,
) -> dict[str, Table]:
    """Three parts at random, by shares of the people; without a reference there are two.

    `person`: the column that tells people; all rows of one go to the same part. A row without an
    entry there is a person of its own (`without_person`).
    """
    table = Table.of(source)
    if not (0 < control < 1 and 0 <= reference < 1 and control + reference < 1):
        raise UsageError(
            "the shares of control and reference are above 0 and leave members over",
            "対照と参照の割合は 0 より大きく、合計が 1 未満でなければなりません",
        )
    if person is not None and person not in table.schema.names:
        raise UnknownNameError(COLUMN, person, table.schema.names)
    who = np.arange(table.rows)
    if person is not None:
        ids = table.frame[person]
        who = np.where(without_person(ids).to_numpy(), -1 - who, number_persons(ids))
    people = np.unique(who)
    order = Randomness(seed).child("audit", "split").permutation(len(people))
    held = [round(control * len(people)), round(reference * len(people))]
    part = np.zeros(len(people), dtype=np.int64)
    part[order[: held[0]]] = 1
    part[order[held[0] : sum(held)]] = 2
    of_row = part[np.searchsorted(people, who)]
    found = {
        name: table.take(np.flatnonzero(of_row == number))
        for number, name in enumerate(PARTS)
        if number < 2 or reference > 0
    }
    _require_enough(found)
    return found


def _require_enough(parts: dict[str, Table]) -> None:
    for name in ("members", "control"):
        if parts[name].rows < FEWEST:
            raise InputError(
                f"{parts[name].rows} rows for {name}: at least {FEWEST} are needed",
                f"{name} が {parts[name].rows} 行です。少なくとも {FEWEST} 行必要です",
            )
