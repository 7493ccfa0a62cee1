"""JSON as every file and command of Tokumei writes it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def as_json_text(data: Any) -> str:
    """JSON as every file and command of Tokumei writes it."""
    return json.dumps(_finite(data), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _finite(data: Any) -> Any:
    """Plain data with null for what JSON cannot hold: NaN and infinities."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: _finite(value) for key, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data
