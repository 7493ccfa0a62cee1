"""Pages over results as jobs write them: every page, both languages, hostile names, two tabs."""

from __future__ import annotations

from typing import Any

import pytest

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project


def test_the_later_of_two_tabs_wins_and_is_told(studio: Studio, project: Project) -> None:
    stamp = project.state().stamp
    path = f"/p/{project.id}/look"
    first = studio.ask("POST", path, json={"stamp": stamp, "column": "name", "role": "drop"})
    second = studio.ask("POST", path, json={"stamp": stamp, "column": EVIL, "role": "keep"})
    assert (first.json()["elsewhere"], second.json()["elsewhere"]) == (False, True)
    assert project.state().roles == {"name": "drop", EVIL: "keep"}


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("look", {"stamp": 0, "column": "nobody", "role": "keep"}),
        ("look", {"stamp": 0, "column": "name", "role": "admin"}),
        ("look", {"stamp": 0, "rule": "../x"}),
        ("purpose", {"recipient": "everybody", "known": ["name"]}),
        ("purpose", {"recipient": "public"}),
        ("purpose", {"recipient": "public", "known": ["name"], "k": 1}),
        ("near", {"id": "../look", "wish": "safer"}),
        ("near", {"id": "a", "wish": "drop", "column": "nobody"}),
        ("choose", {"id": "zzz"}),
        ("release", {"folder": "relative"}),
        ("job/rm/again", {}),
        ("job/look/again", {}),
        ("hierarchy/9", {"rows": [["a", "*"]]}),
    ],
)
def test_answers_that_cannot_be_are_refused(
    studio: Studio, project: Project, path: str, form: dict[str, Any]
) -> None:
    answer = studio.ask("POST", f"/p/{project.id}/{path}", json=form)
    assert answer.status_code in (404, 422), answer.text


def test_decisions_are_taken_back_one_by_one(studio: Studio, project: Project) -> None:
    before = project.state()
    project.change(roles={**before.roles, "name": "drop"})
    project.change(person="name")
    project.change(step="purpose")  # looking at another page is no decision
    assert project.undo().person == before.person
    assert project.state().roles["name"] == "drop"
    assert studio.ask("POST", f"/p/{project.id}/undo", data={"back": "look"}).status_code == 303
    after = project.state()
    assert after.roles == before.roles
    assert after.inputs("candidates") == before.inputs("candidates")
    assert not project.can_undo() or project.undo().roles != after.roles
