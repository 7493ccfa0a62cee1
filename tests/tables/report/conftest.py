"""Releases by all methods, and one report of them."""

from __future__ import annotations

from typing import Any

import pytest

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation import Evaluation, evaluate
from tokumei.tables.registry import anonymizers
from tokumei.tables.report.report_page import render_report

RECIPE = "seed: 424242\nsteps:\n  - mondrian: {k: 5}\n  - microaggregate: {}\n"


def all_methods(original: Table) -> dict[str, Any]:
    """The paper's eight methods and a pipeline, by label."""
    build = anonymizers.build
    return {
        "A k-anonymity": build("mondrian", {"k": 5}),
        "B noise": build("noise", {"scale": 0.1}),
        "C yamaoka": build("yamaoka"),
        "D unify outside": build("unify"),
        "E unify inside": build("unify", {"columns": original.schema.qi[:1]}),
        "F microaggregate": build("microaggregate"),
        "G swap": build("swap"),
        "H delete": build("delete", {"share": 0.1}),
        "A+F": Pipeline((build("mondrian", {"k": 5}), build("microaggregate"))),
    }


@pytest.fixture(scope="session")
def original() -> Table:
    return sample_table(2000, seed=1)


@pytest.fixture(scope="session")
def evaluations(original: Table) -> list[Evaluation]:
    return [
        evaluate(
            original, method.anonymize(original, rng=Randomness(2)), label=label, rng=Randomness(3)
        )
        for label, method in all_methods(original).items()
    ]


@pytest.fixture(scope="session")
def by_label(evaluations: list[Evaluation]) -> dict[str, Evaluation]:
    return {evaluation.label: evaluation for evaluation in evaluations}


@pytest.fixture(scope="session")
def report(evaluations: list[Evaluation], original: Table) -> str:
    return render_report(evaluations, recipe=RECIPE)
