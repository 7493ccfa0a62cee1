"""Contribution of a released table to the ledger: what it reveals of each person.

    entry = table_contribution(source, public, link=link, person="id", qi=["age"], sa=["illness"])

A class is rows with the same quasi-identifiers. A person with several rows is in the class of those
who have rows in the same classes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import canonicalize_column, equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.files.column_types import decode_categories
from tokumei.ledger.contribution import UNKNOWN, CandidateClasses, Contribution
from tokumei.tables.attackers.qi_candidates import match_consistent_qi
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.release_hierarchies import step_hierarchies

CELL_SEPARATOR = "\x1f"


def table_contribution(
    source: pl.DataFrame,
    public: pl.DataFrame,
    *,
    link: np.ndarray | None,
    ids: pl.Series,
    qi: Sequence[str],
    sa: Sequence[str],
    hierarchies: Hierarchies | None = None,
) -> Contribution:
    """The people of a release; without a link everyone of the source, with classes unknown."""
    _require_columns(public.columns, [*qi, *sa], "release")
    _require_columns(source.columns, qi, "data")
    labels = dict(hierarchies or {})
    classes = equivalence_class_codes(
        public.select(canonicalize_column(public[name]) for name in qi), list(qi)
    )
    candidates = find_fitting_classes(source, public, classes, qi, labels)
    other_columns = [name for name in public.columns if name not in qi]
    if link is None:
        people, first, repeated = _number_people(ids)
        rows = class_of_person = np.full(len(people), UNKNOWN)
        source_rows, cells = first, {}
    else:
        people, first, repeated = _number_people(ids.gather(link))
        number = int(classes.max(initial=-1)) + 1
        class_of_person = _class_patterns(classes, repeated, first, number)
        rows, source_rows = first, link[first]
        cells = {name: _person_cells(public[name], repeated, first) for name in other_columns}
    own = {name: _source_cells(source, name, link, repeated, first) for name in sa}
    fits = candidates.of_rows(source_rows, several=repeated.several)
    covered = None
    if candidates.known and link is not None:
        covered = np.append(candidates.covered, [0])[np.where(repeated.several, -1, classes[first])]
    return Contribution(
        kind="tables",
        ids=people,
        classes=class_of_person,
        rows=rows,
        released_rows=public.height,
        known=ids.n_unique(),
        columns={
            **dict.fromkeys(public.columns, "other"),
            **dict.fromkeys(sa, "sensitive"),
            **dict.fromkeys(qi, "quasi-identifier"),
        },
        cells=cells,
        sensitive=tuple(sa),
        own=own,
        counts={name: _count_values(classes, public[name]) for name in sa},
        fits=fits,
        covered=covered,
        repeated=int(repeated.several.sum()),
        labels=_hash_hierarchies(labels),
    )


class _PersonRows(NamedTuple):
    """The rows of every person: `person[r]` is the place of the person of row r."""

    person: np.ndarray
    several: np.ndarray


def _number_people(ids: pl.Series) -> tuple[pl.Series, np.ndarray, _PersonRows]:
    """Everybody once, in the order of their first rows; those rows; all rows."""
    text = canonicalize_column(ids).alias("id")
    missing = int((text.is_null() | (text == "")).sum())
    if missing:
        raise InputError(
            Message(
                "{count} row has no id: a ledger must know whose it is",
                plural="{count:,} rows have no id: a ledger must know whose they are",
                count=missing,
            )
        )
    person = equivalence_class_codes(text.to_frame(), ["id"])
    _, first = np.unique(person, return_index=True)
    return text.gather(first), first, _PersonRows(person, np.bincount(person) > 1)


def _class_patterns(
    classes: np.ndarray, rows: _PersonRows, first: np.ndarray, number: int
) -> np.ndarray:
    """The class of everyone; who has several rows gets a number for all their classes."""
    class_of_person: np.ndarray = classes[first].copy()
    if not rows.several.any():
        return class_of_person
    frame = pl.DataFrame({"person": rows.person, "class": classes})
    lists = frame.group_by("person").agg(pl.col("class").sort()).sort("person")
    joined = lists["class"].list.eval(pl.element().cast(pl.String)).list.join(",")
    codes = equivalence_class_codes(joined.alias("class").to_frame(), ["class"])
    class_of_person[rows.several] = number + codes[rows.several]
    return class_of_person


def _person_cells(cells: pl.Series, rows: _PersonRows, first: np.ndarray) -> pl.Series:
    """The cell of everyone; of several rows all of them, sorted."""
    text = canonicalize_column(cells)
    if not rows.several.any():
        return text.gather(first)
    frame = pl.DataFrame({"person": rows.person, "cell": text})
    lists = frame.group_by("person").agg(pl.col("cell").sort(), pl.len().alias("rows"))
    lists = lists.sort("person")
    joined = lists["cell"].list.join(CELL_SEPARATOR, ignore_nulls=False)
    return text.gather(first).zip_with(lists["rows"] == 1, joined)


def _source_cells(
    source: pl.DataFrame, name: str, link: np.ndarray | None, rows: _PersonRows, first: np.ndarray
) -> pl.Series:
    if name not in source.columns:
        return pl.Series(name, [None] * len(first), dtype=pl.String)
    cells = source[name] if link is None else source[name].gather(link)
    return _person_cells(cells, rows, first)


def _count_values(classes: np.ndarray, cells: pl.Series) -> pl.DataFrame:
    frame = pl.DataFrame({"class": classes, "value": canonicalize_column(cells)})
    return frame.group_by("class", "value").agg(pl.len().alias("rows"))


def _require_columns(columns: Sequence[str], names: Sequence[str], where: str) -> None:
    for name in names:
        if name not in columns:
            raise UnknownNameError(COLUMN_NOUN, name, columns, where=where)
    if not names and where == "data":
        raise InputError(
            "a release without quasi-identifiers cannot be recorded: name them with {qi_field}",
            field="qi",
            qi_field=field_name("qi"),
        )


def _hash_hierarchies(hierarchies: Mapping[str, Hierarchy]) -> str:
    """A digest that distinguishes these hierarchies without revealing them."""
    if not hierarchies:
        return ""
    rows = {name: hierarchy.frame().rows() for name, hierarchy in sorted(hierarchies.items())}
    text = json.dumps(rows, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_ledger_contribution(
    release: Release, source: object, ids: str | pl.Series | None
) -> Contribution:
    """From a release and its source; `ids`: the source's column that names people, or a Series."""
    if source is None or ids is None:
        raise UsageError(
            "a ledger needs the source of a table's release, and which column of it names people"
        )
    table = Table.of(source)
    before, after = decode_categories(table.frame), decode_categories(release.public.frame)
    names = decode_categories(
        pl.DataFrame({"id": ids if isinstance(ids, pl.Series) else table.frame[ids]})
    )
    qi, sa = release.public.schema.qi, release.public.schema.sa
    return table_contribution(
        before,
        after,
        link=release.link,
        ids=names["id"],
        qi=qi,
        sa=sa,
        hierarchies=step_hierarchies(release.provenance.steps, before, after, qi),
    )


MAX_COMPARISONS = 40_000_000_000
"""Classes × different people: more are not compared, and unlinked figures stay unknown."""


@dataclass(frozen=True, eq=False)
class FittingClasses:
    """The pattern of every source row, the classes of each pattern, the people of each class."""

    pattern: np.ndarray
    start: np.ndarray
    classes: np.ndarray
    covered: np.ndarray
    known: bool = True

    def of_rows(self, rows: np.ndarray, *, several: np.ndarray) -> CandidateClasses | None:
        """For people whose (first) rows these are; who has several rows fits nothing known."""
        if not self.known:
            return None
        pattern_of_person = np.where(several, UNKNOWN, self.pattern[rows])
        return CandidateClasses(pattern_of_person, self.start, self.classes)


def find_fitting_classes(
    source: pl.DataFrame,
    public: pl.DataFrame,
    classes: np.ndarray,
    qi: Sequence[str],
    hierarchies: Hierarchies,
) -> FittingClasses:
    """Every different person of the source compared with every class of the release."""
    columns = list(qi)
    text = source.select(canonicalize_column(source[name]) for name in columns)
    pattern = equivalence_class_codes(text, columns)
    _, first = np.unique(pattern, return_index=True)
    _, first_of_class = np.unique(classes, return_index=True)
    if len(first) * len(first_of_class) > MAX_COMPARISONS:
        empty = np.zeros(0, dtype=np.int64)
        return FittingClasses(pattern, np.zeros(1, np.int64), empty, empty, known=False)
    readers = {
        name: ColumnReader.of(source[name], public[name], hierarchies.get(name)) for name in columns
    }
    candidates = match_consistent_qi(
        public[first_of_class], source[first], columns, hierarchies, strict=False, readers=readers
    )
    group = candidates.group
    sizes = np.where(group >= 0, np.diff(candidates.start)[np.maximum(group, 0)], 0)
    of_class = np.repeat(np.arange(len(first_of_class)), sizes)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(begin[-1]) - np.repeat(begin[:-1], sizes)
    people = candidates.rows[np.repeat(candidates.start[np.maximum(group, 0)], sizes) + within]
    pattern_sizes = np.bincount(pattern, minlength=len(first))
    covered = np.bincount(of_class, weights=pattern_sizes[people], minlength=len(first_of_class))
    order = np.argsort(people, kind="stable")
    counted = np.bincount(people, minlength=len(first))
    start = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
    return FittingClasses(pattern, start, of_class[order], covered)
