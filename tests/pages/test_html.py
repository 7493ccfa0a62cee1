"""Tests of tokumei.pages.html."""

from __future__ import annotations

from tokumei.pages.html import script_safe_json


def test_json_cannot_leave_its_element() -> None:
    text = script_safe_json({"a": "</script><!--\u2028&"})
    assert not set("<>&\u2028") & set(text)
