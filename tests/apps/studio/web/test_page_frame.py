"""Tests of tokumei.apps.studio.web.page_frame."""

from __future__ import annotations

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project


def test_what_depends_on_a_change_is_out_of_date(studio: Studio, project: Project) -> None:
    path = f"/p/{project.id}/candidates"
    assert "earlier ones" not in studio.ask("GET", f"{path}?lang=en").text
    project.change(roles={"name": "identifier", EVIL: "drop"})
    assert "earlier ones" in studio.ask("GET", f"{path}?lang=en").text
    assert "out of date" in studio.ask("GET", f"/p/{project.id}/look?lang=en").text
