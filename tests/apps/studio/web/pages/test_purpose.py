"""Tests of tokumei.apps.studio.web.pages.purpose."""

from __future__ import annotations

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project


def test_models_are_numbers_beside_their_names(studio: Studio, project: Project) -> None:
    form = {
        "recipient": "partner", "known": EVIL,
        "model-l": "2", "model-t": "0.2", "model-beta": "", "models": "recursive=3,2",
    }  # fmt: skip
    assert studio.ask("POST", f"/p/{project.id}/purpose", data=form).status_code == 303
    assert project.state().purpose.models == ["l=2", "t=0.2", "recursive=3,2"]
    page = studio.ask("GET", f"/p/{project.id}/purpose").text
    assert 'value="recursive=3,2"' in page
