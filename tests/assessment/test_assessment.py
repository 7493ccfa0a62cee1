"""The document of an assessment, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, open_frames

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.assessment import Assessment
from tokumei.core.scenario import Scenario

SCHEMA = Path(__file__).parents[2] / "docs" / "assessment.schema.json"
FRAME = pl.DataFrame({"age": AGES, "amount": range(10)})


def assess(frame: pl.DataFrame, **given: object) -> Assessment:
    release = frame.with_columns(age=pl.Series(CLASSES_OF_FIVE))
    opened = open_frames(frame, release, qi=["age"])
    return assess_opened(opened, Scenario.for_recipient("partner", **given), remedies=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "word", "code"),
    [({}, "fits", 0), ({"smallest_class": 6}, "does-not-fit", 1)],
)
def test_the_exit_code_is_the_verdict(limits: dict[str, float], word: str, code: int) -> None:
    found = assess(FRAME, limits=limits)
    assert (found.verdict.word, found.exit_code) == (word, code)


def test_what_cannot_be_told_ends_with_two() -> None:
    found = assess_opened(open_frames(FRAME), Scenario())
    assert (found.verdict.word, found.exit_code) == ("unknown", 2)


def test_the_document_has_the_keys_of_its_schema_and_is_json() -> None:
    document = assess(FRAME).to_dict()
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert {*schema["required"]} <= {*document} <= {*schema["properties"]}
    assert json.loads(json.dumps(document)) == document
    assert (document["version"], document["rows"], document["rows_source"]) == (1, 10, 10)
    assert document["unique"] == 10  # by amount, which the partner does not know
    assert document["scenario"]["knows"] == ["age"]  # type: ignore[index]


def test_both_denominators_are_in_the_document() -> None:
    original = FRAME.with_columns(uid=pl.Series(list("aabbccddee")))
    opened = open_frames(original, original.drop("uid").head(4), person="uid", qi=["age"])
    document = assess_opened(opened, Scenario(person="uid"), remedies=False).to_dict()
    keys = ("unit", "total", "total_source", "rows", "rows_source")
    assert [document[key] for key in keys] == ["people", 2, 5, 4, 10]
