from __future__ import annotations

from itertools import chain

import pytest

from tokumei import anonymize
from tokumei.core.randomness import Randomness
from tokumei.histories.data.generalized_history import format_general_history, format_history
from tokumei.histories.data.history import History
from tokumei.histories.report.cluster_example import ExampleRow, cluster_example, invented_example

COLUMNS = ["day", "item", "price", "quantity"]


def english(line: ExampleRow) -> tuple[str, ...]:
    return tuple(cell.show("en") for cell in line)


def test_the_invented_example_is_what_the_method_does() -> None:
    example = invented_example("rank-match")
    assert (example.people, example.all_steps, example.all_left_out) == (3, 3, 1)
    first = example.steps[0]
    assert [english(line)[1] for line in first.before] == ["lantern", "lantern", "cake tin"]
    assert english(first.after) == (
        "[2025/3/4;2025/3/9]", "{cake tin;lantern}", "[8.5;12.5]", "[1;2]"
    )  # fmt: skip
    assert first.after.item.show("ja") == "{ケーキ型;ランタン}"
    person, line = example.left_out[0]
    assert (person, english(line)) == (0, ("2025/6/2", "notebook", "0.85", "10"))
    assert not example.internal


@pytest.mark.parametrize("seed", range(5))
def test_a_real_cluster_is_shown_row_by_row(history: History, seed: int) -> None:
    release = anonymize(history, "rank-match", k=4, seed=1)
    example = cluster_example(history, release, rng=Randomness(seed), most=1000)
    assert example.internal
    assert example.people == 4
    owner = history.frame["customer"].to_list()
    old = format_history(history).select(COLUMNS).rows()
    new = format_general_history(release.rows).select(COLUMNS).rows()
    shown = set()
    for step in example.steps:
        places = [
            [
                i
                for i, row in enumerate(old)
                if row == english(line) and new[i] == english(step.after)
            ]
            for line in step.before
        ]
        assert all(places)
        shown |= {owner[i] for i in chain(*places)} if all(len(p) == 1 for p in places) else set()
    assert len(shown) == 4
    counts = [owner.count(name) for name in shown]
    assert len(example.steps) == example.all_steps == min(counts)
    assert example.all_left_out == sum(counts) - 4 * min(counts)


def test_only_some_rows_are_shown(history: History) -> None:
    release = anonymize(history, "rank-match", k=2, seed=1)
    example = cluster_example(history, release, rng=Randomness(3), most=2)
    assert len(example.steps) == min(2, example.all_steps)
    assert len(example.left_out) <= 2
