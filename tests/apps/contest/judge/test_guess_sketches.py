"""Sketches of guesses against whole guesses."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.apps.contest.judge.guess_sketches import (
    SKETCH_SIZE,
    blind_sketch,
    sketch_wrong_answers,
)


def guess(answers: dict[int, int]) -> bytes:
    return b"released,original\n" + b"".join(b"%d,%d\n" % pair for pair in answers.items())


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 1), st.integers(5, 1_500))
def test_sketches_have_as_much_in_common_as_guesses(seed, share, rows):
    chance = random.Random(seed)
    one = {row: chance.randrange(rows) for row in range(rows)}
    other = {row: x if chance.random() < share else rows + row for row, x in one.items()}
    truth = {row: chance.randrange(rows) if chance.random() < 0.5 else one[row] for row in one}
    wrong = [{p for p in g.items() if p not in truth.items()} for g in (one, other)]
    exact = len(wrong[0] & wrong[1]) / max(1, len(wrong[0] | wrong[1]))
    first, second = (
        set(sketch_wrong_answers({name: guess(answers)}, guess(truth)))
        for name, answers in (("a.csv", one), ("guess.csv", other))
    )
    found = len(first & second) / max(1, len(first | second))
    few = max(map(len, wrong)) <= SKETCH_SIZE
    assert abs(found - exact) <= (1e-12 if few else 0.25)


def test_right_answers_are_no_part_of_a_sketch():
    truth = guess({row: row for row in range(50)})
    assert sketch_wrong_answers({"guess.csv": truth}, truth) == []
    assert (
        len(
            sketch_wrong_answers(
                {"guess.csv": guess({row: row + row % 2 for row in range(50)})}, truth
            )
        )
        == 25
    )


def test_several_tables_and_their_columns_are_told_apart():
    texts = {"F25.csv": b"1,a,b\n", "F50.csv": b"1,b,a\n"}
    assert len(sketch_wrong_answers(texts)) == 4
    assert not set(sketch_wrong_answers(texts)) & set(
        sketch_wrong_answers({"F25.csv": b"1,b,a\n", "F50.csv": b"1,a,b\n"})
    )


def test_a_key_keeps_what_is_common_and_hides_the_rest():
    sketch = sketch_wrong_answers({"g": guess({row: row for row in range(400)})})
    assert len(sketch) == len(set(blind_sketch(sketch, b"k"))) == SKETCH_SIZE
    assert blind_sketch(sketch[:9], b"k") == blind_sketch(sketch, b"k")[:9]
    assert not set(blind_sketch(sketch, b"k")) & {*sketch, *blind_sketch(sketch, b"other")}
