"""Tests of tokumei.tables.report.verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from tables.people_not_rows_helpers import visits
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.scorecard import scorecard
from tokumei.tables.report.verdict import release_verdict


def test_verdict_picks_the_safest_honest_release(evaluations: list[Evaluation]) -> None:
    rows = scorecard(evaluations)
    found = release_verdict(rows)
    assert rows[found.number].label == "A+F"
    assert "“A+F”" in found.headline.show("en")
    assert "「A+F」" in found.headline.show("ja")
    assert len(found.figures) == 4


def test_a_report_tells_of_people_where_attacks_count_them(tmp_path: Path) -> None:
    source, recipe = tmp_path / "x.csv", tmp_path / "r.yaml"
    visits().write_csv(source)
    roles = "qi: [sex, town], sa: [cost], ids: [patient]"
    steps = "[{method: mondrian, k: 3, person: patient}, {method: microaggregate}]"
    recipe.write_text(
        f"data: {{file: {source}, {roles}}}\nreleases:\n  - {{name: r, steps: {steps}}}\n"
        "attacks: [E1]\nmeasures: [U5]\n"
    )
    (row,) = scorecard(tk.run_recipe(tk.load_recipe(recipe), seed=1).evaluations)
    assert row.strongest.baseline == pytest.approx(1 / 30)
    found = release_verdict([row])
    told = (row.reading, found.detail, found.figures[0].caption)
    assert all("people" in one.show("en") and "rows" not in one.show("en") for one in told)
    assert all("人" in one.show("ja") and "行" not in one.show("ja") for one in told)
