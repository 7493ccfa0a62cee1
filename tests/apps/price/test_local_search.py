"""Tests of tokumei.apps.price.local_search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from support.price_problems import every_answer, random_problem
from tokumei.apps.price.group_sizes import GroupCounter
from tokumei.apps.price.problem import Question
from tokumei.apps.price.search import RecodingSearch


@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from([0.0, 0.1]))
def test_stopped_anywhere_the_bound_holds(seed: int, looks: int, suppression: float) -> None:
    """However soon it is cancelled: what is given holds, and the best lies below the bound."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, attributes=4)
    question = Question(k=4, suppression=suppression, seconds=1e9)
    truth = every_answer(problem, replace(question, seconds=None))
    left = iter(range(looks))
    found = RecodingSearch(
        problem, GroupCounter(problem), question, cancelled=lambda: next(left, None) is None
    ).run()
    for answer in found:
        assert (answer.worth, answer.candidate) in truth
        assert answer.worth <= truth[0][0] <= answer.bound
        assert not answer.optimal or answer.worth == truth[0][0]
