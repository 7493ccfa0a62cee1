"""Tests of tokumei.apps.papers.comparison."""

from __future__ import annotations

import pytest

from tokumei.apps.papers.comparison import (
    ComputedBlock,
    FormCheck,
    StatedValue,
    block_awaiting_data,
    compare_block,
)
from tokumei.apps.papers.published_values import PublishedBlock
from tokumei.core.messages import Message

TITLE = Message("a table")
REASON = Message("a reason")


def table(rows, corrected=None, decimals=None):
    entry = {} if decimals is None else {"decimals": decimals}
    return PublishedBlock("table1", TITLE, ["k", "loss"], rows, (), corrected or {}, entry)


def test_a_line_is_as_bad_as_its_worst_cell_and_a_block_as_its_worst_line():
    printed = table([[2, 0.5], [3, 0.4], [4, 0.3]], {(1, "loss"): 0.3}, {"loss": 3})
    block = compare_block(printed, ComputedBlock([[2, 0.5004], [3, 0.3], None]))
    assert [line.verdict for line in block.lines] == ["rounding", "slip", "printed"]
    assert block.verdict == "slip"
    assert block.lines[0].tolerance == "±0.0005"
    assert block.lines[1].difference == pytest.approx(-0.1)


def test_the_digits_that_are_printed_decide():
    printed = table([[2, 0.5]])
    assert compare_block(printed, ComputedBlock([[2, 0.54]])).verdict == "rounding"
    printed = table([[2, 0.5]], decimals=3)
    assert compare_block(printed, ComputedBlock([[2, 0.54]])).verdict == "differs"


def test_slack_comes_on_top_of_rounding():
    printed = table([[2, 0.5]], decimals=3)
    block = compare_block(printed, ComputedBlock([[2, 0.501]], slack={(0, "loss"): 0.0005}))
    assert block.verdict == "rounding"
    assert compare_block(printed, ComputedBlock([[2, 0.501]])).verdict == "differs"


def test_an_explained_difference_shows_its_reason_and_an_equal_cell_none():
    printed = table([[2, 0.5], [3, 0.4]])
    computed = ComputedBlock([[2, 0.7], [3, 0.4]], explanations={"loss": REASON})
    first, second = compare_block(printed, computed).lines
    assert (first.verdict, first.explanations) == ("explained", (REASON,))
    assert (second.verdict, second.explanations) == ("equal", ())


def test_what_stands_beside_a_table_counts():
    printed = table([[2, 0.5]])
    beside = [StatedValue(Message("best k"), 6, 7)]
    assert compare_block(printed, ComputedBlock([[2, 0.5]], beside=beside)).verdict == "differs"


def test_a_form_must_hold_in_as_many_draws_as_it_says():
    printed = table([])
    forms = [
        FormCheck(Message("most"), "a", ["a", "a", "b"]),
        FormCheck(Message("some"), "a", ["a", "b", "b"], needed=0.3),
        FormCheck(Message("all"), "a", ["a", "a", "b"], needed=1.0),
        FormCheck(Message("never"), "a", ["b", "b"], needed=0.0),
        FormCheck(Message("known"), "a", ["b"], explanation=REASON),
    ]
    lines = compare_block(printed, ComputedBlock(forms=forms)).lines
    assert [line.verdict for line in lines] == ["form", "form", "differs", "differs", "explained"]
    assert lines[0].computed[0].show("en") == "2 of 3"


def test_illustrated_rows_are_shown_and_not_compared():
    block = compare_block(table([[2, 0.5]]), ComputedBlock([[2, 9.0]], illustrated=True))
    assert [(line.verdict, line.computed) for line in block.lines] == [("printed", [2, 9.0])]


def test_rows_must_fit():
    with pytest.raises(ValueError, match="1 rows computed, 2 printed"):
        compare_block(table([[2, 0.5], [3, 0.4]]), ComputedBlock([[2, 0.5]]))


def test_without_data_a_block_waits():
    block = block_awaiting_data(table([[2, 0.5]]), "T.csv")
    assert (block.verdict, block.needs, block.as_json()["needs"]) == ("waiting", "T.csv", "T.csv")
