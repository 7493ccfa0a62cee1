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
from tests.assessment.views.purchase_cases import PurchaseForm, list_purchase_forms, make_purchases
from tests.assessment.views.released_cases import (
    ReleaseForm,
    list_forms,
    make_odd_releases,
    make_recipe_release,
    make_release,
)

FORMS = list_forms()
PURCHASES = list_purchase_forms()
RECIPES = [FORMS[number] for number in (0, 1, 12, 23, 34)]
QUICK = [ReleaseForm("people-gaps", "mondrian", "partner"), ReleaseForm("plain", "noise", "public")]
FIGURES = {"verdict", "unit", "total", "identified", "guessed_right", "baseline", "bound"}
WITH_FIGURES = (
    "assess text en",
    "assess text ja",
    "hand-over report en",
    "hand-over report ja",
    "repr",
    "tk.render en",
    "tk.render ja",
    "to_dict",
    "conform json",
    "anonymize json",
)
WITH_A_VERDICT = ("anonymize text", "conform text", "conformity page en", "conformity page ja")


def test_there_are_enough_releases() -> None:
    assert len({form.name for form in [*FORMS, *PURCHASES]}) == len(FORMS) + len(PURCHASES) >= 40


@pytest.mark.parametrize("form", QUICK, ids=lambda form: form.name)
def test_views_agree(form: ReleaseForm, tmp_path: Path) -> None:
    case = make_release(form, tmp_path)
    views, document = collect(case), read_document(case)
    assert find_contradictions(document, views) == []
    assert len({shown.view for shown in views}) >= 12
    told = {view: {shown.figure for shown in views if shown.view == view} for view in WITH_FIGURES}
    assert all(figures >= FIGURES for figures in told.values()), told
    judged = {shown.view for shown in views if shown.figure == "verdict"}
    assert judged >= {*WITH_A_VERDICT}
    for shown in views:
        wrong = replace(shown, text="public" if shown.text != "public" else "inside")
        if not shown.text[:1].isalpha():
            wrong = replace(shown, text="7,777.7 %" if "%" in shown.text else "7,777")
        assert len(find_contradictions(document, [wrong])) == 1, shown


def test_views_of_a_recipe_agree(tmp_path: Path) -> None:
    case = make_recipe_release(QUICK[0], tmp_path)
    views = collect(case)
    assert find_contradictions(read_document(case), views) == []
    assert {"run text", "run json", "run assessment.json", "run report"} <= {v.view for v in views}


@pytest.mark.parametrize("kind", ["history", "periods"])
def test_views_of_purchases_agree(kind: str, tmp_path: Path) -> None:
    form = next(f for f in PURCHASES if (f.kind, f.recipient) == (kind, "partner"))
    case = make_purchases(form, tmp_path)
    views = collect(case)
    assert find_contradictions(read_document(case), views) == []
    told = {shown.view for shown in views if shown.figure == "verdict"}
    assert told >= {"assess text en", "assess text ja", "repr", "anonymize text", "to_dict"}


@pytest.mark.long
@pytest.mark.parametrize("form", PURCHASES, ids=lambda form: form.name)
def test_all_views_of_purchases_agree(form: PurchaseForm, tmp_path: Path) -> None:
    case = make_purchases(form, tmp_path)
    assert find_contradictions(read_document(case), collect(case)) == []


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
