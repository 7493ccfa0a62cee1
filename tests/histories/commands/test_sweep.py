"""Tests of tokumei.histories.commands.sweep."""

from __future__ import annotations

import json

import pytest

from apps.cli.histories_scene import made as made
from apps.cli.histories_scene import tokumei as tokumei

TABLE_9 = {
    2: 0.348, 3: 0.472, 4: 0.542, 5: 0.583, 6: 0.615, 7: 0.642,
    8: 0.680, 10: 0.718, 12: 0.748, 15: 0.780, 17: 0.808, 20: 0.833,
}  # fmt: skip


@pytest.mark.long
@pytest.mark.data
def test_sweep_prints_the_papers_table_9(tokumei, real_data):
    contest = str(real_data / "pwscup2018" / "T.csv")
    done = tokumei("sweep", "--format", "pws2018", "--data", contest, "--method", "rank-match",
                   "--k", "2-20", "--json")  # fmt: skip
    found = json.loads(done.out)
    assert [point["k"] for point in found] == list(range(2, 21))
    losses = {point["k"]: point["loss"] for point in found}
    assert {k: losses[k] for k in TABLE_9} == pytest.approx(TABLE_9, abs=0.001)
    assert [point["k"] for point in found if point["best"]] == [6]
    assert all(point["risk"] == 1 / point["k"] for point in found)
    assert all({"total", "rows_kept"} <= point.keys() for point in found)


@pytest.mark.long
def test_a_sweep_with_categories_draws_both_curves(tokumei, made, tmp_path):
    out = tmp_path / "out"
    tokumei("sweep", "--data", made["T"], "--k", "2-4", "--categories", "prefix:2",
            "--out", str(out))  # fmt: skip
    page = (out / "report.html").read_text(encoding="utf-8")
    for chart in ("five", "sizes", "categories"):
        assert f'data-chart="{chart}"' in page
    rows = json.loads((out / "sweep.json").read_text(encoding="utf-8"))
    assert [one["sweep"] for one in rows] == ["rank-match", "rank-match + categories"]


@pytest.mark.long
def test_sweep_writes_table_chart_and_report(tokumei, made, tmp_path):
    tokumei("sweep", "--data", made["T"], "--k", "2-4", "--out", str(tmp_path / "out"))
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"sweep.csv", "sweep.json", "sweep.svg", "report.html"} <= names
