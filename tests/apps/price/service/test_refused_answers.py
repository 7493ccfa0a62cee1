"""Nothing leaves the service that a recount does not confirm."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.price_problems import random_problem
from support.served_prices import is_refusal, serving
from tokumei.apps.price.group_sizes import GroupCounter
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import DELETE_INDEX, Question, RecodingAnswer
from tokumei.apps.price.search import RecodingSearch
from tokumei.apps.price.service.catalog import Limits
from tokumei.apps.price.service.recount import RecountCache
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.core.errors import ClaimError

Lie = Callable[[RecodingAnswer], RecodingAnswer]
LIES: dict[str, Lie] = {
    "too fine": lambda answer: replace(answer, candidate=(0,) * len(answer.candidate)),
    "too coarse": lambda answer: replace(answer, candidate=(DELETE_INDEX,) * len(answer.candidate)),
    "larger groups": lambda answer: replace(answer, k=answer.k + 1),
    "nobody left out": lambda answer: replace(answer, suppressed=answer.suppressed + 1),
    "worth more": lambda answer: replace(answer, worth=answer.worth + 1, bound=answer.worth + 1),
    "bound below": lambda answer: replace(answer, bound=answer.worth - 1),
    "other columns": lambda answer: replace(answer, by_attribute=answer.by_attribute[::-1]),
}


class LyingSession:
    """A session whose answers are changed on their way."""

    def __init__(self, session: PriceSession, lie: Lie) -> None:
        self.rows, self.columns = session.rows, session.columns
        self._inner, self._lie = session, lie

    def ask(self, *question: Any, **more: Any) -> PriceAnswer:
        found = self._inner.ask(*question, **more)
        return replace(found, answers=[*found.answers[:-1], self._lie(found.answers[-1])])


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("best", [1, 2])
def test_a_planted_answer_is_not_given(
    session: PriceSession, price_lists: list[PriceList], lie: str, best: int
) -> None:
    with serving(LyingSession(session, LIES[lie]), price_lists, Limits()) as service:
        is_refusal(service.ask(k=5, best=best), 500, "ClaimError")


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
    monkeypatch.setattr("tokumei.apps.price.service.recount.MAX_KEPT_GROUPS", 30)
    recounts = RecountCache()
    for seed in [0, 1, 0, 1, 2]:
        problem = random_problem(np.random.default_rng(seed), attributes=4)
        for answer in RecodingSearch(problem, GroupCounter(problem), Question(k=2, best=9)).run():
            recounts.of(problem, answer.candidate).require(answer, Question(k=2))
    assert 0 < sum(groups.height for _, groups in recounts._groups_by_partition.values()) <= 30


class BrokenSession(LyingSession):
    """A session with a bug whose message quotes a person."""

    def ask(self, *question: Any, **more: Any) -> PriceAnswer:
        raise ValueError("山田太郎 earns 12,345,678")


def test_a_bug_shows_no_data(
    session: PriceSession, price_lists: list[PriceList], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="tokumei.apps.price.service")
    with serving(BrokenSession(session, lambda answer: answer), price_lists, Limits()) as service:
        found = is_refusal(service.ask(), 500, "ServiceError")
        assert service.client.get("/healthz").json()["ok"]
    ours = "\n".join(one.getMessage() for one in caplog.records if one.name.startswith("tokumei"))
    assert "ValueError at" in ours
    assert "POST /v1/optimum 500" in ours
    assert "山田" not in ours + str(found)
