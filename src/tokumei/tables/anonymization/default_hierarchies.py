"""Adds default hierarchies to quasi-identifiers of known types.

    method = add_default_hierarchies(method, table, sets=(), found=look)

Texts that are postal codes or prefectures, and all texts of more than 20 values, are generalized
along a hierarchy instead of to sets that list them, unless `sets` names the column. Methods that
propose hierarchies themselves take those of days, ages and places from what the column means.
Numbers and days become ranges where the method makes ranges; hierarchies that somebody gave stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from tokumei.core.fields import field_values
from tokumei.core.messages import Message
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import AUTO
from tokumei.tables.hierarchies.typed_hierarchies import HIERARCHY_BY_TYPE, detect_text_hierarchy

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import TableProfile

ALL = "all"
_HIERARCHY_NOTES = {
    "postal": Message("{column} is generalized by 3, 2 and 1 digits"),
    "postcode": Message(
        "{column} is generalized by its first part, then the letters or first digits of that"
    ),
    "prefecture": Message("{column} is generalized to regions"),
    "us-state": Message("{column} is generalized to divisions and regions"),
    "prefecture-code": Message("{column} is generalized to regions"),
    "scale": Message("{column} is generalized to neighbours on its scale"),
    "rare": Message("{column}: values of few rows are merged"),
    "codes": Message("{column} is generalized by its first characters"),
    "suppress": Message("{column} is generalized to *, because it has many values"),
    "calendar": Message("{column} is generalized to months, years, 5 and 10 years"),
    "moments": Message("{column} is generalized to days, months, years, 5 and 10 years"),
    "age-bands": Message("{column} is generalized to bands of 5, 10 and 20 years"),
    "degrees": Message(
        "{column} is generalized to 0.01, 0.1 and 1 degree (about 1, 10 and 100 km)"
    ),
}


def add_default_hierarchies(
    method: TableMethod, table: Table, sets: Sequence[str] = (), profile: TableProfile | None = None
) -> TableMethod:
    """The method with the hierarchies that its QI need; itself if they need none."""
    if isinstance(method, Pipeline):
        parts = tuple(
            add_default_hierarchies(part, table, sets, profile) for part in method.methods
        )
        same = all(
            part_after is part_before
            for part_after, part_before in zip(parts, method.methods, strict=True)
        )
        return method if same else replace(method, methods=parts)
    own_hierarchies = getattr(method, "hierarchies", None)
    if isinstance(method, Mondrian) and method.cut != "relaxed":
        defaults = _hierarchies_by_values(table, [*sets, *method.order, *method.hierarchies])
        # Few words become sets without a hierarchy; on a scale they have no other.
        defaults = {name: source for name, source in defaults.items() if source != "scale"}
        merged: Any = {**method.hierarchies, **defaults}
        return replace(method, hierarchies=merged) if defaults else method
    if own_hierarchies != AUTO:
        return method
    defaults = _hierarchies_by_values(table, sets) | _hierarchies_by_types(table, profile)
    if not defaults:
        return method
    all_columns = {name: defaults.get(name, AUTO) for name in table.schema.qi}
    return cast(TableMethod, replace(cast(Any, method), hierarchies=all_columns))


def columns_with_own_hierarchy(method: TableMethod, qi: Sequence[str]) -> frozenset[str]:
    """The QI whose hierarchy the owner gave."""
    columns = set[str]()
    for part in _pipeline_methods(method):
        hierarchies = getattr(part, "hierarchies", AUTO)
        by_column = (
            hierarchies if isinstance(hierarchies, Mapping) else dict.fromkeys(qi, hierarchies)
        )
        columns |= {name for name, hierarchy in by_column.items() if hierarchy != AUTO}
    return frozenset(columns)


def hierarchy_notes(before: TableMethod, after: TableMethod) -> list[Message]:
    """Which columns got a hierarchy that nobody asked for."""
    added: dict[str, str] = {}
    for method_before, method_after in zip(
        _pipeline_methods(before), _pipeline_methods(after), strict=True
    ):
        if method_before is not method_after:
            hierarchies_before = getattr(method_before, "hierarchies", {})
            columns_before = () if isinstance(hierarchies_before, str) else hierarchies_before
            hierarchies_after = cast(Any, method_after).hierarchies.items()
            added |= {
                name: hierarchy
                for name, hierarchy in hierarchies_after
                if hierarchy != AUTO and name not in columns_before
            }
    return [_hierarchy_note(name, hierarchy) for name, hierarchy in added.items()]


def _hierarchy_note(name: str, hierarchy: str) -> Message:
    note = _HIERARCHY_NOTES[hierarchy].fill(column=name)
    if hierarchy not in ("postal", "postcode", "prefecture", "codes", "suppress"):
        return note
    return Message(
        "{note} ({option} lists values instead)", note=note, option=field_values("sets", [name])
    )


def _pipeline_methods(method: TableMethod) -> tuple[TableMethod, ...]:
    return method.methods if isinstance(method, Pipeline) else (method,)


def _hierarchies_by_values(table: Table, excluded: Sequence[str]) -> dict[str, str]:
    """The hierarchies of columns of text by their values, but for those that are left alone."""
    if ALL in excluded:
        return {}
    cells = [table.frame[name] for name in table.schema.qi if name not in excluded]
    texts = [
        series for series in cells if not (series.dtype.is_numeric() or series.dtype.is_temporal())
    ]
    hierarchies = {
        series.name: detect_text_hierarchy(series) for series in texts if series.dtype != pl.Boolean
    }
    return {name: series for name, series in hierarchies.items() if series is not None}


def _hierarchies_by_types(table: Table, profile: TableProfile | None) -> dict[str, str]:
    """The hierarchies of numbers and days by what they mean, where that is sure."""
    if profile is None:
        return {}
    frame, hierarchies = table.frame, dict[str, str]()
    for name in table.schema.qi:
        hierarchy, series = HIERARCHY_BY_TYPE.get(profile[name].type), frame[name]
        has_right_type = (
            series.dtype.is_temporal() if hierarchy == "calendar" else series.dtype.is_numeric()
        )
        if (
            hierarchy is not None
            and has_right_type
            and profile[name].confidence >= _SURE_CONFIDENCE
        ):
            hierarchies[name] = "moments" if series.dtype == pl.Datetime else hierarchy
    return hierarchies


_SURE_CONFIDENCE = 0.9
