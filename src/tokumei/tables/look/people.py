"""Whether a table is about people, which column tells them apart, and how many are alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from tokumei.core.text import Text
from tokumei.tables.data.person_values import canonicalize_persons
from tokumei.tables.look.beside import PART, STABLE, constant_within
from tokumei.tables.look.header_tokens import read_header
from tokumei.tables.look.infer import Meaning

if TYPE_CHECKING:
    from tokumei.tables.look.result import LookColumn

_SIGNS = frozenset(
    ("name", "kana", "email", "birth_date", "birth_year", "age", "sex", "member_id", "device_id",
     "username", "my_number", "insurance_no", "passport", "ssn", "card", "marital", "race",
     "bank_account", "diagnosis", "education", "occupation")
)  # fmt: skip
_WEAK = frozenset(("name", "member_id", "occupation", "education"))
_CALLED = frozenset(("member_id", "occupation"))
_THINGS = frozenset(("item", "jan", "store", "organization"))
_PERHAPS = frozenset(("name", "member_id", "lat", "lon", "postal", "education"))
_ORDER = ("member_id", "device_id", "username", "insurance_no", "my_number", "ssn", "passport")
_NEARLY_ALL = 0.98
_PART = re.compile(
    r"\b(first|last|given|family|middle|maiden|surname|fore ?names?|christian|fname|lname|"
    r"vorname|nachname|apellidos?|prenom|sei|mei|cognome|sobrenome)\b|^[姓名氏]$|旧姓"
)
"""Parts of names: many people share one."""
_BORN = frozenset(("birth_date", "birth_year", "sex", "race"))
_TELLS_ROWS = 0.75
_FEWEST = 5
_GAPS = 0.05
_ONE = 0.95
"""A number of people has one name, sex or address for this share of its values, at least."""


@dataclass(frozen=True)
class Person:
    """The column that tells people apart, how many there are in how many rows."""

    column: str
    people: int
    rows: int
    confidence: float
    reason: Text

    @property
    def several(self) -> bool:
        """Whether some people have several rows."""
        return self.people < _NEARLY_ALL * self.rows

    def as_json(self) -> dict[str, object]:
        """In the shape of the command line contract."""
        return {
            "column": self.column,
            "people": self.people,
            "rows": self.rows,
            "several": self.several,
            "confidence": round(self.confidence, 2),
            "reason_en": self.reason.en,
            "reason_ja": self.reason.ja,
        }


def about_people(meanings: Sequence[Meaning], inside: bool, unique_place: bool) -> bool | None:
    """True: there is a sign of people; False: only of things; None: cannot tell."""
    types = {one.type for one in meanings}
    called = {one.type for one in meanings if one.called}
    named = any(one.type == "name" and one.confidence >= 0.95 for one in meanings)
    signs = types & (_SIGNS - _WEAK) or called & _CALLED or {"phone", "address"} <= types
    if signs or named or inside:
        return True
    if unique_place or (types & _THINGS and not types & _PERHAPS):
        return False
    return None


def find_person(
    frame: pl.DataFrame, meanings: dict[str, Meaning], people: bool | None
) -> Person | None:
    """The person column: an id by its name, or a single name column whose values repeat."""
    ids = [
        name
        for kind in _ORDER
        for name, one in meanings.items()
        if one.type == kind and (one.called or _tells_people(frame, meanings, name))
    ]
    if ids:
        first = meanings[ids[0]].type
        same = [name for name in ids if meanings[name].type == first]
        chosen = max(same, key=lambda name: _rank(frame, meanings, name)) if same[1:] else same[0]
        reason = _ID if meanings[chosen].called else _FORMED
        return _person(frame, chosen, meanings[chosen].confidence, reason)
    for kind in ("email", "name") if people else ():
        named = [n for n, one in meanings.items() if one.type == kind and _is_whole(frame, n, one)]
        columns = [name for name in named if _goes_with_one(frame, meanings, name)]
        if columns and (best := _repeated(frame, columns)):
            return _person(frame, best, 0.75, _REPEATED)
    return None


_ID = Text("its name says whom it numbers", "誰の番号かを列名が示す")
_FORMED = Text("its cells are formed like numbers of people", "値が人の番号の形をしている")
_SAID = Text("its owner says so", "データの持ち主の指定による")
_REPEATED = Text("no number of people; its values repeat", "個人の番号がなく、値が繰り返される")


def _repeated(frame: pl.DataFrame, columns: list[str]) -> str | None:
    """Of names that all repeat, the one with most people; None if one tells rows apart."""
    people = {name: frame[name].drop_nulls().n_unique() for name in columns}
    filled = {name: frame.height - frame[name].null_count() for name in columns}
    if any(people[name] > _TELLS_ROWS * filled[name] for name in columns):
        return None
    best = max(columns, key=lambda name: people[name])
    return best if people[best] >= max(_FEWEST, 0.02 * frame.height) else None


def _rank(frame: pl.DataFrame, meanings: dict[str, Meaning], name: str) -> tuple[float, float, int]:
    """How well a column tells people apart: what people keep is constant within its values."""
    stable = [other for other, one in meanings.items() if one.type in STABLE and other != name]
    called = 1.0 if meanings[name].called else 0.0
    if not stable:
        return called, meanings[name].confidence, -frame.columns.index(name)
    return called, constant_within(frame, name, stable), -frame.columns.index(name)


def _is_whole(frame: pl.DataFrame, name: str, meaning: Meaning) -> bool:
    """Whether hardly a row lacks it, and it is no part of names, which many people share."""
    header = read_header(name)
    part = _PART.search(header.words + header.bare) or meaning.confidence <= PART
    return not part and _is_full(frame, name)


def _is_full(frame: pl.DataFrame, name: str) -> bool:
    """Whether hardly any row lacks it: rows without one belong to somebody, too."""
    return bool(frame[name].null_count() <= _GAPS * frame.height)


def _tells_people(frame: pl.DataFrame, meanings: dict[str, Meaning], name: str) -> bool:
    """Whether what looks like a number of people is one: whoever has it has one name, one sex …"""
    stable = [other for other, one in meanings.items() if one.type in STABLE and other != name]
    return _is_full(frame, name) and (not stable or constant_within(frame, name, stable) >= _ONE)


def _goes_with_one(frame: pl.DataFrame, meanings: dict[str, Meaning], name: str) -> bool:
    """Whether who has a name has one birth and one sex; else it is shared by people."""
    born = [n for n, one in meanings.items() if one.type in _BORN]
    return not born or constant_within(frame, name, born) >= _ONE


def person_by(frame: pl.DataFrame, name: str) -> Person:
    """The people that a column tells apart, because its owner says so."""
    return _person(frame, name, 1.0, _SAID)


def _person(frame: pl.DataFrame, name: str, confidence: float, reason: Text) -> Person:
    named = canonicalize_persons(frame[name]).drop_nulls()
    return Person(name, int(named.n_unique()), len(named), confidence, reason)


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

    def as_json(self) -> dict[str, Any]:
        """As figures."""
        return {
            "columns": list(self.columns),
            "k": self.smallest,
            "unique": self.unique,
            "people": self.people,
            "unique_share": round(self.unique_share, 6),
        }


def exposure_of(
    frame: pl.DataFrame, columns: Iterable[LookColumn], person: Person | None
) -> Exposure | None:
    """How alone people are with their likely quasi-identifiers; None if there are none."""
    quasi = [c.name for c in columns if c.role == "quasi" and c.fate == "generalize"]
    if not quasi or not frame.height:
        return None
    who = canonicalize_persons(frame[person.column]) if person else pl.int_range(pl.len())
    rows = frame.lazy().with_columns(tokumei_who=who).filter(pl.col("tokumei_who").is_not_null())
    # Where every row is somebody else, counting rows is enough, and much faster.
    one_each = person is None or not person.several
    count = pl.len() if one_each else pl.col("tokumei_who").n_unique()
    sizes = (
        rows.group_by(quasi)
        .agg(count.alias("tokumei_size"), pl.col("tokumei_who").first())
        .collect()
    )
    alone = sizes.filter(pl.col("tokumei_size") == 1)["tokumei_who"].n_unique()
    smallest = min(sizes["tokumei_size"].to_list(), default=0)
    return Exposure(tuple(quasi), smallest, alone, person.people if person else frame.height)
