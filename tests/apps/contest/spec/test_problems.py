"""Tests of tokumei.apps.contest.spec.problems."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.spec.problems import PATTERN_WORDS, describe_problem


def test_every_form_of_a_text_is_told_in_words() -> None:
    wrong = {"slug": "No Way", "extra": "../x.py", "format": "table", "data": {"original": "a b"}}
    with pytest.raises(ValidationError) as caught:
        ContestSpec.model_validate(wrong)
    problems = [one for one in caught.value.errors() if one["type"] == "string_pattern_mismatch"]
    assert {one["ctx"]["pattern"] for one in problems} == set(PATTERN_WORDS)
    for one in problems:
        for language in ("en", "ja"):
            assert "^" not in describe_problem("key", one).show(language)
