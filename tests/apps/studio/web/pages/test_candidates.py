"""Tests of tokumei.apps.studio.web.pages.candidates."""

from __future__ import annotations

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project


def test_a_search_goes_on_only_where_its_time_was_up(studio: Studio, project: Project) -> None:
    path = f"/p/{project.id}/candidates"
    assert 'id="more"' not in studio.ask("GET", path).text
    advice = dict(project.result("advice") or {})
    project.write_result("advice", {**advice, "budget": {"ended": "seconds"}})
    assert 'id="more"' in studio.ask("GET", path).text
    project.change(person="name")
    assert 'id="more"' not in studio.ask("GET", path).text
    assert studio.ask("POST", f"/p/{project.id}/more").status_code == 422
