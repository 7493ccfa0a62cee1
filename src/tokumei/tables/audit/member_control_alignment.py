"""Aligns the frames of members, control and reference, or names the file that does not fit.

Names in messages are those of the files, or what the frames are for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UnknownNameError, UsageError, Violation
from tokumei.core.messages import Message, join_messages
from tokumei.core.randomness import Randomness
from tokumei.tables.data.column_encoding import canonicalize_persons, number_persons
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.data.table import Table

MIN_PEOPLE = 30
"""Fewer members or controls tell nothing."""
MIN_TEXT_SHARE = 0.05
"""Among numbers, a smaller share of texts is taken for mistakes."""
INTEGER_DTYPES = (pl.Null, pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
KIND_NAMES = {
    "number": Message("number", context="a type of values"),
    "time": Message("time", context="a type of values"),
    "text": Message("text", context="a type of values"),
    "empty": Message("empty", context="a type of values"),
}
TOO_FEW_PEOPLE = (
    Message("{where}: {people} members: at least {needed} are needed to say anything"),
    Message("{where}: {people} controls: at least {needed} are needed to say anything"),
)
ALL_ALIKE = (
    Message("{where}: all members are alike in the columns of the release"),
    Message("{where}: all controls are alike in the columns of the release"),
)


def align_frames(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Members, control and reference with the same columns of the same types, or an error.

    `frames` by the name that messages give them; the first are the members.
    """
    first, *others = frames
    names = frames[first].columns
    violations = [
        _make_column_violation(name, Message("{other} lacks it", other=other))
        for other in others
        for name in names
        if name not in frames[other].columns
    ]
    if violations:
        raise InputError(
            "members, control and reference do not have the same columns", faults=violations
        )
    aligned = {key: frame.select(names) for key, frame in frames.items()}
    for name in names:
        kinds = {key: _column_kind(frame[name]) for key, frame in aligned.items()}
        known_kinds = {kind for kind in kinds.values() if kind != "empty"}
        if known_kinds == {"number", "text"} and _is_mixed_text(name, aligned, kinds):
            known_kinds = {"text"}
        if len(known_kinds) > 1:
            violations.append(_type_mismatch_violation(name, aligned, kinds))
            continue
        # Days stay days: as moments they would be spelled unlike the leaves of a hierarchy.
        is_all_dates = all(frame[name].dtype in (pl.Date, pl.Null) for frame in aligned.values())
        time_dtype = pl.Date() if is_all_dates else pl.Datetime("us")
        # Whole numbers stay whole, too: they may be codes, of which a release has the first digits.
        is_all_integers = all(frame[name].dtype in INTEGER_DTYPES for frame in aligned.values())
        number_dtype = pl.Int64() if is_all_integers else pl.Float64()
        target_dtype = {"number": number_dtype, "time": time_dtype}.get(
            next(iter(known_kinds), ""), pl.String()
        )
        for key, frame in aligned.items():
            aligned[key] = frame.with_columns(frame[name].cast(target_dtype))
    if violations:
        raise InputError(
            "columns of members, control and reference are of different types", faults=violations
        )
    return aligned


def require_enough_people(frames: Mapping[str, pl.DataFrame], names: Sequence[str]) -> None:
    """Fail unless members and control (the first two) have people enough, who are not all alike."""
    for (where, frame), too_few, alike in zip(
        frames.items(), TOO_FEW_PEOPLE, ALL_ALIKE, strict=False
    ):
        if frame.height < MIN_PEOPLE:
            raise InputError(too_few.fill(where=where, people=frame.height, needed=MIN_PEOPLE))
        if names and frame.select(names).n_unique() == 1:
            raise InputError(alike.fill(where=where))


def require_disjoint_people(frames: Mapping[str, pl.DataFrame], person: str) -> None:
    """Fail if a person, by the column that names people, stands in two files."""
    for where, frame in frames.items():
        if person not in frame.columns:
            raise UnknownNameError(COLUMN_NOUN, person, frame.columns, where=where)
    for first_name, second_name in combinations(frames, 2):
        ids, other_ids = (
            canonicalize_persons(frames[key][person]) for key in (first_name, second_name)
        )
        ids, other_ids = ids.cast(pl.String), other_ids.cast(pl.String)
        is_shared = ids.is_in(other_ids.drop_nulls().implode()) & ~is_without_person(ids)
        if is_shared.any():
            count, line = int(is_shared.sum()), int(is_shared.arg_max() or 0) + 2
            raise InputError(
                Message(
                    "{where}, line {line}, column '{column}': somebody is in {other}, too",
                    plural="{where}, line {line}, column '{column}': {count:,} people are in "
                    "{other}, too",
                    count=count,
                    where=first_name,
                    line=line,
                    column=person,
                    other=second_name,
                )
            )


def is_without_person(ids: pl.Series) -> pl.Series:
    """Which rows name nobody, so that each is a person of its own: empty ones, or spaces only."""
    return ids.is_null() | (ids.cast(pl.String).str.strip_chars() == "").fill_null(False)


def _column_kind(series: pl.Series) -> str:
    if series.null_count() == len(series):
        return "empty"
    if series.dtype.is_numeric():
        return "number"
    return "time" if series.dtype in (pl.Date, pl.Datetime) else "text"


def _make_column_violation(name: str, message: Message, line: int | None = None) -> Violation:
    message = Message("column '{column}': {fault}", column=name, fault=message)
    return Violation(rule="columns", line=line, column=name, message=message)


def _is_mixed_text(name: str, frames: Mapping[str, pl.DataFrame], kinds: Mapping[str, str]) -> bool:
    """Whether a column holds numbers and texts, so that a file may have numbers only by chance."""
    texts = pl.concat([frames[key][name] for key, kind in kinds.items() if kind == "text"])
    if texts.dtype != pl.String:
        return False
    share = _is_not_number(texts).sum() / max(1, len(texts) - texts.null_count())
    return bool(MIN_TEXT_SHARE <= share < 1)


def _is_not_number(cells: pl.Series) -> pl.Series:
    finite = cells.cast(pl.Float64, strict=False).is_finite().fill_null(False)
    return cells.is_not_null() & ~finite


def _type_mismatch_violation(
    name: str, frames: Mapping[str, pl.DataFrame], kinds: Mapping[str, str]
) -> Violation:
    """The fault of a column with several types; the first cell that is text where others count."""
    types = join_messages(
        Message("{where}: {type}", where=key, type=KIND_NAMES[kind]) for key, kind in kinds.items()
    )
    mismatch = Message("types differ ({types})", types=types)
    where = next((key for key, kind in kinds.items() if kind == "text"), None)
    if where is None or frames[where][name].dtype != pl.String:
        return _make_column_violation(name, mismatch)
    is_wrong = _is_not_number(frames[where][name])
    if not is_wrong.any():
        return _make_column_violation(name, mismatch)
    line = int(is_wrong.arg_max() or 0) + 2
    detailed_text = Message(
        "{mismatch}; {where}, line {line} holds the first text",
        mismatch=mismatch,
        where=where,
        line=line,
    )
    return _make_column_violation(name, detailed_text, line)


PART_NAMES = ("members", "control", "reference")


def split_people(
    source: object,
    *,
    control: float = 0.3,
    reference: float = 0.2,
    person: str | None = None,
    seed: int | None = None,
) -> dict[str, Table]:
    """Three parts at random, by shares of the people; without a reference there are two.

    `person`: the column that tells people; all rows of one go to the same part. A row without an
    entry there is a person of its own (`is_without_person`).
    """
    table = Table.of(source)
    if not (0 < control < 1 and 0 <= reference < 1 and control + reference < 1):
        raise UsageError("the shares of control and reference are above 0 and leave members over")
    if person is not None and person not in table.schema.names:
        raise UnknownNameError(COLUMN_NOUN, person, table.schema.names)
    row_people = np.arange(table.rows)
    if person is not None:
        ids = table.frame[person]
        row_people = np.where(
            is_without_person(ids).to_numpy(), -1 - row_people, number_persons(ids)
        )
    people = np.unique(row_people)
    order = Randomness(seed).child("audit", "split").permutation(len(people))
    part_sizes = [round(control * len(people)), round(reference * len(people))]
    part = np.zeros(len(people), dtype=np.int64)
    part[order[: part_sizes[0]]] = 1
    part[order[part_sizes[0] : sum(part_sizes)]] = 2
    of_row = part[np.searchsorted(people, row_people)]
    parts = {
        name: table.take(np.flatnonzero(of_row == number))
        for number, name in enumerate(PART_NAMES)
        if number < 2 or reference > 0
    }
    _require_enough_rows(parts)
    return parts


def _require_enough_rows(parts: dict[str, Table]) -> None:
    for name in ("members", "control"):
        if parts[name].rows < MIN_PEOPLE:
            raise InputError(
                "{rows} rows for {part}: at least {needed} are needed",
                rows=parts[name].rows,
                part=name,
                needed=MIN_PEOPLE,
            )
