"""The job `look`: profiles the source file, its first rows and its disclosure risk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tokumei.apps.studio.job_handlers.read_preview import (
    ONE_COLUMN_SEPARATOR,
    is_text,
    list_doubts,
    reading_request,
)
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import KindName, ProjectState, Role
from tokumei.apps.studio.store.records import JobArguments, NormalizationRecord, PlainData
from tokumei.core.errors import InputError, TokumeiError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.tables.services.profile import profile_table

if TYPE_CHECKING:
    from tokumei.apps.studio.jobs.worker import ProgressWriter
    from tokumei.tables.profiling.profile import ColumnProfile, TableProfile

_ROLE_BY_FATE: dict[str, Role] = {"drop": "drop", "generalize": "quasi", "protect": "sensitive"}
_PURCHASE_COLUMN_TYPES = {
    "customer": ("member_id", "device_id", "username"),
    "day": ("date", "datetime"),
    "item": ("item", "jan", "code", "category"),
    "price": ("price", "amount"),
    "quantity": ("quantity", "count"),
}
"""The columns that a purchase history has, and what they may mean."""


def profile_source(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Profile the file, fill in undecided roles and measure how exposed people are."""
    state = project.state()
    with progress_bar(Message("looking at the file"), None):
        state, profile = _profile(project, state)
        state = _fill_undecided(project, state, profile)
        project.write_result("look", _profile_to_json(profile, state))


def _profile(project: Project, state: ProjectState) -> tuple[ProjectState, TableProfile]:
    """The profile; a text that no separator splits is read as one column."""
    try:
        return state, profile_table(reading_request(project, state.reading, state.off))
    except InputError:
        if state.reading.sep is not None or not is_text(project.source):
            raise
        reading = state.reading.model_copy(update={"sep": ONE_COLUMN_SEPARATOR})
        try:
            profile = profile_table(reading_request(project, reading, state.off))
        except TokumeiError:
            profile = None
        if profile is None or len(profile.columns) != 1:
            raise
    return project.change(reading=reading.model_dump()), profile


def _fill_undecided(project: Project, state: ProjectState, profile: TableProfile) -> ProjectState:
    """Roles, person and kind as they look, unless somebody decided before."""
    names = [column.name for column in profile.columns]
    if list(state.roles) == names:
        return state
    if state.contest is not None:
        from tokumei.apps.studio.store.contest_source import read_contest_roles

        return project.change(roles=read_contest_roles(state.contest, names))
    columns = _history_columns(profile)
    # People have several rows with days and things bought.
    is_history = (
        profile.person is not None
        and profile.person.several
        and set(_PURCHASE_COLUMN_TYPES) <= columns.keys()
    )
    kind: KindName = "histories" if is_history else "tables"
    person = profile.person.column if profile.person else None
    return project.change(
        roles={
            profiled_column.name: "identifier"
            if profiled_column.identifies
            else _ROLE_BY_FATE.get(profiled_column.fate, "drop")
            for profiled_column in profile.columns
        },
        person=person,
        columns=columns,
        kind=kind if not state.roles else state.kind,
    )


def _history_columns(profile: TableProfile) -> dict[str, str]:
    """Which column is which part of a purchase, by meaning; each at most once."""
    column_by_part = {
        part: part
        for part in _PURCHASE_COLUMN_TYPES
        if any(profiled_column.name == part for profiled_column in profile.columns)
    }
    if profile.person is not None:
        column_by_part.setdefault("customer", profile.person.column)
    for part, types in _PURCHASE_COLUMN_TYPES.items():
        free = [column for column in profile.columns if column.name not in column_by_part.values()]
        best = sorted(
            (column for column in free if column.type in types),
            key=lambda column: (types.index(column.type), -column.confidence),
        )
        if part not in column_by_part and best:
            column_by_part[part] = best[0].name
    return column_by_part


def _profile_to_json(profile: TableProfile, state: ProjectState) -> PlainData:
    from tokumei.tables.profiling.normalization_rules import NORMALIZATION_RULES
    from tokumei.tables.profiling.report.preview import build_preview
    from tokumei.tables.profiling.report.text_report import file_line, people_line

    preview = build_preview(profile)
    return {
        "inputs": state.inputs("look"),
        "rows": profile.rows,
        "people": profile.people,
        "person": profile.person.as_json() if profile.person else None,
        "file_line": file_line(profile).texts(),
        "people_line": people_line(profile).texts(),
        "columns": [_column_to_json(column, preview.frequent) for column in profile.columns],
        "first": [[[cell.text, cell.masked] for cell in row] for row in preview.rows],
        "exposure": _exposure_to_json(profile, state),
        "rules": _normalizations_to_json(profile, NORMALIZATION_RULES),
        "warnings": [fault.message.texts() for fault in profile.warnings],
        "dialect": {
            "encoding": profile.source.encoding,
            "sep": profile.source.separator,
            "sheet": profile.source.sheet,
            "header_row": profile.source.header_row,
            "sheets": list(profile.source.sheets),
            "doubts": [doubt.texts() for doubt in list_doubts(profile)],
            "plain": _is_plain_file(profile),
        },
    }


def _is_plain_file(profile: TableProfile) -> bool:
    """Whether a strict reader understands the file without being told."""
    source = profile.source
    has_extra_lines = source.above or source.below or source.empty or source.sheet
    return not has_extra_lines and source.header_row == 1


def _column_to_json(
    column: ColumnProfile, frequent: Mapping[str, Iterable[Iterable[object]]]
) -> PlainData:
    from tokumei.tables.profiling.column_types import COLUMN_TYPES

    return {
        **column.as_json(),
        "title": COLUMN_TYPES[column.type].title.texts(),
        "certainty": column.certainty.texts(),
        "shares": list(column.shape_shares),
        "bins": list(column.bins),
        "frequent": [list(entry) for entry in frequent.get(column.name, ())],
        "masked": not column.shows_values,
        "identifies": column.identifies,
        "unique_share": column.unique_share,
        "inside": [COLUMN_TYPES[entry.type].title.texts() for entry in column.pii],
    }


def _exposure_to_json(profile: TableProfile, state: ProjectState) -> PlainData | None:
    """How many people are unique by the columns that the project calls known."""
    from tokumei.tables.profiling.detection.person_column import (
        measure_exposure,
        person_from_column,
    )

    decided = profile.schema().with_roles(
        qi=state.columns_as("quasi"),
        sa=state.columns_as("sensitive"),
        ids=state.columns_as("identifier", "drop"),
    )
    frame = profile.source.frame
    person = None if state.person is None else person_from_column(frame, state.person)
    exposure = measure_exposure(frame, profile.with_roles(decided).columns, person)
    return None if exposure is None else exposure.as_json()


def _normalizations_to_json(
    profile: TableProfile, rules: Mapping[str, Message]
) -> list[NormalizationRecord]:
    entries = list[NormalizationRecord]()
    for rule, words in rules.items():
        columns = {
            column.name: column.normalizations[rule]
            for column in profile.columns
            if rule in column.normalizations
        }
        lines = profile.file_rules.get(rule, 0)
        if columns or lines:
            cells = sum(columns.values()) or lines
            entries.append(
                {
                    "rule": rule,
                    "words": words.texts(),
                    "cells": cells,
                    "columns": list(columns),
                }
            )
    return entries
