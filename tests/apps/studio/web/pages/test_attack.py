"""Tests of tokumei.apps.studio.web.pages.attack."""

from __future__ import annotations

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project


def test_figures_of_an_audit_stand_behind_its_sentences(studio: Studio, project: Project) -> None:
    answer = studio.ask("GET", f"/p/{project.id}/audit")
    assert answer.text == "<p>AUC</p>"
    assert answer.headers["content-security-policy"].startswith("sandbox")
