"""Tests of tokumei.tables.profiling.detection.header_tokens."""

from __future__ import annotations

from tokumei.tables.profiling.detection.header_types import types_from_header


def test_short_words_of_other_languages_count_only_alone() -> None:
    assert "ssn" not in types_from_header("ni_content")
    assert "free_text" not in types_from_header("not_employed")
