"""Tests of tokumei.histories.report.page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from histories.report.history_page_helpers import Outline
from histories.report.study_fixtures import SEED
from support.pages import own_part
from tokumei import anonymize
from tokumei.core.errors import UsageError
from tokumei.core.language import language_context
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep
from tokumei.files.atomic_write import write_all
from tokumei.histories.data.history import History
from tokumei.histories.report.page import render_history_report, render_sweep_svg, sweep_outputs
from tokumei.histories.study import HistoryStudy

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.mark.parametrize("name", ["study", "category_study", "internal_study"])
def test_no_customer_pseudonym_or_seed_enters(
    name: str, history: History, request: pytest.FixtureRequest
) -> None:
    study = request.getfixturevalue(name)
    page = own_part(render_history_report(study))
    release = anonymize(history, "rank-match", k=study.k, seed=SEED)
    assert not any(customer in page for customer in history.customers)
    for pseudonym in release.rows.pseudonyms:
        assert not re.search(rf"(?<![\d.]){pseudonym}(?![\d.]*\d)", page)
    assert str(SEED) not in page
    assert "seeded" in page


def test_original_rows_are_shown_only_when_asked_for(
    page: str, internal_study: HistoryStudy
) -> None:
    internal = render_history_report(internal_study)
    assert internal_study.example.internal
    for step in internal_study.example.steps:
        assert all(line.day.show("en") in internal for line in step.before)
    assert 'class="internal"' in internal
    assert "Internal – contains original rows." in internal
    assert "社外秘 — 元データの行を含みます。" in internal
    assert 'class="internal"' not in page
    assert "An invented example" in page
    assert "lantern" in page
    assert "lantern" not in own_part(internal)


def test_categories_are_told_both_ways(page: str, category_study: HistoryStudy) -> None:
    grouped = category_study.by_category
    assert grouped
    text = render_history_report(category_study)
    section = text[text.index('id="categories"') : text.index('id="method"')]
    for point in grouped.points:
        assert f">{point.loss:.3f}</td>" in section
        assert f"<b>{point.measured['honest_loss']:.3f}</b>" in section
    assert 'id="categories"' not in page


def test_hostile_names_are_inert(study: HistoryStudy) -> None:
    sweep = replace(study.sweep, method=HOSTILE)
    hostile = replace(
        study,
        sweep=sweep,
        by_category=study.sweep,
        category_sizes={HOSTILE: 3},
        attacks={HOSTILE: study.attacks["best"]},
    )
    points = tuple(
        replace(p, measured={**p.measured, "honest_loss": p.loss}) for p in study.sweep.points
    )
    hostile = replace(hostile, by_category=replace(sweep, points=points))
    page = render_history_report(hostile, title=Message.verbatim(HOSTILE))
    assert "<script>alert" not in page
    assert "<img" not in own_part(page)
    assert len(Outline(own_part(page)).all("script")) == 3  # data, library, page


def test_opens_in_the_wanted_language(study: HistoryStudy) -> None:
    page = render_history_report(study, lang="ja")
    assert '<html lang="ja">' in page
    assert ">購買履歴の匿名加工レポート</title>" in page


def test_wrong_use_is_refused(study: HistoryStudy) -> None:
    with pytest.raises(UsageError, match="at least one study"):
        render_history_report([])
    with pytest.raises(UsageError, match="at least one release"):
        render_history_report(Sweep("rank-match", "k", ()))
    with pytest.raises(UsageError, match="one of en, ja"):
        render_history_report(study, lang="fr")
    with pytest.raises(UsageError, match="different parameters"):
        render_history_report([study, replace(study.sweep, parameter="share")])


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
