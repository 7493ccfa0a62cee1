"""Detects whether a table is about people, the column that identifies them, and uniques."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.messages import Message
from tokumei.tables.data.column_encoding import canonicalize_persons
from tokumei.tables.profiling.column_cells import LIKELY
from tokumei.tables.profiling.detection.header_tokens import parse_header
from tokumei.tables.profiling.detection.neighbour_columns import (
    NAME_PART_CONFIDENCE,
    STABLE_TYPES,
    constant_share,
)
from tokumei.tables.profiling.detection.type_inference import InferredType

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import ColumnProfile

_PERSON_TYPES = frozenset(
    ("name", "kana", "email", "birth_date", "birth_year", "age", "sex", "member_id", "device_id",
     "username", "my_number", "insurance_no", "passport", "ssn", "card", "marital", "race",
     "bank_account", "diagnosis", "education", "occupation")
)  # fmt: skip
_WEAK_PERSON_TYPES = frozenset(("name", "member_id", "occupation", "education"))
_HEADER_PERSON_TYPES = frozenset(("member_id", "occupation"))
_THING_TYPES = frozenset(("item", "jan", "store", "organization"))
_AMBIGUOUS_TYPES = frozenset(("name", "member_id", "lat", "lon", "postal", "education"))
_ID_TYPE_ORDER = (
    "member_id",
    "device_id",
    "username",
    "insurance_no",
    "my_number",
    "ssn",
    "passport",
)
_ANIMAL_TYPES = frozenset(("sex", "age", "birth_date", "birth_year"))
"""What animals have, too."""
_SPECIES_HEADER = re.compile(r"\b(species|breed|genus|litter)\b|品種|犬種|猫種|^種$|個体")
_NEARLY_ALL_SHARE = 0.98
_NAME_PART_HEADER = re.compile(
    r"\b(first|last|given|family|middle|maiden|surname|fore ?names?|christian|fname|lname|"
    r"vorname|nachname|apellidos?|prenom|sei|mei|cognome|sobrenome)\b|^[姓名氏]$|旧姓"
)
"""Parts of names: many people share one."""
_BIRTH_TYPES = frozenset(("birth_date", "birth_year", "sex", "race"))
_MAX_UNIQUE_SHARE = 0.75
_MIN_PEOPLE = 5
_MAX_NULL_SHARE = 0.05
_MIN_CONSTANT_SHARE = 0.95
"""A number of people has one name, sex or address for this share of its values, at least."""


@dataclass(frozen=True)
class PersonColumn:
    """The column that tells people apart, how many there are in how many rows."""

    column: str
    people: int
    rows: int
    confidence: float
    reason: Message

    @property
    def several(self) -> bool:
        """Whether some people have several rows."""
        return self.people < _NEARLY_ALL_SHARE * self.rows

    def as_json(self) -> dict[str, object]:
        """In the shape of the command line contract."""
        return {
            "column": self.column,
            "people": self.people,
            "rows": self.rows,
            "several": self.several,
            "confidence": round(self.confidence, 2),
            **self.reason.as_json("reason"),
        }


def is_about_people(
    inferred_types: Sequence[InferredType],
    has_embedded_pii: bool,
    unique_place: bool,
    names: Iterable[str] = (),
) -> bool | None:
    """True: there is a sign of people; False: only of things; None: cannot tell.

    `names` are those of the columns: what has a species and a sex is an animal.
    """
    types = {inferred.type for inferred in inferred_types}
    header_confirmed = {inferred.type for inferred in inferred_types if inferred.header_confirmed}
    has_sure_name = any(
        inferred.type == "name" and inferred.confidence >= 0.95 for inferred in inferred_types
    )
    person_signs = (
        types & (_PERSON_TYPES - _WEAK_PERSON_TYPES)
        or header_confirmed & _HEADER_PERSON_TYPES
        or {"phone", "address"} <= types
    )
    if has_sure_name or has_embedded_pii:
        return True
    if person_signs:
        headers = map(parse_header, names)
        has_species = any(_SPECIES_HEADER.search(one.flat or one.words) for one in headers)
        return not (has_species and types & _PERSON_TYPES <= _ANIMAL_TYPES)
    if unique_place or (types & _THING_TYPES and not types & _AMBIGUOUS_TYPES):
        return False
    return None


def find_person_column(
    frame: pl.DataFrame, inferred_types: dict[str, InferredType], about_people: bool | None
) -> PersonColumn | None:
    """The person column: an id by its name, or a single name column whose values repeat."""
    id_columns = [
        name
        for id_type in _ID_TYPE_ORDER
        for name, inferred in inferred_types.items()
        if inferred.type == id_type
        and (_is_sure_of_header(inferred) or _identifies_people(frame, inferred_types, name))
    ]
    if id_columns:
        first_type = inferred_types[id_columns[0]].type
        same_type_columns = [name for name in id_columns if inferred_types[name].type == first_type]
        best_column = (
            max(
                same_type_columns, key=lambda name: _rank_person_column(frame, inferred_types, name)
            )
            if same_type_columns[1:]
            else same_type_columns[0]
        )
        reason = _HEADER_REASON if inferred_types[best_column].header_confirmed else _PATTERN_REASON
        return _build_person(frame, best_column, inferred_types[best_column].confidence, reason)
    for id_type in ("email", "name") if about_people else ():
        candidate_columns = [
            n
            for n, inferred in inferred_types.items()
            if inferred.type == id_type and _is_full_name(frame, n, inferred)
        ]
        columns = [
            name
            for name in candidate_columns
            if _is_one_person_per_name(frame, inferred_types, name)
        ]
        if columns and (best_name := _choose_repeated_name(frame, columns)):
            return _build_person(frame, best_name, 0.75, _REPEATED_REASON)
    return None


_HEADER_REASON = Message("its name indicates whose number it is", stable_code="header")
_PATTERN_REASON = Message("its cells have the form of personal numbers", stable_code="pattern")
_OWNER_REASON = Message("declared by the data owner", stable_code="given")
_REPEATED_REASON = Message(
    "there is no personal number; its values repeat", stable_code="repeated-values"
)


def _choose_repeated_name(frame: pl.DataFrame, columns: list[str]) -> str | None:
    """Of names that all repeat, the one with most people; None if one tells rows apart."""
    people_counts = {name: frame[name].drop_nulls().n_unique() for name in columns}
    filled_counts = {name: frame.height - frame[name].null_count() for name in columns}
    if any(people_counts[name] > _MAX_UNIQUE_SHARE * filled_counts[name] for name in columns):
        return None
    best_column = max(columns, key=lambda name: people_counts[name])
    return (
        best_column if people_counts[best_column] >= max(_MIN_PEOPLE, 0.02 * frame.height) else None
    )


def _rank_person_column(
    frame: pl.DataFrame, inferred_types: dict[str, InferredType], name: str
) -> tuple[float, float, int]:
    """How well a column tells people apart: what people keep is constant within its values."""
    stable_columns = [
        other_name
        for other_name, inferred in inferred_types.items()
        if inferred.type in STABLE_TYPES and other_name != name
    ]
    header_score = 1.0 if inferred_types[name].header_confirmed else 0.0
    if not stable_columns:
        return header_score, inferred_types[name].confidence, -frame.columns.index(name)
    return header_score, constant_share(frame, name, stable_columns), -frame.columns.index(name)


def _is_sure_of_header(inferred: InferredType) -> bool:
    """Whether the name says whose number it is: `no` alone may be that of an award."""
    return inferred.header_confirmed and inferred.confidence >= LIKELY


def _is_full_name(frame: pl.DataFrame, name: str, inferred: InferredType) -> bool:
    """Whether hardly a row lacks it, and it is no part of names, which many people share."""
    header = parse_header(name)
    is_name_part = (
        _NAME_PART_HEADER.search(header.words + header.bare)
        or inferred.confidence <= NAME_PART_CONFIDENCE
    )
    return not is_name_part and _has_few_gaps(frame, name)


def _has_few_gaps(frame: pl.DataFrame, name: str) -> bool:
    """Whether hardly any row lacks it: rows without one belong to somebody, too."""
    return bool(frame[name].null_count() <= _MAX_NULL_SHARE * frame.height)


def _identifies_people(
    frame: pl.DataFrame, inferred_types: dict[str, InferredType], name: str
) -> bool:
    """Whether what looks like a number of people is one: whoever has it has one name, one sex …"""
    stable_columns = [
        other_name
        for other_name, inferred in inferred_types.items()
        if inferred.type in STABLE_TYPES and other_name != name
    ]
    return _has_few_gaps(frame, name) and (
        not stable_columns or constant_share(frame, name, stable_columns) >= _MIN_CONSTANT_SHARE
    )


def _is_one_person_per_name(
    frame: pl.DataFrame, inferred_types: dict[str, InferredType], name: str
) -> bool:
    """Whether who has a name has one birth and one sex; else it is shared by people."""
    birth_columns = [n for n, inferred in inferred_types.items() if inferred.type in _BIRTH_TYPES]
    return not birth_columns or constant_share(frame, name, birth_columns) >= _MIN_CONSTANT_SHARE


def person_from_column(frame: pl.DataFrame, name: str) -> PersonColumn:
    """The people that a column tells apart, because its owner says so."""
    return _build_person(frame, name, 1.0, _OWNER_REASON)


def _build_person(
    frame: pl.DataFrame, name: str, confidence: float, reason: Message
) -> PersonColumn:
    named = canonicalize_persons(frame[name]).drop_nulls()
    return PersonColumn(name, int(named.n_unique()), len(named), confidence, reason)


@dataclass(frozen=True)
class Exposure:
    """What the likely quasi-identifiers give away together."""

    columns: tuple[str, ...]
    smallest: int
    unique: int
    people: int

    @property
    def unique_share(self) -> float:
        """Share of people who are alone with their values."""
        return self.unique / max(self.people, 1)

    def as_json(self) -> dict[str, object]:
        """As figures."""
        return {
            "columns": list(self.columns),
            "k": self.smallest,
            "unique": self.unique,
            "people": self.people,
            "unique_share": round(self.unique_share, 6),
        }


def measure_exposure(
    frame: pl.DataFrame, columns: Iterable[ColumnProfile], person: PersonColumn | None
) -> Exposure | None:
    """How alone people are with their likely quasi-identifiers; None if there are none."""
    quasi = [c.name for c in columns if c.role == "quasi" and c.fate == "generalize"]
    if not quasi or not frame.height:
        return None
    person_key = canonicalize_persons(frame[person.column]) if person else pl.int_range(pl.len())
    rows = (
        frame.lazy()
        .with_columns(tokumei_who=person_key)
        .filter(pl.col("tokumei_who").is_not_null())
    )
    # Where every row is somebody else, counting rows is enough, and much faster.
    is_one_row_each = person is None or not person.several
    count = pl.len() if is_one_row_each else pl.col("tokumei_who").n_unique()
    sizes = (
        rows.group_by(quasi)
        .agg(count.alias("tokumei_size"), pl.col("tokumei_who").first())
        .collect()
    )
    unique_people = sizes.filter(pl.col("tokumei_size") == 1)["tokumei_who"].n_unique()
    smallest = min(sizes["tokumei_size"].to_list(), default=0)
    return Exposure(
        tuple(quasi), smallest, unique_people, person.people if person else frame.height
    )
