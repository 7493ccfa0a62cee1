"""Tests of tokumei.apps.price.group_counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from support.price_problems import every_answer, random_problem
from tokumei.apps.price.group_sizes import GroupCounter
from tokumei.apps.price.problem import Question
from tokumei.apps.price.search import RecodingSearch


@given(st.integers(0, 10**6))
def test_one_group_cache_serves_every_problem_of_the_people(seed: int) -> None:
    """New prices and patterns, in another order, over the groups of another problem."""
    rng = np.random.default_rng(seed)
    first = random_problem(rng, attributes=4)
    groups = GroupCounter(first)
    RecodingSearch(first, groups, Question(k=3)).run()
    shuffled = []
    for one in first.attributes:
        places = rng.permutation(len(one.patterns))[: rng.integers(1, len(one.patterns) + 1)]
        patterns = [one.patterns[place] for place in {*places.tolist(), one.place("original")}]
        fresh = [
            replace(pattern, prices=rng.integers(0, 50, size=len(pattern.words)))
            for pattern in patterns
        ]
        shuffled.append(replace(one, patterns=tuple(fresh)))
    second = replace(first, attributes=tuple(shuffled))
    question = Question(k=int(rng.integers(1, 6)), suppression=0.1, best=3)
    found = RecodingSearch(second, groups, question).run()
    expected = every_answer(second, question)[:3]
    assert [(answer.worth, answer.candidate) for answer in found] == expected
