"""Tests of tokumei.apps.http.responses."""

from __future__ import annotations

import pytest

from tokumei.apps.http.responses import json_bytes


def test_any_text_becomes_json() -> None:
    assert json_bytes({"a": "匿\ud800"}) == '{"a": "匿\\ud800"}'.encode()
    with pytest.raises(ValueError, match="JSON"):
        json_bytes(float("nan"))
