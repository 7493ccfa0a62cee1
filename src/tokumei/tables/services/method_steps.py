"""Builds the steps of a release from method names and parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_origin

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name, field_value, field_values, parameter_name
from tokumei.core.registry import field_type_hints, split_params_by_method


def build_steps(names: Sequence[str], parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
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
    given, single = field_name("hierarchies"), parameter_name("hierarchies")
    other = field_value("method", "mondrian-hierarchical")
    raise UsageError(
        f"{method} does not use {given} for all columns; use {other} "
        f"or local, or name single columns ({single}): {{COLUMN: FILE}}",
        f"{method} では列全体の {given} を使いません。{other} か local を使うか、"
        f"列ごとに指定してください ({single}): {{列: ファイル}}",
        field="hierarchies",
    )


def _require_distance_model(parameters: Mapping[str, Any]) -> None:
    """Fail on hierarchies of sensitive columns if no model measures distances along them."""
    from tokumei.tables.anonymizers.conditions.condition_forms import (
        T_HIERARCHICAL,
        T_ORDERED,
        find_form,
    )

    key_by_parameter = {key.rpartition(".")[2]: key for key in parameters}
    if "sensitive_hierarchies" not in key_by_parameter:
        return
    conditions = (
        parameters[key_by_parameter["conditions"]] if "conditions" in key_by_parameter else ()
    )
    models = [conditions] if isinstance(conditions, str) else conditions
    if not any(find_form(str(text)) in (T_ORDERED, T_HIERARCHICAL) for text in models):
        unused = field_name("sensitive_hierarchies")
        model = field_values("model", ["t-hierarchical=0.2"])
        raise UsageError(
            f"{unused} is used by the models t-ordered and t-hierarchical only; "
            f"add one ({model}) or leave the option out",
            f"{unused} を使うのはモデル t-ordered と t-hierarchical だけです。"
            f"どちらかを加える ({model}) か、このオプションを外してください",
            field="sensitive_hierarchies",
        )
