"""Lets the table and the methods of a request agree on people and sensitive columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod

if TYPE_CHECKING:
    from tokumei.tables.services.requests import AnonymizeTableRequest

NONE = "none"
"""Says that every row is another person."""


def settle_methods(request: AnonymizeTableRequest) -> AnonymizeTableRequest:
    """Give the methods what the table says of people and of the columns that models protect."""
    return _settle_sensitive(_settle_person(request))


def _settle_sensitive(request: AnonymizeTableRequest) -> AnonymizeTableRequest:
    """Models of methods that name no sensitive column protect those of the table."""
    sensitive, steps = list(request.table.sa or ()), request.steps
    if not sensitive:
        return request
    if not isinstance(steps, TableMethod):
        return replace(request, steps=[_protecting_step(step, sensitive) for step in steps])
    parts = tuple(_protecting(part, sensitive) for part in _parts(steps))
    return replace(request, steps=_joined(steps, parts))


def _protecting_step(step: Mapping[str, Any], sensitive: list[str]) -> Mapping[str, Any]:
    if not step.get("conditions") or step.get("sensitive"):
        return step
    return {**step, "sensitive": sensitive}


def _protecting(method: TableMethod, sensitive: list[str]) -> TableMethod:
    if not getattr(method, "conditions", ()) or getattr(method, "sensitive", None):
        return method
    return cast(TableMethod, replace(cast(Any, method), sensitive=tuple(sensitive)))


def _settle_person(request: AnonymizeTableRequest) -> AnonymizeTableRequest:
    """Give the person column of the table to methods that can count people, and the reverse.

    Where no method can count people, the column is an identifier, which is dropped.
    """
    named, counted = request.table.person, person_of(request.steps)
    if named == NONE or (named or None) == (counted or None):
        return request
    if counted:
        return replace(request, table=replace(request.table, person=named or counted))
    steps = _with_person(request.steps, str(named))
    if person_of(steps):
        return replace(request, steps=steps)
    ids = tuple(dict.fromkeys((*(request.table.id or ()), str(named))))
    return replace(request, table=replace(request.table, person=None, id=ids))


def person_of(steps: TableMethod | Sequence[Mapping[str, Any]]) -> str:
    """The column that a method counts people by; empty: none does."""
    if isinstance(steps, TableMethod):
        return next((name for part in _parts(steps) if (name := _person(part))), "")
    return next((str(step["person"]) for step in steps if step.get("person")), "")


def _with_person(
    steps: TableMethod | Sequence[Mapping[str, Any]], person: str
) -> TableMethod | Sequence[Mapping[str, Any]]:
    from tokumei.tables.registry import anonymizers

    if not isinstance(steps, TableMethod):
        return [
            {**step, "person": person}
            if "person" in anonymizers.get(str(step.get("method"))).__dataclass_fields__
            else step
            for step in steps
        ]
    parts = tuple(_counting(part, person) for part in _parts(steps))
    return _joined(steps, parts)


def _joined(method: TableMethod, parts: tuple[TableMethod, ...]) -> TableMethod:
    """The method made of other parts."""
    return Pipeline(parts) if isinstance(method, Pipeline) else parts[0]


def _counting(method: TableMethod, person: str) -> TableMethod:
    """The method, counting people by a column if it can."""
    if not hasattr(method, "person"):
        return method
    return cast(TableMethod, replace(cast(Any, method), person=person))


def _parts(method: TableMethod) -> tuple[TableMethod, ...]:
    return method.methods if isinstance(method, Pipeline) else (method,)


def _person(method: TableMethod) -> str:
    return getattr(method, "person", "") or ""
