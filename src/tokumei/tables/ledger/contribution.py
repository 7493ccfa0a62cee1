"""What a released table says of each person, for the ledger.

    given = table_contribution(source, public, link=link, person="id", qi=["age"], sa=["illness"])

A class is rows with the same quasi-identifiers. A person with several rows is in the class of those
who have rows in the same classes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.cells import canonical, class_codes
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.fields import field_name
from tokumei.files.compact import as_text
from tokumei.ledger.contribution import UNKNOWN, Contribution, Fits
from tokumei.tables.attackers.candidates import consistent_vector
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.released import step_hierarchies

JOINED = "\x1f"


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
    _require(public.columns, [*qi, *sa], "release")
    _require(source.columns, qi, "data")
    labels = dict(hierarchies or {})
    classes = class_codes(public.select(canonical(public[name]) for name in qi), list(qi))
    found = fitting(source, public, classes, qi, labels)
    others = [name for name in public.columns if name not in qi]
    if link is None:
        people, first, repeated = _people(ids)
        rows = kind_of = np.full(len(people), UNKNOWN)
        at, cells = first, {}
    else:
        people, first, repeated = _people(ids.gather(link))
        number = int(classes.max(initial=-1)) + 1
        kind_of = _patterns(classes, repeated, first, number)
        rows, at = first, link[first]
        cells = {name: _texts(public[name], repeated, first) for name in others}
    own = {name: _own(source, name, link, repeated, first) for name in sa}
    fits = found.of_rows(at, several=repeated.several)
    covered = None
    if found.known and link is not None:
        covered = np.append(found.covered, [0])[np.where(repeated.several, -1, classes[first])]
    return Contribution(
        kind="tables",
        ids=people,
        classes=kind_of,
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
        counts={name: _counts(classes, public[name]) for name in sa},
        fits=fits,
        covered=covered,
        repeated=int(repeated.several.sum()),
        labels=_labels(labels),
    )


class _Rows(NamedTuple):
    """The rows of every person: `person[r]` is the place of the person of row r."""

    person: np.ndarray
    several: np.ndarray


def _people(ids: pl.Series) -> tuple[pl.Series, np.ndarray, _Rows]:
    """Everybody once, in the order of their first rows; those rows; all rows."""
    text = canonical(ids).alias("id")
    missing = int((text.is_null() | (text == "")).sum())
    if missing:
        raise InputError(
            f"{missing} row(s) have no id: a ledger must know whose they are",
            f"ID のない行が {missing} 行あります。台帳には誰の行かが必要です",
        )
    person = class_codes(text.to_frame(), ["id"])
    _, first = np.unique(person, return_index=True)
    return text.gather(first), first, _Rows(person, np.bincount(person) > 1)


def _patterns(classes: np.ndarray, rows: _Rows, first: np.ndarray, number: int) -> np.ndarray:
    """The class of everyone; who has several rows gets a number for all their classes."""
    found: np.ndarray = classes[first].copy()
    if not rows.several.any():
        return found
    frame = pl.DataFrame({"person": rows.person, "class": classes})
    lists = frame.group_by("person").agg(pl.col("class").sort()).sort("person")
    joined = lists["class"].list.eval(pl.element().cast(pl.String)).list.join(",")
    codes = class_codes(joined.alias("class").to_frame(), ["class"])
    found[rows.several] = number + codes[rows.several]
    return found


def _texts(cells: pl.Series, rows: _Rows, first: np.ndarray) -> pl.Series:
    """The cell of everyone; of several rows all of them, sorted."""
    text = canonical(cells)
    if not rows.several.any():
        return text.gather(first)
    frame = pl.DataFrame({"person": rows.person, "cell": text})
    lists = frame.group_by("person").agg(pl.col("cell").sort(), pl.len().alias("rows"))
    lists = lists.sort("person")
    joined = lists["cell"].list.join(JOINED, ignore_nulls=False)
    return text.gather(first).zip_with(lists["rows"] == 1, joined)


def _own(
    source: pl.DataFrame, name: str, link: np.ndarray | None, rows: _Rows, first: np.ndarray
) -> pl.Series:
    if name not in source.columns:
        return pl.Series(name, [None] * len(first), dtype=pl.String)
    cells = source[name] if link is None else source[name].gather(link)
    return _texts(cells, rows, first)


def _counts(classes: np.ndarray, cells: pl.Series) -> pl.DataFrame:
    frame = pl.DataFrame({"class": classes, "value": canonical(cells)})
    return frame.group_by("class", "value").agg(pl.len().alias("rows"))


def _require(columns: Sequence[str], names: Sequence[str], where: str) -> None:
    for name in names:
        if name not in columns:
            raise UnknownNameError(COLUMN, name, columns, where=where)
    if not names and where == "data":
        raise InputError(
            "a release without quasi-identifiers cannot be recorded: name them with "
            f"{field_name('qi')}",
            f"準識別子のない匿名加工データは記録できません。{field_name('qi')} で指定してください",
            field="qi",
        )


def _labels(hierarchies: Mapping[str, Any]) -> str:
    """What tells these hierarchies from others, and nothing of them."""
    if not hierarchies:
        return ""
    rows = {name: one.frame().rows() for name, one in sorted(hierarchies.items())}
    text = json.dumps(rows, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def release_contribution(release: Release, source: Any, ids: Any) -> Contribution:
    """From a release and its source; `ids`: the source's column that names people, or a Series."""
    if source is None or ids is None:
        raise UsageError(
            "a ledger needs the source of a table's release, and which column of it names people",
            "台帳に記録するには、表の元データと、人を表す列が必要です",
        )
    table = Table.of(source)
    before, after = as_text(table.frame), as_text(release.public.frame)
    names = as_text(pl.DataFrame({"id": ids if isinstance(ids, pl.Series) else table.frame[ids]}))
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


MOST = 40_000_000_000
"""Classes × different people: more are not compared, and unlinked figures stay unknown."""


@dataclass(frozen=True, eq=False)
class Fitting:
    """The pattern of every source row, the classes of each pattern, the people of each class."""

    pattern: np.ndarray
    start: np.ndarray
    classes: np.ndarray
    covered: np.ndarray
    known: bool = True

    def of_rows(self, rows: np.ndarray, *, several: np.ndarray) -> Fits | None:
        """For people whose (first) rows these are; who has several rows fits nothing known."""
        if not self.known:
            return None
        of = np.where(several, UNKNOWN, self.pattern[rows])
        return Fits(of, self.start, self.classes)


def fitting(
    source: pl.DataFrame,
    public: pl.DataFrame,
    classes: np.ndarray,
    qi: Sequence[str],
    hierarchies: Hierarchies,
) -> Fitting:
    """Every different person of the source compared with every class of the release."""
    columns = list(qi)
    text = source.select(canonical(source[name]) for name in columns)
    pattern = class_codes(text, columns)
    _, first = np.unique(pattern, return_index=True)
    _, shown = np.unique(classes, return_index=True)
    if len(first) * len(shown) > MOST:
        empty = np.zeros(0, dtype=np.int64)
        return Fitting(pattern, np.zeros(1, np.int64), empty, empty, known=False)
    readers = {
        name: ColumnReader.of(source[name], public[name], hierarchies.get(name)) for name in columns
    }
    found = consistent_vector(
        public[shown], source[first], columns, hierarchies, strict=False, readers=readers
    )
    group = found.group
    sizes = np.where(group >= 0, np.diff(found.start)[np.maximum(group, 0)], 0)
    of_class = np.repeat(np.arange(len(shown)), sizes)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(begin[-1]) - np.repeat(begin[:-1], sizes)
    people = found.rows[np.repeat(found.start[np.maximum(group, 0)], sizes) + within]
    many = np.bincount(pattern, minlength=len(first))
    covered = np.bincount(of_class, weights=many[people], minlength=len(shown))
    order = np.argsort(people, kind="stable")
    counted = np.bincount(people, minlength=len(first))
    start = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
    return Fitting(pattern, start, of_class[order], covered)
