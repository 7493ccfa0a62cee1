from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from tokumei.core.messages import language_context
from tokumei.files.atomic_write import write_all
from tokumei.histories.report.page import render_sweep_svg, sweep_outputs
from tokumei.histories.study import HistoryStudy


def test_a_sweep_leaves_four_files(study: HistoryStudy, tmp_path: Path) -> None:
    write_all(sweep_outputs([study.sweep], tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "report.html", "sweep.csv", "sweep.json", "sweep.svg"
    ]  # fmt: skip
    assert json.loads((tmp_path / "sweep.json").read_text()) == study.sweep.as_json()
    frame = pl.read_csv(tmp_path / "sweep.csv")
    assert frame["k"].to_list() == [point.value for point in study.sweep.points]
    assert frame["loss"].to_list() == [point.loss for point in study.sweep.points]
    assert frame.filter("best")["k"].to_list() == [study.sweep.best.value]
    assert "<html" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_several_sweeps_are_told_apart(category_study: HistoryStudy, tmp_path: Path) -> None:
    with language_context("ja"):
        write_all(sweep_outputs([category_study], tmp_path))
    found = json.loads((tmp_path / "sweep.json").read_text())
    assert [one["sweep"] for one in found] == ["rank-match", "rank-match + categories"]
    assert found[0]["points"] == category_study.sweep.as_json()
    frame = pl.read_csv(tmp_path / "sweep.csv")
    assert frame["sweep"].unique(maintain_order=True).to_list() == [o["sweep"] for o in found]
    assert frame["honest_loss"].null_count() == len(category_study.sweep.points)
    assert '<html lang="ja">' in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("lang", "words"), [("en", "risk 1/k"), ("ja", "リスク 1/k")])
def test_the_picture_marks_the_smallest_sum(study: HistoryStudy, lang: str, words: str) -> None:
    svg = render_sweep_svg([study], lang=lang)
    best = study.sweep.best
    assert words in svg
    assert f"k = {best.value}: {best.total:.3f}" in svg
    assert not re.search(r"<script|<image|href=", svg)
    assert svg == render_sweep_svg([study], lang=lang)
