"""No view of a release contradicts its assessment, nor sounds like a verdict of its own.

The whole takes minutes (`long`); the quick part does the same with three releases.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.assessment.views.collectors import (
    Shown,
    collect,
    find_contradictions,
    read_document,
    read_page,
    read_sentences,
)
from tests.assessment.views.released_cases import (
    ReleaseForm,
    list_forms,
    make_odd_releases,
    make_recipe_release,
    make_release,
)

FORMS = list_forms()
RECIPES = [FORMS[number] for number in (0, 1, 12, 23, 34)]
QUICK = [ReleaseForm("people-gaps", "mondrian", "partner"), ReleaseForm("plain", "noise", "public")]


def test_there_are_enough_releases() -> None:
    assert len({form.name for form in FORMS}) == len(FORMS) >= 40


@pytest.mark.parametrize("form", QUICK, ids=lambda form: form.name)
def test_views_agree(form: ReleaseForm, tmp_path: Path) -> None:
    case = make_release(form, tmp_path)
    views = collect(case)
    assert find_contradictions(read_document(case), views) == []
    assert len({shown.view for shown in views}) >= 12


def test_views_of_a_recipe_agree(tmp_path: Path) -> None:
    case = make_recipe_release(QUICK[0], tmp_path)
    views = collect(case)
    assert find_contradictions(read_document(case), views) == []
    assert {"run text", "run json", "run assessment.json", "run report"} <= {v.view for v in views}


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_all_views_agree(form: ReleaseForm, tmp_path: Path) -> None:
    case = make_release(form, tmp_path)
    assert find_contradictions(read_document(case), collect(case)) == []


@pytest.mark.long
@pytest.mark.parametrize("form", RECIPES, ids=lambda form: form.name)
def test_all_views_of_recipes_agree(form: ReleaseForm, tmp_path: Path) -> None:
    case = make_recipe_release(form, tmp_path)
    assert find_contradictions(read_document(case), collect(case)) == []


@pytest.mark.long
def test_views_of_odd_releases_agree(tmp_path: Path) -> None:
    words = {}
    for case in make_odd_releases(tmp_path):
        document = read_document(case)
        words[case.name] = document["verdict"]
        assert find_contradictions(document, collect(case)) == [], case.name
    assert words["no-link"] == "unknown"
    assert words["raw"] == "does-not-fit"


def test_a_planted_contradiction_is_found(tmp_path: Path) -> None:
    """Every figure and the verdict, changed in one view each, and words of a verdict's own."""
    case = make_release(QUICK[0], tmp_path)
    document, page = read_document(case), tmp_path / "handover.html"
    views = collect(case)
    planted = 0
    for figure in ("verdict", "unit", "total", "identified", "guessed_right", "kept", "bound"):
        shown = next(item for item in views if item.figure == figure)
        wrong = {"verdict": "unknown", "unit": "rows"}.get(figure, "77.7 %")
        if figure in ("total", "identified", "bound"):
            wrong = "7,777"
        found = find_contradictions(document, [replace(shown, text=wrong)])
        assert len(found) == 1, figure
        planted += 1
    assert planted == 7
    text = page.read_text(encoding="utf-8")
    heading = "Fits the scenario" if document["verdict"] == "fits" else "Does not fit the scenario"
    other = "Does not fit the scenario" if document["verdict"] == "fits" else "Fits the scenario"
    assert find_contradictions(document, list(read_page("page", text))) == []
    assert find_contradictions(document, list(read_page("page", text.replace(heading, other))))
    sounds = [*read_sentences("page", "This release is not safe to hand out.")]
    assert sounds == [Shown("page", "sounds like a verdict", sounds[0].text)]
    assert find_contradictions(document, sounds)
