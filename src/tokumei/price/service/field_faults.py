"""What is wrong with the fields of a request, in both languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.price.service.refusals import BodyError, RequestError

_JAPANESE = {
    "missing": "必須です",
    "extra_forbidden": "知らない項目です",
    "int_type": "整数にしてください",
    "float_type": "数値にしてください",
    "string_type": "文字列にしてください",
    "list_type": "配列にしてください",
    "dict_type": "オブジェクトにしてください",
    "model_attributes_type": "オブジェクトにしてください",
    "finite_number": "有限の数にしてください",
    "greater_than": "{gt} より大きくしてください",
    "greater_than_equal": "{ge} 以上にしてください",
    "less_than_equal": "{le} 以下にしてください",
    "string_too_short": "空にはできません",
    "string_too_long": "{max_length} 文字以内にしてください",
    "too_short": "{min_length} 個以上にしてください",
    "too_long": "{max_length} 個以内にしてください",
}
NOT_JSON = Text("the body is not JSON", "本文が JSON ではありません")


def body_error(errors: Sequence[Mapping[str, Any]]) -> RequestError:
    """The error for fields that do not pass; their content is not repeated."""
    if any(error["type"] == "json_invalid" for error in errors):
        return RequestError(NOT_JSON)
    if any(error["loc"] == ("body",) and error["type"] != "missing" for error in errors):
        return BodyError(
            Text(
                "the body must be a JSON object with content-type application/json",
                "本文は content-type が application/json の JSON オブジェクトにしてください",
            )
        )
    faults = [_fault(error) for error in errors]
    message = Text("the question cannot be read", "質問を読めません")
    return BodyError(message, faults=faults)


def _fault(error: Mapping[str, Any]) -> Fault:
    field = ".".join(str(part)[:80] for part in error["loc"][1:]) or "body"
    japanese = _JAPANESE.get(error["type"], "値が正しくありません").format(**error.get("ctx", {}))
    english = str(error["msg"])[:200]
    return Fault(
        rule=str(error["type"]),
        column=field,
        message=Text(f"{field}: {english}", f"{field}: {japanese}"),
    )
