"""Builds and checks the case of an audit from frames, roles and hierarchies."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.messages import join_messages
from tokumei.files.column_types import decode_categories
from tokumei.files.frame_conversion import to_polars
from tokumei.tables.audit.attacker_view import AttackerModel
from tokumei.tables.audit.audit_case import AuditCase, resolve_columns
from tokumei.tables.audit.member_control_alignment import (
    align_frames,
    require_disjoint_people,
    require_enough_people,
)
from tokumei.tables.data.column_kinds import infer_schema
from tokumei.tables.data.schema import Schema
from tokumei.tables.data.simple_frame import require_simple_frame
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.files import COLUMN_PLACEHOLDER
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaf_lookup import NULL_LEAVES, find_leaf_places
from tokumei.tables.hierarchies.release_hierarchies import (
    MANIFEST_KEY,
    hierarchies_from_manifest,
    step_hierarchies,
)

AuditKind = Literal["membership", "attribute", "singling-out"]
AUDIT_KINDS: tuple[AuditKind, ...] = ("membership", "attribute", "singling-out")
ColumnNames = Sequence[str] | None


def build_audit_case(
    people: Mapping[str, object],
    release: object,
    *,
    roles: Mapping[str, ColumnNames],
    hierarchies: str | Mapping[str, object] | None,
    kinds: Sequence[str] = AUDIT_KINDS,
    model: str = "together",
    groups: Sequence[str] = (),
    person: str | None = None,
    names: Mapping[str, str] | None = None,
) -> AuditCase:
    """The case; `people` are members, control and reference (None: there is none), by name.

    `names`: what messages call these and the release, if not so.
    """
    _require_known_options(kinds, model)
    display_names = {entry: (names or {}).get(entry, entry) for entry in (*people, "release")}
    given_frames = {
        display_names[name]: to_audit_frame(entry)
        for name, entry in people.items()
        if entry is not None
    }
    if person is not None:
        require_disjoint_people(given_frames, person)
    frames = align_frames(given_frames)
    first, second, *third = frames
    release_name, public = display_names["release"], to_audit_frame(release)
    if not public.height:
        raise InputError("{file}: no rows", file=release_name)
    shared_columns = [
        name for name in frames[first].columns if name in public.columns and name != person
    ]
    require_enough_people(frames, shared_columns)
    for entry, frame in {**frames, release_name: public}.items():
        _require_no_infinity(frame, entry)
    resolve_columns(shared_columns, shared_columns or None, release_name)
    schema = _infer_roles(release, people[next(iter(people))], frames[first], roles)
    likely_qi = [name for name in schema.qi if name in shared_columns]
    qi = resolve_columns(shared_columns, roles.get("qi") or likely_qi or None, release_name)
    sa = [
        name for name in (roles.get("sa") or schema.sa) if name in shared_columns or roles.get("sa")
    ]
    resolve_columns(shared_columns, sa or None, release_name)
    resolve_columns(frames[first].columns, list(groups) or None, first)
    sa = list(dict.fromkeys(sa))
    found_hierarchies = _resolve_hierarchies(
        release, hierarchies, frames[first], public, shared_columns
    )
    found_hierarchies = widen_hierarchies(
        found_hierarchies, frames[first], pl.concat([frames[entry] for entry in (second, *third)])
    )
    return AuditCase(
        public.select(shared_columns),
        frames[first],
        frames[second],
        frames[third[0]] if third else None,
        tuple(name for name in qi if name not in sa),
        tuple(sa),
        tuple(resolve_columns(shared_columns, roles.get("known"), release_name)),
        found_hierarchies,
        tuple(n for n in frames[first].columns if n not in public.columns and n != person),
        release_name,
    )


def to_audit_frame(data: object) -> pl.DataFrame:
    """The rows of a frame, Table, Release or file."""
    data = data.public if isinstance(data, Release) else data
    if isinstance(data, Table):
        return decode_categories(data.frame)
    if isinstance(data, str | Path):
        from tokumei.files.reading import read_frame

        return require_simple_frame(read_frame(data))
    return decode_categories(require_simple_frame(to_polars(data)))


def _infer_roles(
    release: object, members: object, frame: pl.DataFrame, roles: Mapping[str, ColumnNames]
) -> Schema:
    """Roles as they were given, with the release or the members, or else as they look."""
    for table in (release.public if isinstance(release, Release) else release, members):
        if isinstance(table, Table) and (table.schema.qi or table.schema.sa):
            return table.schema
    if roles.get("qi") or roles.get("sa"):
        return Schema(())
    return infer_schema(frame)


def _resolve_hierarchies(
    release: object,
    hierarchy_spec: str | Mapping[str, object] | None,
    members: pl.DataFrame,
    public: pl.DataFrame,
    shared: Sequence[str],
) -> dict[str, Hierarchy]:
    if hierarchy_spec is None:
        if isinstance(release, Release):
            return step_hierarchies(release.provenance.steps, members, public, shared)
        return {}
    if isinstance(hierarchy_spec, str) and hierarchy_spec != AUTO:
        columns_with_file = [
            name
            for name in shared
            if Path(hierarchy_spec.replace(COLUMN_PLACEHOLDER, name)).is_file()
        ]
        return choose_hierarchies(hierarchy_spec, members, columns_with_file or list(shared))
    hierarchy_spec = (
        dict.fromkeys(shared, AUTO) if isinstance(hierarchy_spec, str) else hierarchy_spec
    )
    ready_hierarchies = {
        name: entry for name, entry in hierarchy_spec.items() if isinstance(entry, Hierarchy)
    }
    file_specs = {
        name: entry
        for name, entry in hierarchy_spec.items()
        if isinstance(entry, str) and entry != AUTO
    }
    auto_specs = {
        MANIFEST_KEY: {
            name: entry
            for name, entry in hierarchy_spec.items()
            if isinstance(entry, str) and entry == AUTO
        }
    }
    auto_hierarchies = hierarchies_from_manifest(auto_specs, members, public, shared)
    return (
        ready_hierarchies
        | choose_hierarchies(file_specs, members, list(file_specs))
        | auto_hierarchies
    )


def _require_no_infinity(frame: pl.DataFrame, where: str) -> None:
    for series in frame.select(pl.col(pl.Float32, pl.Float64)):
        infinite = series.is_infinite().fill_null(False)
        if infinite.any():
            line = int(infinite.arg_max() or 0) + 2
            raise InputError(
                "{where}, line {line}, column '{column}': a number that is not finite",
                where=where,
                line=line,
                column=series.name,
            )


def _require_known_options(kinds: Sequence[str], model: str) -> None:
    for audit_kind in kinds:
        if audit_kind not in AUDIT_KINDS:
            raise UsageError(
                "'{given}': a kind is {kinds}",
                given=audit_kind,
                kinds=join_messages(AUDIT_KINDS),
            )
    if model not in get_args(AttackerModel):
        raise UsageError("'{model}': the model is together or alone", model=model)


LeafKey = tuple[float, str]
LabelRow = tuple[str, ...]


def widen_hierarchies(
    hierarchies: Mapping[str, Hierarchy], members: pl.DataFrame, others: pl.DataFrame
) -> dict[str, Hierarchy]:
    """All of them; those that have exactly the members' values also with those of the others.

    Such a hierarchy (`auto`) knows no value that no member has; without one nobody could be
    compared with the labels. What a label says decides: `{a;b}` lists its values and has no others,
    while `a … f` and `[1;9]` hold what lies between two of their values.
    """
    return {
        name: _widen_hierarchy(hierarchy, members[name], others[name])
        if name in others.columns
        else hierarchy
        for name, hierarchy in hierarchies.items()
    }


def _widen_hierarchy(hierarchy: Hierarchy, members: pl.Series, others: pl.Series) -> Hierarchy:
    member_leaves = find_leaf_places(hierarchy.leaves, members.unique())
    if member_leaves.null_count() or member_leaves.n_unique() < len(hierarchy.leaves):
        return hierarchy  # It was not made from these members: a value without a leaf is an error.
    other_values = canonicalize_column(others.unique()).unique()
    missing_values = other_values.filter(find_leaf_places(hierarchy.leaves, other_values).is_null())
    if not len(missing_values):
        return hierarchy
    levels = zip(hierarchy.names, hierarchy.up, strict=True)
    rows = list(zip(*(names.gather(up) for names, up in levels), strict=True))
    leaves = sorted((_leaf_key(row[0]), row) for row in rows if row[0] not in NULL_LEAVES)
    added_rows = [_labels_for_value(value, leaves) for value in missing_values.sort().to_list()]
    return Hierarchy.of(hierarchy.column, [*rows, *added_rows])


def _labels_for_value(value: str | None, leaves: list[tuple[LeafKey, LabelRow]]) -> list[str]:
    """The labels of a value: those of both its neighbours, as far as these list no values."""
    text = "" if value is None else value
    position = bisect_left(leaves, (_leaf_key(text),))
    if value is None or not 0 < position < len(leaves):
        return [*[text] * (len(leaves[0][1]) - 1), "*"]
    neighbour_labels = zip(leaves[position - 1][1], leaves[position][1], strict=True)
    return [
        lower_label if lower_label == upper_label and not lower_label.startswith("{") else text
        for lower_label, upper_label in neighbour_labels
    ]


def _leaf_key(text: str) -> LeafKey:
    """Numbers and days in their order, before texts in theirs."""
    value = parse_number_or_day(text)
    return (float("inf"), text) if np.isnan(value) else (value, "")
