"""Tests of tokumei.tables.report.row_exposure."""

from __future__ import annotations

from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.row_exposure import find_rare_cells


def test_reasons_come_from_rare_public_cells(by_label: dict[str, Evaluation]) -> None:
    evaluation = by_label["B noise"]
    reasons = find_rare_cells(evaluation.exposed, evaluation.case)
    assert len(reasons) == len(evaluation.exposed)
    assert any(reasons)
    for row, rare in zip(evaluation.exposed, reasons, strict=True):
        assert len(rare) <= 4
        assert all(rarity.share < 0.10 and rarity.column in row.values for rarity in rare)
