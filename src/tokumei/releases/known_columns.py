"""Which columns a recipient may know of a person: those that others can see or look up.

    known = choose_known_columns(profile, frame, candidates)
    known.columns       # at most MAX_KNOWN, those first that are known most easily
    known.blocks        # answers on one scale, which are asked about as one

What a column repeats in other words (the square of an age) is known with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from tokumei.tables.profiling.detection.header_tokens import parse_header
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile

MAX_KNOWN = 8
"""More columns at once are known of hardly anybody; the others are named."""
KNOWN_TYPES = (
    *("sex", "age", "birth_date", "birth_year", "postal", "prefecture", "city", "country"),
    *("lat", "lon", "race", "marital", "occupation", "education", "organization", "date"),
    *("datetime", "year", "time", "user_agent", "count", "category"),
)
"""Types of what others can see or look up, the best known first."""
SEEN_WORDS = {
    "race": "black white hispanic hispan hisp asian nonwhite minority race ethnic",
    "marital": "married marr single divorced divorce widowed widow 既婚 未婚",
    "sex": "male female fem woman man 男性 女性",
    "count": "kids children hhsize famsize siblings 子供 家族人数 世帯人数",
}
"""Names of yes-or-no columns and counts that say what others can see."""
SCALE_TYPES = ("category", "score", "count", "flag", "code")
MIN_BLOCK = 5
"""So many columns with the same answers are one questionnaire."""
MAX_SCALE = 11
MIN_ROWS_PER_VALUE = 2.0
"""A column that hardly repeats says nothing of what determines it."""


@dataclass(frozen=True)
class KnownColumns:
    """The columns taken as known, and those that were left out of them.

    `derived`: by column the known one that determines it. `blocks`: groups of answers on one scale.
    `further`: columns that could be known, too, but beyond the limit.
    """

    columns: tuple[str, ...]
    derived: dict[str, str]
    blocks: tuple[tuple[str, ...], ...]
    further: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """The known columns with those that they determine."""
        return (*self.columns, *self.derived)


def choose_known_columns(
    profile: TableProfile,
    frame: pl.DataFrame,
    names: Sequence[str],
    said: Sequence[str] | None = None,
) -> KnownColumns:
    """The columns among `names` that a recipient may know; `said`: the owner named them."""
    columns = [profile[name] for name in names]
    blocks = () if said is not None else tuple(find_answer_blocks(columns, frame))
    if said is not None:
        known = tuple(name for name in names if name in said)
        further: tuple[str, ...] = ()
    else:
        in_block = {name for block in blocks for name in block}
        ranked = sorted(
            (rank, position, column.name)
            for position, column in enumerate(columns)
            if column.name not in in_block and (rank := _knowledge_rank(column)) is not None
        )
        ordered = tuple(name for _, _, name in ranked)
        known, further = ordered[:MAX_KNOWN], ordered[MAX_KNOWN:]
    derived = find_determined_columns(frame, known, [name for name in names if name not in known])
    return KnownColumns(
        known, derived, blocks, tuple(name for name in further if name not in derived)
    )


def _knowledge_rank(column: ColumnProfile) -> int | None:
    """The place of a column among what is known best; None: nobody else knows it."""
    if column.distinct < 2:
        return None
    if column.role == "quasi":
        return KNOWN_TYPES.index(column.type) if column.type in KNOWN_TYPES else len(KNOWN_TYPES)
    if column.type not in ("flag", "count", "code", "category"):
        return None
    seen_type = _seen_type(column)
    is_told = seen_type == "count" or column.distinct <= MAX_SCALE
    return KNOWN_TYPES.index(seen_type) if seen_type is not None and is_told else None


def find_answer_blocks(
    columns: Sequence[ColumnProfile], frame: pl.DataFrame
) -> Iterator[tuple[str, ...]]:
    """Groups of columns with the same few answers, as questionnaires have them.

    Answers that all questions share name nobody.
    """
    by_scale: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        is_short = 2 < column.distinct <= MAX_SCALE
        if column.type in SCALE_TYPES and is_short and _seen_type(column) is None:
            values = frame[column.name].cast(pl.String).drop_nulls().unique().sort()
            by_scale.setdefault(tuple(values.to_list()), []).append(column.name)
    for names in by_scale.values():
        if len(names) >= MIN_BLOCK:
            yield tuple(names)


def _seen_type(column: ColumnProfile) -> str | None:
    """What others can see of a person, by the words of the column's name."""
    words = {*parse_header(column.name).words.split(), column.name.lower()}
    return next((name for name, seen in SEEN_WORDS.items() if words & {*seen.split()}), None)


def find_determined_columns(
    frame: pl.DataFrame, known: Sequence[str], others: Sequence[str]
) -> dict[str, str]:
    """By column the known one that determines it: released, it would give that one back.

    A known column that hardly ever repeats determines everything by accident: it does not count.
    """
    distinct = {name: frame[name].n_unique() for name in (*known, *others)}
    determined = dict[str, str]()
    for name in others:
        if distinct[name] < 3:
            continue
        for source in known:
            repeats = frame.height >= MIN_ROWS_PER_VALUE * distinct[source]
            if (
                repeats
                and distinct[name] <= distinct[source]
                and frame.select(source, name).n_unique() == distinct[source]
            ):
                determined[name] = source
                break
    return determined
