"""One question from beginning to end: search, count again, describe."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tokumei.core.errors import InputError, TokumeiError, UsageError
from tokumei.core.text import Text
from tokumei.price.problem import DELETE
from tokumei.price.service.desk import Desk, Limits
from tokumei.price.service.questions import OptimumQuestion
from tokumei.price.service.recount import Recount, Recounts
from tokumei.price.session import PriceAnswer

NONE_FOUND = Text(
    "no choice of patterns meets these conditions (or none was found in time): lower k, allow more "
    "people to be left out, or let more columns go",
    "条件を満たす選び方がありません (または時間内に見つかりません)。k を下げる、"
    "除いてよい人を増やす、残す列を減らすなどしてください",
)


def optimum(
    desk: Desk, asked: OptimumQuestion, limits: Limits, cancelled: Callable[[], bool]
) -> dict[str, Any]:
    """The answer as JSON; every choice in it was counted again."""
    began = time.monotonic()
    question = asked.as_question(limits)
    session, prices = desk.session(asked.session), desk.prices(asked.prices)
    try:
        found = session.ask(question, prices=prices, cancelled=cancelled)
    except TokumeiError as error:
        raise _without_values(error) from None
    if not found.answers:
        raise UsageError(NONE_FOUND)
    counted = _counted(found, desk.recounts(asked.session))
    return {
        "ok": True,
        **found.as_json(),
        **_by_column(found),
        "asked_k": question.k,
        "sample": counted.sample(asked.sample, question),
        "session": asked.session,
        "prices_id": asked.prices,
        "seconds": round(time.monotonic() - began, 4),
    }


def _counted(found: PriceAnswer, recounts: Recounts) -> Recount:
    """The best answer counted again; fails if any answer does not hold."""
    counted = [recounts.of(found.problem, answer.candidate) for answer in found.answers]
    for recount, answer in zip(counted, found.answers, strict=True):
        recount.require(answer, found.question)
    return counted[0]


def _by_column(found: PriceAnswer) -> dict[str, Any]:
    """What the columns asked for were worth, and how many words they had and have."""
    original: dict[str, float] = {}
    words: dict[str, tuple[int, int]] = {}
    for one, place in zip(found.problem.attributes, found.best.candidate, strict=True):
        if found.question.asks(one.name):
            first = one.place("original")
            original[one.name] = found.problem.money(one.worth[first])
            words[one.name] = (one.words[first], 0 if place == DELETE else one.words[place])
    return {"original_values": original, "words": words}


def _without_values(error: TokumeiError) -> TokumeiError:
    """The error without values of the data: a client must not learn them by leaving words out."""
    rows = [fault for fault in error.faults if fault.rule == "missed-value"]
    if not rows:
        return error
    columns = dict.fromkeys(fault.column for fault in rows)
    message = Text(
        "a pattern has no word for some values of this column",
        "この列の値の一部について、パターンに語がありません",
    )
    first = {fault.column: fault for fault in reversed(rows)}
    faults = [
        replace(
            first[name],
            message=Text(f"{name}: {message.en}", f"{name}: {message.ja}"),
        )
        for name in columns
    ]
    return InputError(error.message, faults=faults)
