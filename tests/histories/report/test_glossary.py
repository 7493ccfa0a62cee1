"""Tests of tokumei.histories.report.glossary."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokumei.core.measure import Level, Score
from tokumei.histories.registry import measures as history_measures
from tokumei.histories.report.chart_data import to_sweep_runs
from tokumei.histories.report.glossary import history_glossary, rate_uses
from tokumei.histories.study import HistoryStudy


@pytest.mark.parametrize(
    ("name", "score", "level"),
    [
        ("customers_kept", Score(0.8), Level.GOOD),
        ("top_items", Score(0.79, sample=50), Level.MID),
        ("rfm_recency", Score(0.5, baseline=0.2), Level.BAD),
        ("rfm_monetary", Score(0.9, baseline=0.9), Level.BAD),  # no better than chance
        ("monthly_shape", Score(0.05, baseline=0.13), Level.GOOD),
        ("monthly_shape", Score(0.05, baseline=0.04), Level.BAD),  # a flat line does better
        ("monthly_sales", Score(0.2), Level.MID),
    ],
)
def test_a_use_has_its_light(name: str, score: Score, level: Level, study: HistoryStudy) -> None:
    [use] = rate_uses(replace(study, scores={name: score}))
    assert use.level is level


def test_an_endless_error_is_not_shown(study: HistoryStudy) -> None:
    assert rate_uses(replace(study, scores={"monthly_sales": Score(float("inf"))})) == []


def test_sentences_hold_the_figures(study: HistoryStudy) -> None:
    scores = {"top_items": Score(0.95, sample=100), "rfm_recency": Score(0.7, baseline=0.199)}
    items, recency = rate_uses(replace(study, scores=scores))
    assert items.words.show("en").startswith("95 % of the 100 best-selling items")
    assert "100" in items.words.show("ja")
    assert "by chance 19.9 %" in recency.words.show("en")
    assert "19.9 %" in recency.words.show("ja")


def test_every_measure_is_explained(study: HistoryStudy) -> None:
    entries = [entry for _, group in history_glossary(to_sweep_runs([study])) for entry in group]
    titles = {entry.name for entry in entries if entry.formula}
    told = {"day", "item", "price", "quantity"}  # by the formulas of their cells
    names = [name for name in history_measures.names() if name not in told]
    assert {history_measures.get(name).title for name in names} <= titles
    assert all(entry.meaning.show("en") and entry.meaning.show("ja") for entry in entries)
