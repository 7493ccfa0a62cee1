"""Which changes are tried, and how many people must look alike."""

from __future__ import annotations

import polars as pl
import pytest
from tests.assessment.small_releases import open_frames

from tokumei.assessment.assess import judge
from tokumei.assessment.propose_remedies import explain_no_remedy, needed_size, propose_remedies
from tokumei.core.scenario import Scenario


@pytest.mark.parametrize(
    ("recipient", "limits", "size"),
    [
        ("public", {}, 20),
        ("partner", {}, 5),
        ("inside", {}, 3),
        ("partner", {"guessed_right": 0.05}, 20),
        ("partner", {"guessed_right": 0.15}, 7),  # 1/7 = 14.3 %, 1/6 = 16.7 %
        ("partner", {"guessed_right": 1, "smallest_class": 1}, 2),
        ("partner", {"guessed_right": 0, "smallest_class": 9}, 9),
    ],
)
def test_so_many_must_look_alike(recipient: str, limits: dict[str, float], size: int) -> None:
    assert needed_size(Scenario.for_recipient(recipient, limits=limits)) == size


FRAME = pl.DataFrame({"sex": ["f", "m"] * 20, "age": range(40), "one": [1] * 40})


def proposed(recipient: str) -> list[tuple[str, dict[str, object]]]:
    opened = open_frames(FRAME, qi=["sex", "age", "one"])
    scenario = Scenario.for_recipient(recipient)
    found = propose_remedies(opened, scenario, judge(opened, scenario))
    return [(proposal.action, proposal.parameters) for proposal in found]


def test_the_column_that_tells_most_is_changed_first() -> None:
    drops = [parameters for action, parameters in proposed("partner") if action == "drop"]
    assert drops == [{"columns": ["age"]}, {"columns": ["sex"]}]


def test_narrower_recipients_come_last() -> None:
    narrower = [{"recipient": "partner"}, {"recipient": "inside"}]
    assert [parameters for _, parameters in proposed("public")[-2:]] == narrower
    assert proposed("partner")[-1] == ("scenario", {"recipient": "inside"})
    assert "scenario" not in {action for action, _ in proposed("inside")}


def test_classes_are_merged_to_the_size_that_is_needed() -> None:
    assert ("merge", {"columns": ["age", "sex"], "k": 20}) in proposed("public")
    assert ("leave-out", {"k": 3}) in proposed("inside")


def test_the_note_says_whether_there_are_too_few() -> None:
    scenario = Scenario.for_recipient("partner")
    few = explain_no_remedy(open_frames(FRAME.head(4)), scenario).show("en")
    assert "the release has 4 rows, and at least 5 must look alike" in few
    assert "must look alike" not in explain_no_remedy(open_frames(FRAME), scenario).show("en")
