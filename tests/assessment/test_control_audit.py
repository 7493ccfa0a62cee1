"""The audit of an assessment is the audit with the same people, in few figures."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.assessment.small_releases import open_frames

import tokumei as tk
from tokumei.assessment.control_audit import audit_with_control

ROWS = 300


def draw(seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, ROWS),
            "height": rng.integers(1400, 2000, ROWS),
            "illness": rng.choice(["flu", "gout", "cold"], ROWS),
        }
    )


def test_raw_rows_are_found_and_others_are_not() -> None:
    members, control = draw(1), draw(2)
    opened = open_frames(members, qi=("age", "height"), sa=("illness",))
    found = audit_with_control(opened, ["age", "height"], control)
    assert (found.members, found.control) == (ROWS, ROWS)
    by_question = {(item.question, item.column): item for item in found.questions}
    assert by_question["membership", None].is_found
    assert by_question["attribute", "illness"].is_found
    assert by_question["attribute", "illness"].value > 0.8
    expected = tk.audit(
        members,
        members=members,
        control=control,
        qi=["age", "height"],
        sa=["illness"],
        known=["age", "height"],
        seed=35,
    )
    assert expected.membership is not None
    membership = by_question["membership", None]
    assert membership.value == pytest.approx(expected.membership.corrected.value)


def test_an_assessment_shows_the_audit_of_its_control_group() -> None:
    members = draw(1)
    suppressed = members.with_columns(pl.lit("*").alias("age"), pl.lit("*").alias("height"))
    found = tk.assess(
        *(members, suppressed),
        link=np.arange(ROWS),
        qi=["age", "height"],
        sa=["illness"],
        control=draw(2),
        remedies=False,
    )
    assert found.audit is not None
    assert not any(item.is_found for item in found.audit.questions)
    assert found.to_dict()["audit"] == found.audit.to_dict()
    without = tk.assess(members, suppressed, link=np.arange(ROWS), qi=["age"], remedies=False)
    assert without.to_dict()["audit"] is None
