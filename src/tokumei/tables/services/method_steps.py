"""The steps of a release: built from names and parameters, and settled with its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast, get_origin

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name, field_value, field_values, parameter_name
from tokumei.core.registry import field_type_hints, split_params_by_method
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod

if TYPE_CHECKING:
    from tokumei.tables.services.requests import AnonymizeTableRequest, Steps


def build_steps(names: Sequence[str], parameters: Mapping[str, object]) -> list[dict[str, object]]:
    """Build a step per method; a parameter `METHOD.key` is for one of them, `key` for any."""
    from tokumei.tables.registry import anonymizers

    if isinstance(parameters.get("hierarchies"), str):
        _require_hierarchies_used(names)
    _require_distance_model(parameters)
    if len(names) == 1:
        prefix = f"{names[0]}."
        return [
            {
                "method": names[0],
                **{key.removeprefix(prefix): parameters[key] for key in parameters},
            }
        ]
    params = split_params_by_method(anonymizers, names, parameters)
    return [{"method": name, **params[name]} for name in names]


def list_privacy_models(
    models: Sequence[str] | None,
    *,
    l: int | None,  # noqa: E741
    t: float | None,
) -> list[str]:
    """List all models as texts: an l of 3 is "l=3", a t of 0.2 is "t=0.2"."""
    short = {"l": l, "t": t}
    named = [f"{name}={value}" for name, value in short.items() if value is not None]
    return [*named, *(models or ())]


def _require_hierarchies_used(names: Sequence[str]) -> None:
    """Fail on hierarchies of all columns for methods that have those of single columns only."""
    from tokumei.tables.registry import anonymizers

    hints = {name: field_type_hints(anonymizers.get(name)).get("hierarchies") for name in names}
    method = next((name for name, hint in hints.items() if get_origin(hint) is Mapping), None)
    if method is None or any(hint == str | Mapping[str, str] for hint in hints.values()):
        return
    option, single = field_name("hierarchies"), parameter_name("hierarchies")
    other = field_value("method", "mondrian-hierarchical")
    raise UsageError(
        "{method} does not use {option} for all columns; use {other} or local, or name single "
        "columns ({single}): {{COLUMN: FILE}}",
        field="hierarchies",
        method=method,
        option=option,
        other=other,
        single=single,
    )


def _require_distance_model(parameters: Mapping[str, object]) -> None:
    """Fail on hierarchies of sensitive columns if no model measures distances along them."""
    from tokumei.tables.anonymizers.conditions.condition_forms import (
        T_HIERARCHICAL,
        T_ORDERED,
        find_form,
    )
    from tokumei.tables.anonymizers.conditions.risk_limits import split_models

    key_by_parameter = {key.rpartition(".")[2]: key for key in parameters}
    if "sensitive_hierarchies" not in key_by_parameter:
        return
    conditions = (
        parameters[key_by_parameter["conditions"]] if "conditions" in key_by_parameter else ()
    )
    texts = [conditions] if isinstance(conditions, str) else cast("Sequence[object]", conditions)
    models, _ = split_models([str(text) for text in texts])
    if not any(find_form(text) in (T_ORDERED, T_HIERARCHICAL) for text in models):
        unused = field_name("sensitive_hierarchies")
        model = field_values("model", ["t-hierarchical=0.2"])
        raise UsageError(
            "{option} is used by the models t-ordered and t-hierarchical only; add one ({model}) "
            "or leave the option out",
            field="sensitive_hierarchies",
            option=unused,
            model=model,
        )


NONE = "none"
"""Says that every row is another person."""


def settle_methods(request: AnonymizeTableRequest) -> AnonymizeTableRequest:
    """Give the methods what the table says of people and of the columns that models protect."""
    request = _settle_person(request)
    sensitive = list(request.table.sa or ())
    if not sensitive:
        return request
    return replace(request, steps=_with_sensitive(request.steps, sensitive))


def _with_sensitive(steps: TableMethod | Steps, sensitive: list[str]) -> TableMethod | Steps:
    """Models of methods that name no sensitive column protect those of the table."""
    if not isinstance(steps, TableMethod):
        return [
            {**step, "sensitive": sensitive}
            if step.get("conditions") and not step.get("sensitive")
            else step
            for step in steps
        ]

    def protect(part: TableMethod) -> TableMethod:
        if not getattr(part, "conditions", ()) or getattr(part, "sensitive", None):
            return part
        return cast(TableMethod, replace(cast(Any, part), sensitive=tuple(sensitive)))

    return _change_parts(steps, protect)


def _settle_person(request: AnonymizeTableRequest) -> AnonymizeTableRequest:
    """Give the person column of the table to methods that can count people, and the reverse.

    Where no method can count people, the column is an identifier, which is dropped.
    """
    named, counted = request.table.person, _person_column(request.steps)
    if named == NONE or (named or None) == (counted or None):
        return request
    if counted:
        return replace(request, table=replace(request.table, person=named or counted))
    steps = _with_person(request.steps, str(named))
    if _person_column(steps):
        return replace(request, steps=steps)
    ids = tuple(dict.fromkeys((*(request.table.id or ()), str(named))))
    return replace(request, table=replace(request.table, person=None, id=ids))


def _person_column(steps: TableMethod | Steps) -> str:
    """The column that a method counts people by; empty: none does."""
    if not isinstance(steps, TableMethod):
        return next((str(step["person"]) for step in steps if step.get("person")), "")
    parts = steps.methods if isinstance(steps, Pipeline) else (steps,)
    return next((name for part in parts if (name := getattr(part, "person", ""))), "")


def _with_person(steps: TableMethod | Steps, person: str) -> TableMethod | Steps:
    """The steps, counting people by a column where they can."""
    from tokumei.tables.registry import anonymizers

    if not isinstance(steps, TableMethod):
        return [
            {**step, "person": person}
            if "person" in anonymizers.get(str(step.get("method"))).__dataclass_fields__
            else step
            for step in steps
        ]

    def count_people(part: TableMethod) -> TableMethod:
        if not hasattr(part, "person"):
            return part
        return cast(TableMethod, replace(cast(Any, part), person=person))

    return _change_parts(steps, count_people)


def _change_parts(method: TableMethod, change: Callable[[TableMethod], TableMethod]) -> TableMethod:
    """The method, or every method of a pipeline, changed."""
    if isinstance(method, Pipeline):
        return Pipeline(tuple(map(change, method.methods)))
    return change(method)
