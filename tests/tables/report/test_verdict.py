"""Tests of tokumei.tables.report.verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from tables.people_not_rows_helpers import visits
from tokumei.assessment.assess_experiment import show_assessment
from tokumei.pages.verdict_view import AssessedRelease
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.report_page import render_report
from tokumei.tables.report.scorecard import scorecard
from tokumei.tables.report.verdict import choose_release, describe_verdicts


@pytest.fixture(scope="module")
def assessed(evaluations: list[Evaluation]) -> dict[str, AssessedRelease]:
    return {
        evaluation.label: show_assessment(
            tk.assess(
                evaluation.case.original, evaluation.release, recipient="inside", remedies=False
            ),
            evaluation.label,
        )
        for evaluation in evaluations[:3]
    }


def test_headline_counts_the_releases_that_fit(assessed: dict[str, AssessedRelease]) -> None:
    views = [release.view for release in assessed.values()]
    fitting = sum(view.word == "fits" for view in views)
    text = describe_verdicts(views, 3).show("en")
    assert text == f"{fitting} of 3 releases fit the scenario for the recipient inside"
    assert describe_verdicts(views[:1], 1) == views[0].heading


def test_without_assessment_there_is_no_verdict(evaluations: list[Evaluation]) -> None:
    assert "not assessed" in describe_verdicts([], 2).show("en")
    assert "data-verdict" not in render_report(evaluations[:1])


def test_first_is_a_release_that_fits_and_keeps_most(
    evaluations: list[Evaluation], assessed: dict[str, AssessedRelease]
) -> None:
    chosen = assessed.get(evaluations[choose_release(evaluations, assessed)].label)
    fitting = [item.view for item in assessed.values() if item.view.word == "fits"]
    assert fitting
    assert chosen is not None
    assert chosen.view.kept == max(view.kept or 0 for view in fitting)


def test_the_page_shows_each_verdict_once(
    evaluations: list[Evaluation], assessed: dict[str, AssessedRelease]
) -> None:
    page = render_report(evaluations[:3], assessed=assessed)
    for release in assessed.values():
        row = f'data-verdict="{release.view.word}" data-release="{release.view.release}"'
        assert page.count(row) == 1


def test_a_report_counts_people_where_attacks_count_them(tmp_path: Path) -> None:
    source, recipe = tmp_path / "x.csv", tmp_path / "r.yaml"
    visits().write_csv(source)
    roles = "qi: [sex, town], sa: [cost], ids: [patient]"
    steps = "[{method: mondrian, k: 3, person: patient}, {method: microaggregate}]"
    recipe.write_text(
        f"data: {{file: {source}, {roles}}}\nreleases:\n  - {{name: r, steps: {steps}}}\n"
        "attacks: [E1]\nmeasures: [U5]\n"
    )
    experiment = tk.run_recipe(tk.load_recipe(recipe), seed=1)
    (row,) = scorecard(experiment.evaluations)
    assert row.strongest.baseline == pytest.approx(1 / 30)
    assert "people" in row.reading.show("en")
    assert "人" in row.reading.show("ja")
    document = experiment.assessed["r"].document
    assert (document["unit"], document["total"]) == ("people", 30)
