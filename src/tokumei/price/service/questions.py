"""What a client may ask, checked field by field; and one question from beginning to end.

Unknown fields and wrong types are refused; every choice of an answer is counted again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from tokumei.core.errors import InputError, TokumeiError, UsageError
from tokumei.core.text import Text
from tokumei.price.problem import DELETE, Question
from tokumei.price.service.desk import Desk, Limits
from tokumei.price.service.recount import Recount, Recounts
from tokumei.price.session import PriceAnswer

Name = Annotated[str, Field(min_length=1, max_length=200)]
EXAMPLE: dict[str, Any] = {
    "session": "people",
    "prices": "3f9a0c51d2ab",
    "k": 5,
    "stay": ["occupation"],
    "suppression": 0.01,
}
NONE_FOUND = Text(
    "no choice of patterns meets these conditions (or none was found in time): lower k, allow more "
    "people to be left out, or let more columns go",
    "条件を満たす選び方がありません (または時間内に見つかりません)。k を下げる、"
    "除いてよい人を増やす、残す列を減らすなどしてください",
)


class OptimumQuestion(BaseModel):
    """A question: at least k people in every group, and what else must hold."""

    model_config = ConfigDict(
        extra="forbid", strict=True, allow_inf_nan=False, json_schema_extra={"example": EXAMPLE}
    )

    session: Name = Field(description="name of the data, see /v1/sessions")
    prices: Name = Field(description="id of the price list, see /v1/prices")
    k: int = Field(2, ge=1, le=10**12, description="people in every group, at least")
    columns: list[Name] | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="columns that are released; none: all with prices",
    )
    stay: list[Name] = Field([], max_length=100, description="columns that may not be deleted")
    go: list[Name] = Field([], max_length=100, description="columns that must be deleted")
    least: dict[Name, Annotated[float, Field(ge=0, le=1e15)]] = Field(
        {}, max_length=100, description="value that a column must keep, in the prices' currency"
    )
    most_lost: dict[Name, Annotated[float, Field(ge=0, le=1)]] = Field(
        {}, max_length=100, description="share of its value that a column may lose"
    )
    suppression: float = Field(0.0, ge=0, le=1, description="share of people that may be left out")
    cut_off: float = Field(0.0, ge=0, le=1e15, description="leave out patterns worth less")
    best: int = Field(1, ge=1, description="how many answers, best first")
    seconds: float | None = Field(
        None, gt=0, description="after so long the best so far is given, with a bound"
    )
    sample: int = Field(5, ge=0, le=50, description="how many sample rows")

    def as_question(self, limits: Limits) -> Question:
        """The question within the limits of the service."""
        _at_most("best", self.best, limits.best)
        _at_most("seconds", self.seconds or 0, limits.seconds)
        if self.k < limits.least_k:
            raise UsageError(
                f"this service asks for k of {limits.least_k} or more, not {self.k}",
                f"このサービスの k は {limits.least_k} 以上です ({self.k})",
            )
        return Question(
            k=self.k,
            columns=None if self.columns is None else tuple(self.columns),
            suppression=self.suppression,
            least=self.least,
            most_lost=self.most_lost,
            stay=tuple(self.stay),
            go=tuple(self.go),
            best=self.best,
            seconds=self.seconds or limits.seconds,
            cut_off=self.cut_off,
        )


def _at_most(name: str, given: float, most: float) -> None:
    if given > most:
        raise UsageError(
            f"{name} may be {most:g} at most in this service, not {given:g}",
            f"このサービスの {name} は {most:g} までです ({given:g})",
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
        replace(first[name], message=Text(f"{name}: {message.en}", f"{name}: {message.ja}"))
        for name in columns
    ]
    return InputError(error.message, faults=faults)
