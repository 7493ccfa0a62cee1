"""From whatever a user gives to the case of an audit: frames, roles, hierarchies, all checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import polars as pl

from tokumei.core.errors import InputError, UsageError
from tokumei.files.compact import as_text
from tokumei.files.frames import to_polars
from tokumei.tables.audit.case import (
    AuditCase,
    chosen_columns,
    matched_frames,
    require_enough,
    same_people,
)
from tokumei.tables.audit.seen import Model
from tokumei.tables.audit.widening import widened
from tokumei.tables.data.column_kinds import infer_schema
from tokumei.tables.data.schema import Schema
from tokumei.tables.data.table import Release, Table, simple_frame
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
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
) -> AuditCase:
    """The case; `people` are members, control and reference (None: there is none), by name."""
    _require(kinds, model)
    given = {name: frame_of(one) for name, one in people.items() if one is not None}
    if person is not None:
        same_people(given, person)
    frames = matched_frames(given)
    first, second, *third = frames
    require_enough(frames[first], frames[second])
    public = frame_of(release)
    if not public.height:
        raise InputError("the release has no rows", "公開データに行がありません")
    for where, frame in {**frames, "release": public}.items():
        _require_finite(frame, where)
    shared = [name for name in frames[first].columns if name in public.columns and name != person]
    chosen_columns(shared, shared or None, "release")
    schema = _schema(release, people[next(iter(people))], frames[first], roles)
    qi = chosen_columns(
        shared, roles.get("qi") or [n for n in schema.qi if n in shared] or None, "release"
    )
    sa = [name for name in (roles.get("sa") or schema.sa) if name in shared or roles.get("sa")]
    chosen_columns(shared, sa or None, "release")
    chosen_columns(frames[first].columns, list(groups) or None, "members")
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
        tuple(chosen_columns(shared, roles.get("known"), "release")),
        found,
        tuple(n for n in frames[first].columns if n not in public.columns and n != person),
    )


def frame_of(given: Any) -> pl.DataFrame:
    """The rows of a frame, Table, Release or file."""
    if isinstance(given, Release):
        return as_text(given.public.frame)
    if isinstance(given, Table):
        return as_text(given.frame)
    if isinstance(given, str):
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
        return choose_hierarchies(given, members, list(shared))
    given = dict.fromkeys(shared, AUTO) if isinstance(given, str) else given
    ready = {name: one for name, one in given.items() if isinstance(one, Hierarchy)}
    named = {name: one for name, one in given.items() if isinstance(one, str) and one != AUTO}
    made = {KEY: {name: one for name, one in given.items() if isinstance(one, str) and one == AUTO}}
    found = hierarchies_of(made, members, public, shared)
    return ready | choose_hierarchies(named, members, list(named)) | found


def _require_finite(frame: pl.DataFrame, where: str) -> None:
    for series in frame.select(pl.col(pl.Float32, pl.Float64)):
        if series.is_infinite().any():
            raise InputError(
                f"{where}, column '{series.name}': holds a number that is not finite",
                f"{where} の列 '{series.name}' に有限でない数値があります",
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
