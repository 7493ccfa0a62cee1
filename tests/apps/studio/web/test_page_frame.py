"""Tests of tokumei.apps.studio.web.page_frame."""

from __future__ import annotations

import re
from typing import Any

import pytest

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project

DECISIONS: list[dict[str, Any]] = [
    {"roles": {"name": "identifier", EVIL: "drop"}},
    {"person": "name"},
    {"trees": {EVIL: 1}},
    {"off": ["width"]},
    {"scenario": {"smallest_class": 7}},
    {"purpose": {"recipient": "inside"}},
]
PAGES = ("candidates", "candidates?c=a", "compare?c=a&c=b", "attack", "release")


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: next(iter(decision)))
def test_any_later_decision_voids_candidates_on_all_pages(
    studio: Studio, project: Project, decision: dict[str, Any]
) -> None:
    for page in PAGES:
        text = studio.ask("GET", f"/p/{project.id}/{page}").text
        assert 'id="stale"' not in text
        assert "data-figure" in text or "compare" in page
    project.change(**decision)
    for page in PAGES:
        text = studio.ask("GET", f"/p/{project.id}/{page}{'&' if '?' in page else '?'}lang=en").text
        assert "are void" in text, page
        assert "data-figure" not in text, page
        assert "Verdict on" not in text, page
        assert not re.search(r'action="[^"]*/(choose|release|near|fix|audit)"', text), page
    assert "out of date" in studio.ask("GET", f"/p/{project.id}/look?lang=en").text


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: next(iter(decision)))
def test_what_is_void_is_not_written_or_taken_further(
    studio: Studio, project: Project, decision: dict[str, Any], tmp_path: Any
) -> None:
    project.change(**decision)
    for path, form in (
        ("release", {"folder": str(tmp_path / "out"), "anyway": "because"}),
        ("choose", {"id": "a"}),
        ("near", {"id": "a", "wish": "safer"}),
        ("fix", {"id": "a", "remedy": "0"}),
        ("audit", {}),
    ):
        answer = studio.ask("POST", f"/p/{project.id}/{path}", data=form)
        assert answer.status_code == 422, path
    assert not (tmp_path / "out").exists()
    assert not studio.jobs.of(project)
