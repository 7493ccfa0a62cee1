"""A column that is left out is lost, unless it says who somebody is or was called so."""

from __future__ import annotations

import polars as pl

import tokumei as tk
from tokumei.assessment.assess import assess_table
from tokumei.assessment.open_release import AssessTable
from tokumei.core.scenario import Scenario

PEOPLE = pl.DataFrame(
    {
        "name": [f"Ann Smith{chr(97 + i % 26)}" for i in range(60)],
        "age": [20 + i % 40 for i in range(60)],
        "sex": ["FM"[i % 2] for i in range(60)],
        "birth_date": [f"19{60 + i % 30}-0{1 + i % 9}-1{i % 9}" for i in range(60)],
    }
)


def treatments(**roles: object) -> dict[str, tuple[str, float | None]]:
    release = tk.anonymize(PEOPLE, "mondrian", qi=["age", "sex"], k=5, seed=1, **roles)
    scenario = Scenario.for_recipient("partner", knows=["age", "sex"])
    assessment = assess_table(
        AssessTable(original=PEOPLE, release=release, scenario=scenario, remedies=False)
    )
    return {column.name: (column.treatment, column.kept) for column in assessment.columns}


def test_a_column_left_out_is_lost() -> None:
    columns = treatments(ids=["name"], drop=["birth_date"])
    assert columns["birth_date"] == ("dropped", 0.0)
    assert columns["name"] == ("identifier", None)


def test_what_was_called_an_identifier_is_no_loss() -> None:
    assert treatments(ids=["name", "birth_date"])["birth_date"] == ("identifier", None)
