"""Types of plain JSON data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TypeAlias

JsonValue: TypeAlias = str | int | float | bool | list["JsonValue"] | dict[str, "JsonValue"] | None
JsonObject: TypeAlias = dict[str, JsonValue]


def as_json_text(data: object) -> str:
    """JSON as every file and command of Tokumei writes it."""
    return (
        json.dumps(_replace_non_finite(data), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    )


def _replace_non_finite(data: object) -> object:
    """Plain data with null for what JSON cannot hold: NaN and infinities."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: _replace_non_finite(value) for key, value in data.items()}
    return (
        [_replace_non_finite(value) for value in data] if isinstance(data, list | tuple) else data
    )
