"""Tests of tokumei.apps.studio.web.pages.events."""

from __future__ import annotations

import pytest

from tokumei.apps.studio.jobs.manager import Job
from tokumei.apps.studio.web.pages.events import _job_to_json


@pytest.mark.parametrize(
    ("lang", "label"), [("en", "looking at the file"), ("ja", "ファイルの確認")]
)
def test_a_job_says_what_it_does_in_the_language_of_the_page(lang: str, label: str) -> None:
    began = Job("look", "running", "2026-01-01T00:00:00Z")
    assert _job_to_json(began, lang)["words"] == label
    told = Job("look", "running", began.began, words={"en": "half-way", "ja": "途中"})
    assert _job_to_json(told, lang)["words"] == {"en": "half-way", "ja": "途中"}[lang]
