"""Validates a client's request field by field, and answers it.

Unknown fields and wrong types are refused; every choice of an answer is counted again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from tokumei.apps.price.problem import DELETE_INDEX, Question
from tokumei.apps.price.service.answer_verification import Recount, RecountCache
from tokumei.apps.price.service.catalog import Catalog, Limits
from tokumei.apps.price.session import PriceAnswer
from tokumei.core.errors import InputError, TokumeiError, UsageError
from tokumei.core.messages import Message

NonEmptyName = Annotated[str, Field(min_length=1, max_length=200)]
EXAMPLE_QUESTION: JsonDict = {
    "session": "people",
    "prices": "3f9a0c51d2ab",
    "k": 5,
    "stay": ["occupation"],
    "suppression": 0.01,
}
NO_ANSWER = Message(
    "no choice of patterns meets these conditions (or none was found in time): lower k, allow more "
    "people to be left out, or let more columns go"
)


class OptimumQuestion(BaseModel):
    """A question: at least k people in every group, and what else must hold."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        json_schema_extra={"example": EXAMPLE_QUESTION},
    )

    session: NonEmptyName = Field(description="name of the data, see /v1/sessions")
    prices: NonEmptyName = Field(description="id of the price list, see /v1/prices")
    k: int = Field(2, ge=1, le=10**12, description="people in every group, at least")
    columns: list[NonEmptyName] | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="columns that are released; none: all with prices",
    )
    stay: list[NonEmptyName] = Field(
        [], max_length=100, description="columns that may not be deleted"
    )
    go: list[NonEmptyName] = Field([], max_length=100, description="columns that must be deleted")
    least: dict[NonEmptyName, Annotated[float, Field(ge=0, le=1e15)]] = Field(
        {}, max_length=100, description="value that a column must keep, in the prices' currency"
    )
    most_lost: dict[NonEmptyName, Annotated[float, Field(ge=0, le=1)]] = Field(
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
        _require_at_most("best", self.best, limits.best)
        _require_at_most("seconds", self.seconds or 0, limits.seconds)
        if self.k < limits.least_k:
            raise UsageError(
                "this service asks for k of {least} or more, not {k}",
                least=limits.least_k,
                k=self.k,
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


def _require_at_most(name: str, value: float, limit: float) -> None:
    if value > limit:
        raise UsageError(
            "{setting} may be {limit:g} at most in this service, not {given:g}",
            setting=name,
            limit=limit,
            given=value,
        )


def answer_optimum(
    desk: Catalog, request: OptimumQuestion, limits: Limits, cancelled: Callable[[], bool]
) -> dict[str, object]:
    """The answer as JSON; every choice in it was counted again."""
    began = time.monotonic()
    question = request.as_question(limits)
    session, prices = desk.session(request.session), desk.prices(request.prices)
    try:
        price_answer = session.ask(question, prices=prices, cancelled=cancelled)
    except TokumeiError as error:
        raise _hide_values(error) from None
    if not price_answer.answers:
        raise UsageError(NO_ANSWER)
    recount = _recount_answers(price_answer, desk.recount_cache(request.session))
    return {
        "ok": True,
        **price_answer.as_json(),
        **_column_figures(price_answer),
        "asked_k": question.k,
        "sample": recount.sample(request.sample, question),
        "session": request.session,
        "prices_id": request.prices,
        "seconds": round(time.monotonic() - began, 4),
    }


def _recount_answers(price_answer: PriceAnswer, recounts: RecountCache) -> Recount:
    """The best answer counted again; fails if any answer does not hold."""
    recounted = [
        recounts.of(price_answer.problem, answer.candidate) for answer in price_answer.answers
    ]
    for recount, answer in zip(recounted, price_answer.answers, strict=True):
        recount.require(answer, price_answer.question)
    return recounted[0]


def _column_figures(price_answer: PriceAnswer) -> dict[str, object]:
    """Original value and number of words, before and after, of the requested columns."""
    original: dict[str, float] = {}
    words: dict[str, tuple[int, int]] = {}
    for attribute, pattern_index in zip(
        price_answer.problem.attributes, price_answer.best.candidate, strict=True
    ):
        if price_answer.question.asks(attribute.name):
            original_index = attribute.place("original")
            original[attribute.name] = price_answer.problem.money(attribute.worth[original_index])
            words[attribute.name] = (
                attribute.word_counts[original_index],
                0 if pattern_index == DELETE_INDEX else attribute.word_counts[pattern_index],
            )
    return {"original_values": original, "words": words}


def _hide_values(error: TokumeiError) -> TokumeiError:
    """The error without values of the data: a client must not learn them by leaving words out."""
    value_faults = [fault for fault in error.faults if fault.rule == "missed-value"]
    if not value_faults:
        return error
    columns = dict.fromkeys(fault.column for fault in value_faults)
    reason = Message("a pattern has no word for some values of this column")
    fault_by_column = {fault.column: fault for fault in reversed(value_faults)}
    faults = [
        replace(
            fault_by_column[name], message=Message("{column}: {reason}", column=name, reason=reason)
        )
        for name in columns
    ]
    return InputError(error.message, faults=faults)
