"""Tests of tokumei.apps.price.service.catalog."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.price.service.limits_helpers import EndlessSession
from support.served_prices import Service, is_refusal, serving
from support.waiting import HUNG_SECONDS
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import DELETE_INDEX, RecodingAnswer
from tokumei.apps.price.service.catalog import Limits
from tokumei.apps.price.session import PriceAnswer, PriceSession

LOOKS = 60
"""A first guess takes fewer looks at the clock, a proof more."""


class HurriedSession(EndlessSession):
    """Runs out of time in the middle of every search."""

    def ask(self, *question: Any, cancelled: Callable[[], bool], **more: Any) -> PriceAnswer:
        looks = iter(range(LOOKS))
        return self._inner.ask(*question, cancelled=lambda: next(looks, None) is None, **more)


def test_the_best_so_far_when_time_runs_out(
    session: PriceSession, service: Service, price_lists: list[PriceList]
) -> None:
    with serving(HurriedSession(session), price_lists, Limits(seconds=HUNG_SECONDS)) as hurried:
        found = hurried.optimum(k=5, seconds=HUNG_SECONDS)
    best = service.optimum(k=5)
    assert found["optimal"] is False
    assert found["value"] <= best["value"] <= found["bound"]
    assert found["k"] >= 5


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
