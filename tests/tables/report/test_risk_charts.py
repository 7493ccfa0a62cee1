"""Tests of tokumei.tables.report.risk_charts."""

from __future__ import annotations

from tables.report.risk_page_fixtures import QI
from tables.report.risk_page_fixtures import found as found
from tokumei.tables.report.risk_charts import MAX_SETS, risk_payload
from tokumei.tables.risk.risk import Risk


def test_charts_hold_the_figures(found: Risk) -> None:
    data = risk_payload(found)["data"]
    assert sum(row["rows"] for row in data["classes"]) == found.rows
    assert [row["share"] for row in data["contributions"]] == sorted(
        (row["share"] for row in data["contributions"]), reverse=True
    )
    assert {row["label"] for row in data["without"]} == set(QI)
    assert [len(data[f"sets-{n}"]) for n in (1, 2, 3)] == [5, 10, min(10, MAX_SETS)]
    assert [row["chosen"] for row in data["estimates"]].count(True) == len(found.population.chosen)
