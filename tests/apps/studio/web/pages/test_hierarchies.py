"""Tests of tokumei.apps.studio.web.pages.hierarchies."""

from __future__ import annotations

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL, SECRET
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project


def test_a_hierarchy_of_a_masked_column_shows_no_value(studio: Studio, project: Project) -> None:
    project.write_result("trees/00", {"rows": [[SECRET, "*"]], "counts": {SECRET: 1}, "bins": []})
    answer = studio.ask("GET", f"/p/{project.id}/hierarchy/0")
    assert answer.status_code == 200
    assert SECRET not in answer.text


def test_a_hierarchy_is_checked_as_it_is_saved(studio: Studio, project: Project) -> None:
    project.write_result("trees/01", {"rows": [], "counts": {"1": 2, "2": 1}, "bins": []})
    path = f"/p/{project.id}/hierarchy/1"
    good = [["1", "low", "*"], ["2", "high", "*"]]
    torn = [["1", "low", "*"], ["2", "low", "x"]]
    assert studio.ask("POST", path, json={"rows": good}).json() == {"ok": True}
    assert studio.ask("POST", path, json={"rows": torn}).json()["faults"]
    assert studio.ask("POST", path, json={"rows": good[:1]}).json()["faults"]
    export = studio.ask("GET", f"{path}/export")
    assert export.text.splitlines() == ["1;low;*", "2;high;*"]
    assert project.state().trees == {EVIL: 1}
