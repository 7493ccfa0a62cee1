"""The job `look`: what the file is, its first rows, and what it gives away as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import KindName, ProjectState, Role

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller
    from tokumei.tables.look.result import Look, LookColumn

_ROLES: dict[str, Role] = {"drop": "drop", "generalize": "quasi", "protect": "sensitive"}
_PARTS = {
    "customer": ("member_id", "device_id", "username"),
    "day": ("date", "datetime"),
    "item": ("item", "jan", "code", "category"),
    "price": ("price", "amount"),
    "quantity": ("quantity", "count"),
}
"""The columns that a purchase history has, and what they may mean."""


def look_at_source(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Look, settle what nobody decided yet, and say how exposed people are."""
    from tokumei.tables.services.profile import ProfileTableRequest, profile_table

    state = project.state()
    with meter(Text("looking at the file", "ファイルを確認しています"), None):
        found = profile_table(
            ProfileTableRequest(data=str(project.source), no_normalize=tuple(state.off))
        )
        state = _settled(project, state, found)
        project.write_result("look", _told(found, state))


def _settled(project: Project, state: ProjectState, found: Look) -> ProjectState:
    """Roles, person and kind as they look, unless somebody decided before."""
    names = [column.name for column in found.columns]
    if list(state.roles) == names:
        return state
    if state.contest is not None:
        from tokumei.studio.store.contests import contest_roles

        return project.change(roles=contest_roles(state.contest, names))
    columns = _history_columns(found)
    # People have several rows with days and things bought.
    bought = found.person is not None and found.person.several and set(_PARTS) <= columns.keys()
    kind: KindName = "histories" if bought else "tables"
    person = found.person.column if found.person else None
    return project.change(
        roles={
            one.name: "identifier" if one.identifies else _ROLES.get(one.fate, "drop")
            for one in found.columns
        },
        person=person,
        columns=columns,
        kind=kind if not state.roles else state.kind,
    )


def _history_columns(found: Look) -> dict[str, str]:
    """Which column is which part of a purchase, by meaning; each at most once."""
    taken = {part: part for part in _PARTS if any(one.name == part for one in found.columns)}
    if found.person is not None:
        taken.setdefault("customer", found.person.column)
    for part, types in _PARTS.items():
        free = [column for column in found.columns if column.name not in taken.values()]
        best = sorted(
            (column for column in free if column.type in types),
            key=lambda column: (types.index(column.type), -column.confidence),
        )
        if part not in taken and best:
            taken[part] = best[0].name
    return taken


def _told(found: Look, state: ProjectState) -> dict[str, Any]:
    from tokumei.tables.look.listing import file_line, people_line
    from tokumei.tables.look.preview import preview_of
    from tokumei.tables.look.rules import RULES

    preview = preview_of(found)
    return {
        "inputs": state.inputs("look"),
        "rows": found.rows,
        "people": found.people,
        "person": found.person.as_json() if found.person else None,
        "file_line": _both(file_line(found)),
        "people_line": _both(people_line(found)),
        "columns": [_column(column, preview.frequent) for column in found.columns],
        "first": [[[cell.text, cell.masked] for cell in row] for row in preview.rows],
        "exposure": _exposure(found, state),
        "rules": _rules(found, RULES),
        "warnings": [_both(fault.message) for fault in found.warnings],
        "dialect": {
            "encoding": found.source.encoding,
            "sep": found.source.separator,
            "sheet": found.source.sheet,
            "header_row": found.source.header_row,
            "plain": _plain(found),
        },
    }


def _plain(found: Look) -> bool:
    """Whether a strict reader understands the file without being told."""
    source = found.source
    aside = source.above or source.below or source.empty or source.sheet
    return not aside and source.header_row == 1


def _both(text: Text) -> list[str]:
    return [text.en, text.ja]


def _column(column: LookColumn, frequent: Mapping[str, Any]) -> dict[str, Any]:
    from tokumei.tables.look.types import TYPES

    return {
        **column.as_json(),
        "title": _both(TYPES[column.type].title),
        "certainty": _both(column.certainty),
        "shares": list(column.shape_shares),
        "bins": list(column.bins),
        "frequent": [list(one) for one in frequent.get(column.name, ())],
        "masked": not column.shows_values,
        "identifies": column.identifies,
        "unique_share": column.unique_share,
        "inside": [_both(TYPES[one.type].title) for one in column.pii],
    }


def _exposure(found: Look, state: ProjectState) -> dict[str, Any] | None:
    """Who is alone with the columns that the project calls known."""
    from tokumei.tables.look.people import exposure_of, person_by

    decided = found.schema().with_roles(
        qi=state.columns_as("quasi"),
        sa=state.columns_as("sensitive"),
        ids=state.columns_as("identifier", "drop"),
    )
    frame = found.source.frame
    person = None if state.person is None else person_by(frame, state.person)
    one = exposure_of(frame, found.with_roles(decided).columns, person)
    return None if one is None else one.as_json()


def _rules(found: Look, rules: Mapping[str, Text]) -> list[dict[str, Any]]:
    told = []
    for rule, words in rules.items():
        columns = {
            c.name: c.normalizations[rule] for c in found.columns if rule in c.normalizations
        }
        lines = found.file_rules.get(rule, 0)
        if columns or lines:
            cells = sum(columns.values()) or lines
            told.append(
                {"rule": rule, "words": _both(words), "cells": cells, "columns": list(columns)}
            )
    return told
