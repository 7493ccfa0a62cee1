"""Tests of tokumei.apps.price.service.answer_verification."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.price_problems import random_problem
from tokumei.apps.price.group_sizes import GroupCounter
from tokumei.apps.price.problem import DELETE_INDEX, Question
from tokumei.apps.price.search import RecodingSearch
from tokumei.apps.price.service.answer_verification import RecountCache
from tokumei.core.errors import ClaimError


@given(st.integers(0, 10_000), st.integers(1, 8), st.sampled_from([0.0, 0.1, 0.3]))
def test_a_recount_confirms_true_answers_and_no_other(
    seed: int, k: int, suppression: float
) -> None:
    problem = random_problem(np.random.default_rng(seed), attributes=3)
    question = Question(k=k, suppression=suppression, best=3)
    recounts = RecountCache()
    for answer in RecodingSearch(problem, GroupCounter(problem), question).run():
        recount = recounts.of(problem, answer.candidate)
        recount.require(answer, question)
        shown = recount.sample(50, question)["rows"]
        assert sum(row["people"] for row in shown) == problem.rows - answer.suppressed
        assert min(row["people"] for row in shown) == answer.k
        name = problem.attributes[0].name
        gone = answer.candidate[0] == DELETE_INDEX
        unwanted = replace(question, **{"stay" if gone else "go": (name,)})
        dear = replace(question, least={name: answer.by_attribute[0] + 1.0})
        for asked in (unwanted, dear, replace(question, k=answer.k + 1)):
            with pytest.raises(ClaimError):
                recount.require(answer, asked)


def test_few_recounts_are_kept_and_all_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.apps.price.service.answer_verification.MAX_KEPT_GROUPS", 30)
    recounts = RecountCache()
    for seed in [0, 1, 0, 1, 2]:
        problem = random_problem(np.random.default_rng(seed), attributes=4)
        for answer in RecodingSearch(problem, GroupCounter(problem), Question(k=2, best=9)).run():
            recounts.of(problem, answer.candidate).require(answer, Question(k=2))
    assert 0 < sum(groups.height for _, groups in recounts._groups_by_partition.values()) <= 30
