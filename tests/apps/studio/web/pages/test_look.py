"""Tests of tokumei.apps.studio.web.pages.look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apps.studio.adapters_helpers import QUIET, begun
from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.command_equivalents import build_recipe
from tokumei.apps.studio.job_handlers.advise import propose_candidates
from tokumei.apps.studio.store.project import Project

QUESTION = {"id": "key-like", "text_en": "Does it tell people apart?", "options": ["--id x"]}


def decide(studio: Studio, project: Project, **decision: Any) -> int:
    answer = studio.ask("POST", f"/p/{project.id}/look", json={"stamp": 0, **decision})
    return answer.status_code


def test_a_question_is_answered_where_it_stands(studio: Studio, project: Project) -> None:
    look: Any = project.result("look")
    look["columns"][1]["question"] = QUESTION
    project.write_result("look", look)
    text = studio.ask("GET", f"/p/{project.id}/look?lang=en").text
    for answer in ("person", "identifier", "quasi", "keep"):
        assert f'data-answer="{answer}"' in text
    assert "people are counted by it; it is not released" in text
    assert "--id" not in text
    assert decide(studio, project, person=EVIL) == 200
    assert (project.state().person, project.state().roles[EVIL]) == (EVIL, "identifier")
    assert 'aria-pressed="true"' in studio.ask("GET", f"/p/{project.id}/look").text
    assert decide(studio, project, column=EVIL, role="quasi") == 200
    assert (project.state().person, project.state().roles[EVIL]) == (None, "quasi")


def test_the_same_question_about_many_columns_is_asked_once(
    studio: Studio, project: Project
) -> None:
    look: Any = project.result("look")
    alike = [{**look["columns"][1], "name": f"q{n}", "question": QUESTION} for n in range(9)]
    project.write_result("look", {**look, "columns": alike, "first": [[["1", False]] * 9]})
    project.change(roles={column["name"]: "drop" for column in alike})
    text = studio.ask("GET", f"/p/{project.id}/look?lang=en").text
    assert text.count('class="answers"') == 1
    assert "The same is asked of 9 columns" in text
    assert 'data-answer="person"' not in text
    assert "&#34;q8&#34;" in text


def test_many_columns_get_a_role_at_once_or_none(studio: Studio, project: Project) -> None:
    before = project.state().roles
    assert decide(studio, project, columns=["name", "nobody"], role="drop") == 404
    assert decide(studio, project, columns=[], role="drop") == 422
    assert project.state().roles == before
    assert decide(studio, project, columns=["name", EVIL], role="drop") == 200
    assert project.state().roles == {"name": "drop", EVIL: "drop"}


@pytest.mark.long
def test_personal_data_in_texts_is_replaced(tmp_path: Path) -> None:
    rows = "".join(
        f"{20 + i % 30},{'FM'[i % 2]},call 0{20 + i % 9}-7946-0{100 + i}\n" for i in range(60)
    )
    made = begun(tmp_path, "calls.csv", f"age,sex,remarks\n{rows}")
    made.change(roles={"age": "quasi", "sex": "quasi", "remarks": "replace"})
    propose_candidates(made, {"seconds": 0.01}, QUIET)
    candidate = min(made.candidates(), key=lambda entry: entry["order"])
    look = made.result("look")
    assert look is not None
    recipe: Any = build_recipe(made.state(), look, candidate["request"], "calls.csv")
    assert recipe["data"]["scrub"] == ["remarks"]
    preview: Any = made.result("previews", candidate["id"])
    at = preview["columns"].index("remarks")
    assert all("7946" not in str(row[at]) for row in preview["after"])
