"""The bundled samples through the studio by its defaults, asked as a browser asks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

from apps.studio.conftest import Studio
from apps.studio.page_figures import Contradiction, collect, contradictions
from support.waiting import wait_until
from tokumei.apps.studio.scenario import to_scenario
from tokumei.apps.studio.store.project import Project
from tokumei.assessment.assess import assess_table
from tokumei.assessment.open_release import AssessTable
from tokumei.core.scenario import Scenario

pytestmark = pytest.mark.long


def opened(studio: Studio, sample: str) -> Project:
    answer = studio.ask("POST", "/sample", data={"sample": sample})
    project = studio.home.project(unquote(answer.headers["location"]).split("/p/")[1].split("/")[0])
    finished(studio, project, "look")
    return project


def finished(studio: Studio, project: Project, job: str) -> None:
    wait_until(lambda: job in studio.jobs.of(project))
    wait_until(lambda: not studio.jobs.of(project)[job].running, what=job)
    ended = studio.jobs.of(project)[job]
    assert ended.state == "done", ended.reason.show("en")


def form_of(text: str, id: str) -> dict[str, Any]:
    """The fields of a form as they are filled in by default."""
    form = re.search(rf'<form [^>]*id="{id}".*?</form>', text, re.DOTALL)
    assert form is not None
    fields: dict[str, Any] = {}
    for name, value in re.findall(r'<input[^>]*name="([^"]+)" value="([^"]*)" checked', form[0]):
        fields[name] = [*fields.get(name, []), value]
    for name, options in re.findall(r'<select[^>]*name="([^"]+)".*?>(.*?)</select>', form[0]):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    return fields


REDRAWN = pytest.mark.xfail(
    strict=False,
    reason="a defect: the proposal swaps values, and the release is another draw",
)


@pytest.mark.parametrize(
    ("sample", "recipient"),
    [
        ("customers", "partner"),
        ("customers-ja", "partner"),
        ("households", "partner"),
        ("households", "public"),
        pytest.param("customers", "public", marks=REDRAWN),
        pytest.param("customers-ja", "public", marks=REDRAWN),
    ],
)
def test_a_sample_ends_in_a_release_whose_verdict_is_right(
    studio: Studio, sample: str, recipient: str
) -> None:
    studio.app.state.seconds = 3.0
    project = opened(studio, sample)
    form = form_of(studio.ask("GET", f"/p/{project.id}/purpose").text, "purpose")
    if recipient != "partner":
        form["recipient"] = recipient
    assert studio.ask("POST", f"/p/{project.id}/purpose", data=form).status_code == 303
    finished(studio, project, "advise")
    text = studio.ask("GET", f"/p/{project.id}/candidates?lang=en").text
    preselected = re.search(r'class="chosen" data-candidate="(\w+)"', text)
    assert preselected is not None
    assert 'class="gate verdict-fits"' in text
    studio.ask("POST", f"/p/{project.id}/choose", data={"id": preselected[1]})
    finished(studio, project, "assess")
    shown = {
        page: studio.ask("GET", f"/p/{project.id}/{page}{sign}lang=en").text
        for page, sign in (("candidates", "?"), ("attack", "?"), ("release", "?"))
    }
    folder = studio.home.folder / "releases" / "one"
    studio.ask("POST", f"/p/{project.id}/release", data={"folder": str(folder)})
    finished(studio, project, "release")
    document = json.loads((folder / "assessment.json").read_text("utf-8"))
    assert document["verdict"] == "fits"
    assert document["scenario"]["recipient"] == recipient
    assert not (folder / "secret/released-anyway.json").exists()
    assert document == assessed_again(project, folder)
    shown["written"] = studio.ask("GET", f"/p/{project.id}/release?lang=en").text
    recipe = (folder / "recipe.yaml").read_text("utf-8")
    is_redrawn = "method: swap" in recipe or "method: noise" in recipe
    for page, text in shown.items():
        if page != "written" and is_redrawn:
            continue  # a candidate and its release are two draws of one method
        assert {"verdict 0", "strongest", "bound", "kept"} <= collect(text).keys(), page
        assert not contradictions(page, text, document)


def assessed_again(project: Project, folder: Path) -> Any:
    """What the service says of the files under the scenario of the recipe."""
    recipe = yaml.safe_load((folder / "recipe.yaml").read_text("utf-8"))
    scenario = Scenario.from_dict(recipe["scenario"])
    assert scenario.to_dict() == to_scenario(project.state()).to_dict()
    assessment = assess_table(
        AssessTable(
            original=str(project.source),
            release=str(folder / "releases/01-release.csv"),
            link=str(folder / "secret/01-release.csv"),
            scenario=scenario,
        )
    )
    return json.loads(json.dumps(assessment.to_dict()))


def test_a_planted_contradiction_is_found() -> None:
    attacker = {
        "code": "exact", "certain": 0.0, "found": 2.5, "share": 0.25, "certain_share": 0.0,
    }  # fmt: skip
    document = {
        "verdict": "fits", "kept": 0.5, "unit": "rows", "total": 10, "columns": [],
        "attackers": [attacker], "bound": {**attacker, "certain": 10.0, "found": 10.0},
    }  # fmt: skip
    said = "0 identified, 2.5 guessed right of 10 rows"
    text = f'<section data-verdict="fits"><dd data-figure="strongest">{said}</dd>'
    assert not contradictions("x", text, document)
    wrong = text.replace("2.5", "2.6").replace('"fits"', '"unknown"')
    assert contradictions("x", wrong, document) == [
        Contradiction("x", "verdict 0", "unknown", "fits"),
        Contradiction("x", "strongest", said.replace("2.5", "2.6"), said),
    ]


def test_what_does_not_fit_needs_a_reason_and_has_its_remedies(studio: Studio) -> None:
    """Limits that no candidate keeps: red on every page, refused, and written for a reason."""
    studio.app.state.seconds = 1.0
    project = opened(studio, "customers")
    form = form_of(studio.ask("GET", f"/p/{project.id}/purpose").text, "purpose")
    form |= {"smallest_class": "401"}
    studio.ask("POST", f"/p/{project.id}/purpose", data=form)
    finished(studio, project, "advise")
    text = studio.ask("GET", f"/p/{project.id}/candidates?lang=en").text
    assert "None of these fits your scenario" in text
    id = re.search(r'class="chosen" data-candidate="(\w+)"', text)
    assert id is not None
    studio.ask("POST", f"/p/{project.id}/choose", data={"id": id[1]})
    finished(studio, project, "assess")
    record = project.assessment(project.state(), id[1])
    assert record is not None
    assert record["document"] is not None
    page = studio.ask("GET", f"/p/{project.id}/release?lang=en").text
    assert 'data-verdict="does-not-fit"' in page
    assert "Release it anyway" in page
    folder = studio.home.folder / "releases" / "one"
    refused = studio.ask("POST", f"/p/{project.id}/release", data={"folder": str(folder)})
    assert refused.status_code == 422
    assert not studio.jobs.of(project).get("release")
    reason = {"folder": str(folder), "anyway": "agreed with the partner"}
    studio.ask("POST", f"/p/{project.id}/release", data=reason)
    finished(studio, project, "release")
    assert "agreed with the partner" in (folder / "README.md").read_text("utf-8")
    assert "agreed with the partner" in studio.ask("GET", f"/p/{project.id}/release").text


def test_a_remedy_becomes_a_candidate_that_fits(studio: Studio) -> None:
    """For anybody, exact amounts name everybody: the measured remedies are one click away."""
    studio.app.state.seconds = 2.0
    project = opened(studio, "customers")
    form = form_of(studio.ask("GET", f"/p/{project.id}/purpose").text, "purpose")
    studio.ask("POST", f"/p/{project.id}/purpose", data=form | {"recipient": "public"})
    finished(studio, project, "advise")
    unfit = next(
        id
        for id, record in project.assessments(project.state()).items()
        if record["document"] is not None and record["document"]["verdict"] == "does-not-fit"
    )
    studio.ask("POST", f"/p/{project.id}/choose", data={"id": unfit})
    finished(studio, project, "assess")
    assert "/fix" in studio.ask("GET", f"/p/{project.id}/attack").text
    record = project.assessment(project.state(), unfit)
    assert record is not None
    assert record["document"] is not None
    remedies = record["document"]["remedies"]
    merge = next(n for n, r in enumerate(remedies) if r["action"] == "merge")
    studio.ask("POST", f"/p/{project.id}/fix", data={"id": unfit, "remedy": str(merge)})
    finished(studio, project, "advise")
    assert project.result("near") is not None
    text = studio.ask("GET", f"/p/{project.id}/candidates?c={unfit}&lang=en").text
    assert 'id="near"' in text
    narrower = next(n for n, r in enumerate(remedies) if r["action"] == "scenario")
    studio.ask("POST", f"/p/{project.id}/fix", data={"id": unfit, "remedy": str(narrower)})
    finished(studio, project, "advise")
    assert project.state().purpose.recipient == "partner"
    assert not project.is_stale(project.state())
    assert 'class="gate verdict-fits"' in studio.ask("GET", f"/p/{project.id}/candidates").text
