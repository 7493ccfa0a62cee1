"""What is wrong with a contest's file, all of it at once: place, reason, nearest valid name.

contest = validated_contest(plain, where="contest.yaml")
"""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text

_REASONS = {
    "missing": Text("is needed", "が必要です"),
    "timezone_aware": Text(
        "needs a time zone, such as 2026-11-16T09:00:00+09:00",
        "にはタイムゾーンが必要です (例 2026-11-16T09:00:00+09:00)",
    ),
    "datetime_from_date_parsing": Text(
        "is not a time such as 2026-11-16T09:00:00+09:00",
        "は 2026-11-16T09:00:00+09:00 のような時刻ではありません",
    ),
    "int_type": Text("must be a whole number", "は整数でなければなりません"),
    "int_parsing": Text("must be a whole number", "は整数でなければなりません"),
    "float_type": Text("must be a number", "は数でなければなりません"),
    "float_parsing": Text("must be a number", "は数でなければなりません"),
    "bool_parsing": Text("must be true or false", "は true か false でなければなりません"),
    "string_type": Text("must be text", "は文字列でなければなりません"),
    "dict_type": Text("must be a mapping of keys to values", "はキーと値の組でなければなりません"),
    "model_type": Text("must be a mapping of keys to values", "はキーと値の組でなければなりません"),
    "too_short": Text("must not be empty", "は空にできません"),
    "tuple_type": Text("must be a list", "はリストでなければなりません"),
}
_RELATIONS = {
    "a phase must end after it starts": "の終わりは始まりより後でなければなりません",
    "two phases overlap": "の期間が重なっています",
    "a share of knowledge is named twice": "の knowledge に同じ割合が二つあります",
}


def validated_contest(plain: Mapping[str, Any], *, where: str) -> ContestSpec:
    """The contest in plain data; an InputError lists everything that is wrong with it."""
    try:
        return ContestSpec.model_validate(plain)
    except ValidationError as err:
        faults = problem_faults(err, ContestSpec)
    reason = Text(f"{where}: {len(faults)} problem(s)", f"{where}: 問題が {len(faults)} 件あります")
    raise InputError(reason, faults=faults, total=len(faults))


def problem_faults(err: ValidationError, model: type[BaseModel], *, under: str = "") -> list[Fault]:
    """Every problem of a model with its place; `under` is the place of the model itself."""
    return [_fault(problem, model, under) for problem in err.errors()]


def unknown_key(place: str, valid: Sequence[str]) -> Fault:
    """The fault of a key that does not exist."""
    near = difflib.get_close_matches(place.rpartition(".")[2], valid, n=1, cutoff=0.5)
    listed = ", ".join(sorted(valid))
    english = f" Did you mean '{near[0]}'?" if near else ""
    japanese = f"'{near[0]}' のことですか?" if near else ""
    message = Text(
        f"{place}: no such key.{english} Valid: {listed}",
        f"{place}: このキーはありません。{japanese} 使えるキー: {listed}",
    )
    return Fault(rule="contest-key", column=place, message=message)


def _fault(problem: Any, model: type[BaseModel], under: str) -> Fault:
    place = ".".join(str(part) for part in (under, *problem["loc"]) if part != "")
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        return unknown_key(place, _keys_at(problem["loc"][:-1], model))
    reason = _reason(kind, context, problem["msg"])
    given = "" if kind in ("missing", "value_error") else f" ({reprlib.repr(problem['input'])})"
    message = Text(
        f"{place or 'contest'}: {reason.en}{given}", f"{place or 'contest'}: {reason.ja}{given}"
    )
    return Fault(rule="contest-value", column=place or None, message=message)


def _reason(kind: str, context: Mapping[str, Any], words: str) -> Text:
    limits = {"greater_than_equal": ("ge", "≥"), "less_than_equal": ("le", "≤")}
    limits |= {"greater_than": ("gt", ">"), "less_than": ("lt", "<")}
    if kind in limits:
        name, sign = limits[kind]
        bound = f"{sign} {context[name]}"
        return Text(f"must be {bound}", f"は {bound} でなければなりません")
    if kind in ("enum", "literal_error"):
        choice = str(context["expected"])
        return Text(f"must be {choice}", f"は次のいずれかです: {choice.replace(' or ', ', ')}")
    if kind == "string_pattern_mismatch":
        form = context["pattern"]
        return Text(f"must have the form {form}", f"は {form} の形でなければなりません")
    if kind == "value_error":
        words = words.removeprefix("Value error, ")
        return Text(words, _RELATIONS.get(words, words))
    return _REASONS.get(kind, Text(words, f"が不正です: {words}"))


def _keys_at(path: Sequence[Any], model: type[BaseModel]) -> list[str]:
    """The keys that the part of a model at a path may have."""
    for part in path:
        if isinstance(part, str):
            fields = {field.alias or name: field for name, field in model.model_fields.items()}
            model = _model_in(fields[part].annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(kind: Any) -> type[BaseModel] | None:
    """The model among the parts of an annotation."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next(filter(None, map(_model_in, get_args(kind))), None)
