"""What is wrong with the fields of a request, in both languages; what was sent is not repeated.

Wrong(FIELDS, faults=field_faults(error.errors()))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.errors import Fault
from tokumei.core.text import Text

FIELDS = Text("fields are unknown, missing or wrong", "項目に不足や誤りがあります")
KINDS = {
    "missing": Text("is missing", "必須です"),
    "extra_forbidden": Text("is not a known field", "存在しない項目です"),
    "json_invalid": Text("is not JSON", "JSON ではありません"),
    "int_type": Text("must be a whole number", "整数にしてください"),
    "float_type": Text("must be a number", "数値にしてください"),
    "string_type": Text("must be a text", "文字列にしてください"),
    "list_type": Text("must be a list", "配列にしてください"),
    "dict_type": Text("must be an object", "オブジェクトにしてください"),
    "model_attributes_type": Text("must be an object", "オブジェクトにしてください"),
    "finite_number": Text("must be a finite number", "有限の数にしてください"),
    "greater_than": Text("must be more than {gt}", "{gt} より大きくしてください"),
    "greater_than_equal": Text("must be {ge} or more", "{ge} 以上にしてください"),
    "less_than_equal": Text("must be {le} or less", "{le} 以下にしてください"),
    "string_too_short": Text(
        "must have {min_length} or more characters", "{min_length} 文字以上にしてください"
    ),
    "string_too_long": Text(
        "must have {max_length} characters at most", "{max_length} 文字以内にしてください"
    ),
    "too_short": Text("must have {min_length} or more items", "{min_length} 個以上にしてください"),
    "too_long": Text("must have {max_length} items at most", "{max_length} 個以内にしてください"),
}
OTHER = Text("has a value that cannot be used", "値が正しくありません")


def field_faults(errors: Sequence[Mapping[str, Any]]) -> list[Fault]:
    """One fault for each problem that pydantic found."""
    return [_fault(error) for error in errors]


def _fault(error: Mapping[str, Any]) -> Fault:
    field = ".".join(str(part)[:80] for part in error["loc"][1:]) or "body"
    said, bounds = KINDS.get(error["type"], OTHER), error.get("ctx", {})
    message = Text(f"{field}: {said.en.format(**bounds)}", f"{field}: {said.ja.format(**bounds)}")
    return Fault(rule=str(error["type"]), column=field, message=message)
