"""Builds the steps of a release from method names and parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_origin

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name, field_value, field_values, parameter_name
from tokumei.core.registry import hints_of, params_of


def build_steps(names: Sequence[str], given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Build a step per method; a parameter `METHOD.key` is for one of them, `key` for any."""
    from tokumei.tables.registry import anonymizers

    if isinstance(given.get("hierarchies"), str):
        _require_paths_used(names)
    _require_distances(given)
    if len(names) == 1:
        prefix = f"{names[0]}."
        return [{"method": names[0], **{key.removeprefix(prefix): given[key] for key in given}}]
    params = params_of(anonymizers, names, given)
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


def _require_paths_used(names: Sequence[str]) -> None:
    """Fail on hierarchies of all columns for methods that have those of single columns only."""
    from tokumei.tables.registry import anonymizers

    hints = {name: hints_of(anonymizers.get(name)).get("hierarchies") for name in names}
    some = next((name for name, hint in hints.items() if get_origin(hint) is Mapping), None)
    if some is None or any(hint == str | Mapping[str, str] for hint in hints.values()):
        return
    given, single = field_name("hierarchies"), parameter_name("hierarchies")
    other = field_value("method", "mondrian-hierarchical")
    raise UsageError(
        f"{some} does not use {given} for all columns; use {other} "
        f"or local, or name single columns ({single}): {{COLUMN: FILE}}",
        f"{some} では列全体の {given} を使いません。{other} か local を使うか、"
        f"列ごとに指定してください ({single}): {{列: ファイル}}",
        field="hierarchies",
    )


def _require_distances(given: Mapping[str, Any]) -> None:
    """Fail on hierarchies of sensitive columns if no model measures distances along them."""
    from tokumei.tables.anonymizers.conditions.condition import HIERARCHICAL, ORDERED, form_of

    named = {key.rpartition(".")[2]: key for key in given}
    if "sensitive_hierarchies" not in named:
        return
    asked = given[named["conditions"]] if "conditions" in named else ()
    models = [asked] if isinstance(asked, str) else asked
    if not any(form_of(str(text)) in (ORDERED, HIERARCHICAL) for text in models):
        unused = field_name("sensitive_hierarchies")
        model = field_values("model", ["t-hierarchical=0.2"])
        raise UsageError(
            f"{unused} is used by the models t-ordered and t-hierarchical only; "
            f"add one ({model}) or leave the option out",
            f"{unused} を使うのはモデル t-ordered と t-hierarchical だけです。"
            f"どちらかを加える ({model}) か、このオプションを外してください",
            field="sensitive_hierarchies",
        )
