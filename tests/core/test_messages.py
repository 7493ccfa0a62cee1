"""Tests of tokumei.core.messages."""

from __future__ import annotations

from core.result_table_helpers import Findings
from tokumei.core.messages import language_context


def test_wide_characters_take_two_places():
    with language_context("ja"):
        lines = repr(Findings()).splitlines()
    assert lines[2:] == ["甲    0.5000", "乙丙             7"]
