"""Tests of tokumei.apps.papers.comparison."""

import pytest

from tokumei.apps.papers.comparison import (
    ComputedBlock,
    StatedValue,
    block_awaiting_data,
    compare_block,
    judge_cell,
)
from tokumei.apps.papers.published_values import PublishedBlock
from tokumei.core.messages import Message

TITLE = Message("a table")


def table(rows, corrected=None):
    return PublishedBlock("table1", TITLE, ["k", "loss"], rows, (), corrected or {})


@pytest.mark.parametrize(
    ("paper", "ours", "limit", "more", "verdict"),
    [
        (7, 7, 0.0, {}, "equal"),
        (7, 7.0, 0.0, {}, "equal"),
        ("a", "a", 0.0, {}, "equal"),
        ([1, 2], [1, 2], 0.0, {}, "equal"),
        (0.348, 0.3482, 0.001, {}, "within"),
        (0.348, 0.35, 0.001, {}, "differs"),
        ("△", "○", 0.0, {}, "differs"),
        ("△", "○", 0.0, {"corrected": "○"}, "slip"),
        (0.583, 0.5589, 0.002, {"corrected": 0.558}, "slip"),
        (0.583, 0.5689, 0.002, {"corrected": 0.558}, "differs"),
        (12, 12, 0.0, {"twin": True}, "twin"),
        (12, 13, 0.0, {"twin": True}, "differs"),
        (12, 99, None, {}, "twin"),
    ],
)
def test_a_cell(paper, ours, limit, more, verdict):
    assert judge_cell(paper, ours, limit, **more)[0] == verdict


def test_a_line_is_as_bad_as_its_worst_cell_and_a_block_as_its_worst_line():
    printed = table([[2, 0.5], [3, 0.4], [4, 0.3]], {(1, "loss"): 0.3})
    found = ComputedBlock([[2, 0.5004], [3, 0.3], None], tolerance={"loss": 0.001})
    block = compare_block(printed, found)
    assert [line.verdict for line in block.lines] == ["within", "slip", "printed"]
    assert block.verdict == "slip"
    assert block.lines[0].tolerance == "±0.001"
    assert block.lines[1].difference == pytest.approx(-0.1)


def test_what_stands_beside_a_table_counts():
    printed = table([[2, 0.5]])
    beside = [StatedValue(Message("best k"), 6, 7)]
    assert compare_block(printed, ComputedBlock([[2, 0.5]], beside=beside)).verdict == "differs"


def test_rows_must_fit():
    with pytest.raises(ValueError, match="1 rows computed, 2 printed"):
        compare_block(table([[2, 0.5], [3, 0.4]]), ComputedBlock([[2, 0.5]]))


def test_without_data_a_block_waits():
    block = block_awaiting_data(table([[2, 0.5]]), "T.csv")
    assert (block.verdict, block.needs, block.as_json()["needs"]) == ("waiting", "T.csv", "T.csv")
