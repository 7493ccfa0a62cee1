"""From whatever a user gives to the case of an audit: frames, roles, hierarchies, all checked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.errors import InputError, UsageError
from tokumei.core.notations import number
from tokumei.files.compact import as_text
from tokumei.files.frames import to_polars
from tokumei.tables.audit.case import AuditCase, chosen_columns
from tokumei.tables.audit.people import matched_frames, require_enough, same_people
from tokumei.tables.audit.seen import Model
from tokumei.tables.data.column_kinds import infer_schema
from tokumei.tables.data.schema import Schema
from tokumei.tables.data.table import Release, Table, simple_frame
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.files import PLACE
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaves import NULL_LEAVES, places
from tokumei.tables.hierarchies.released import KEY, hierarchies_of, step_hierarchies

Kinds = Literal["membership", "attribute", "singling-out"]
KINDS: tuple[Kinds, ...] = ("membership", "attribute", "singling-out")
Names = Sequence[str] | None


def audit_case(
    people: Mapping[str, Any],
    release: Any,
    *,
    roles: Mapping[str, Names],
    hierarchies: str | Mapping[str, Any] | None,
    kinds: Sequence[str] = KINDS,
    model: str = "together",
    groups: Sequence[str] = (),
    person: str | None = None,
    names: Mapping[str, str] | None = None,
) -> AuditCase:
    """The case; `people` are members, control and reference (None: there is none), by name.

    `names`: what messages call these and the release, if not so.
    """
    _require(kinds, model)
    told = {one: (names or {}).get(one, one) for one in (*people, "release")}
    given = {told[name]: frame_of(one) for name, one in people.items() if one is not None}
    if person is not None:
        same_people(given, person)
    frames = matched_frames(given)
    first, second, *third = frames
    where, public = told["release"], frame_of(release)
    if not public.height:
        raise InputError(f"{where}: no rows", f"{where}: 行がありません")
    shared = [name for name in frames[first].columns if name in public.columns and name != person]
    require_enough(frames, shared)
    for one, frame in {**frames, where: public}.items():
        _require_finite(frame, one)
    chosen_columns(shared, shared or None, where)
    schema = _schema(release, people[next(iter(people))], frames[first], roles)
    there = [name for name in schema.qi if name in shared]
    qi = chosen_columns(shared, roles.get("qi") or there or None, where)
    sa = [name for name in (roles.get("sa") or schema.sa) if name in shared or roles.get("sa")]
    chosen_columns(shared, sa or None, where)
    chosen_columns(frames[first].columns, list(groups) or None, first)
    sa = list(dict.fromkeys(sa))
    found = _hierarchies(release, hierarchies, frames[first], public, shared)
    found = widened(found, frames[first], pl.concat([frames[one] for one in (second, *third)]))
    return AuditCase(
        public.select(shared),
        frames[first],
        frames[second],
        frames[third[0]] if third else None,
        tuple(name for name in qi if name not in sa),
        tuple(sa),
        tuple(chosen_columns(shared, roles.get("known"), where)),
        found,
        tuple(n for n in frames[first].columns if n not in public.columns and n != person),
        where,
    )


def frame_of(given: Any) -> pl.DataFrame:
    """The rows of a frame, Table, Release or file."""
    given = given.public if isinstance(given, Release) else given
    if isinstance(given, Table):
        return as_text(given.frame)
    if isinstance(given, str | Path):
        from tokumei.files.reading import read_frame

        return simple_frame(read_frame(given))
    return as_text(simple_frame(to_polars(given)))


def _schema(release: Any, members: Any, frame: pl.DataFrame, roles: Mapping[str, Names]) -> Schema:
    """Roles as they were given, with the release or the members, or else as they look."""
    for one in (release.public if isinstance(release, Release) else release, members):
        if isinstance(one, Table) and (one.schema.qi or one.schema.sa):
            return one.schema
    if roles.get("qi") or roles.get("sa"):
        return Schema(())
    return infer_schema(frame)


def _hierarchies(
    release: Any,
    given: str | Mapping[str, Any] | None,
    members: pl.DataFrame,
    public: pl.DataFrame,
    shared: Sequence[str],
) -> dict[str, Hierarchy]:
    if given is None:
        if isinstance(release, Release):
            return step_hierarchies(release.provenance.steps, members, public, shared)
        return {}
    if isinstance(given, str) and given != AUTO:
        there = [name for name in shared if Path(given.replace(PLACE, name)).is_file()]
        return choose_hierarchies(given, members, there or list(shared))
    given = dict.fromkeys(shared, AUTO) if isinstance(given, str) else given
    ready = {name: one for name, one in given.items() if isinstance(one, Hierarchy)}
    named = {name: one for name, one in given.items() if isinstance(one, str) and one != AUTO}
    made = {KEY: {name: one for name, one in given.items() if isinstance(one, str) and one == AUTO}}
    found = hierarchies_of(made, members, public, shared)
    return ready | choose_hierarchies(named, members, list(named)) | found


def _require_finite(frame: pl.DataFrame, where: str) -> None:
    for series in frame.select(pl.col(pl.Float32, pl.Float64)):
        infinite = series.is_infinite().fill_null(False)
        if infinite.any():
            line = int(infinite.arg_max() or 0) + 2
            raise InputError(
                f"{where}, line {line}, column '{series.name}': a number that is not finite",
                f"{where} {line} 行目、列 '{series.name}': 有限でない数値です",
            )


def _require(kinds: Sequence[str], model: str) -> None:
    for one in kinds:
        if one not in KINDS:
            raise UsageError(
                f"'{one}': a kind is {', '.join(KINDS)}",
                f"'{one}': 種類は {', '.join(KINDS)} のどれかです",
            )
    if model not in get_args(Model):
        raise UsageError(
            f"'{model}': the model is together or alone",
            f"'{model}': 想定は together か alone です",
        )


Key = tuple[float, str]
Row = tuple[str, ...]


def widened(
    hierarchies: Mapping[str, Hierarchy], members: pl.DataFrame, others: pl.DataFrame
) -> dict[str, Hierarchy]:
    """All of them; those that have exactly the members' values also with those of the others.

    Such a hierarchy (`auto`) knows no value that no member has; without one nobody could be
    compared with the labels. What a label says decides: `{a;b}` lists its values and has no others,
    while `a … f` and `[1;9]` hold what lies between two of their values.
    """
    return {
        name: _widened(one, members[name], others[name]) if name in others.columns else one
        for name, one in hierarchies.items()
    }


def _widened(hierarchy: Hierarchy, members: pl.Series, others: pl.Series) -> Hierarchy:
    own = places(hierarchy.leaves, members.unique())
    if own.null_count() or own.n_unique() < len(hierarchy.leaves):
        return hierarchy  # It was not made from these members: a value without a leaf is an error.
    found = canonical(others.unique()).unique()
    missing = found.filter(places(hierarchy.leaves, found).is_null())
    if not len(missing):
        return hierarchy
    levels = zip(hierarchy.names, hierarchy.up, strict=True)
    rows = list(zip(*(names.gather(up) for names, up in levels), strict=True))
    leaves = sorted((_key(row[0]), row) for row in rows if row[0] not in NULL_LEAVES)
    added = [_row(value, leaves) for value in missing.sort().to_list()]
    return Hierarchy.of(hierarchy.column, [*rows, *added])


def _row(value: str | None, leaves: list[tuple[Key, Row]]) -> list[str]:
    """The labels of a value: those of both its neighbours, as far as these list no values."""
    text = "" if value is None else value
    place = bisect_left(leaves, (_key(text),))
    if value is None or not 0 < place < len(leaves):
        return [*[text] * (len(leaves[0][1]) - 1), "*"]
    both = zip(leaves[place - 1][1], leaves[place][1], strict=True)
    return [one if one == two and not one.startswith("{") else text for one, two in both]


def _key(text: str) -> Key:
    """Numbers and days in their order, before texts in theirs."""
    value = number(text)
    return (float("inf"), text) if np.isnan(value) else (value, "")
