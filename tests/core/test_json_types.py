"""JSON is valid whatever is written: no NaN, no infinity, tuples as lists, text as it is."""

from __future__ import annotations

import json
import math

from tokumei.core.json_types import as_json_text


def test_what_json_cannot_hold_is_null_at_any_depth() -> None:
    data = {"a": math.nan, "b": [1.5, -math.inf, {"c": (math.inf, 2)}], "d": None, "e": True}
    text = as_json_text(data)
    wanted = {"a": None, "b": [1.5, None, {"c": [None, 2]}], "d": None, "e": True}
    assert json.loads(text) == wanted
    assert "NaN" not in text
    assert "Infinity" not in text


def test_text_is_readable_and_ends_with_a_line_end() -> None:
    text = as_json_text({"町": "大阪"})
    assert text == '{\n  "町": "大阪"\n}\n'
