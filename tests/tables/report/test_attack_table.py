from __future__ import annotations

from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.report_context import page_context


def test_of_evaluations(evaluations: list[Evaluation]) -> None:
    original, no_columns = evaluations[0].case.original, [[] for _ in evaluations]
    table = page_context(evaluations, original, no_columns)["attacks"]
    assert table.labels == tuple(evaluation.label for evaluation in evaluations)
    for i, evaluation in enumerate(evaluations):
        best = [line.attack for line in table.lines if line.best[i]]
        assert evaluation.strongest.attack in best or evaluation.strongest.rate == 0
