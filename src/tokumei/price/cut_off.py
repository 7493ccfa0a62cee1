"""What a cut-off costs: the patterns it leaves out, the value that is lost, and a bound on it.

    asked = session.ask(Question(k=2, cut_off=600_000))
    cut_off_cost(session, asked).as_json()      # {"left_out": […], "lost": 717768, "at_most": …}

Any recoding stays k-anonymous when attributes are deleted. So a recoding with patterns that were
left out, these deleted, was among those searched: a cut-off loses at most the dearest pattern that
it leaves out of every attribute. Where an attribute may not be deleted that does not follow, and
only what no recoding at all can exceed is a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tokumei.price.problem import DELETE, PriceProblem, Question
from tokumei.price.session import PriceAnswer, PriceSession
from tokumei.price.tables import SOON, candidates


@dataclass(frozen=True)
class LeftOut:
    """A pattern that was not tried, and its value in whole units."""

    attribute: str
    pattern: str
    worth: int


@dataclass(frozen=True)
class CutOffCost:
    """What was left out; `lost` if it is known, and never more than `at_most` (whole units)."""

    problem: PriceProblem = field(repr=False)
    left_out: tuple[LeftOut, ...]
    lost: int | None
    at_most: int

    def as_json(self) -> dict[str, Any]:
        """Plain data in currency."""
        money = self.problem.money
        return {
            "left_out": [
                {"attribute": one.attribute, "pattern": one.pattern, "value": money(one.worth)}
                for one in self.left_out
            ],
            "lost": None if self.lost is None else money(self.lost),
            "at_most": money(self.at_most),
        }


def cut_off_cost(session: PriceSession, asked: PriceAnswer) -> CutOffCost:
    """The cost of the question's cut-off; `lost` is None where a search without it takes long.

    With a time budget the search without the cut-off has the same budget, and proves what it can.
    """
    question, problem = asked.question, asked.problem
    free = replace(question, cut_off=0.0, best=1)
    at_most = _bound(asked, free)
    if question.seconds is None and candidates(problem) > SOON:
        return CutOffCost(problem, left_out(problem, question), None, at_most)
    lost = None
    for without in session.ask(free, prices=asked.prices).answers:
        at_most = min(at_most, without.bound - asked.best.worth)
        if asked.best.optimal and without.optimal:
            lost = without.worth - asked.best.worth
    return CutOffCost(problem, left_out(problem, question), lost, at_most)


def left_out(problem: PriceProblem, question: Question) -> tuple[LeftOut, ...]:
    """The patterns that only the cut-off forbids."""
    free = replace(question, cut_off=0.0).allowed(problem)
    found = []
    for one, places, kept in zip(problem.attributes, free, question.allowed(problem), strict=True):
        gone = [place for place in places if place not in kept]
        found += [LeftOut(one.name, one.patterns[p].name, one.worth[p]) for p in gone]
    return tuple(found)


def _bound(asked: PriceAnswer, free: Question) -> int:
    problem, worth = asked.problem, asked.best.worth
    dearest: dict[str, int] = {}
    for one in left_out(problem, asked.question):
        dearest[one.attribute] = max(dearest.get(one.attribute, 0), one.worth)
    allowed = free.allowed(problem)
    every = zip(problem.attributes, allowed, strict=True)
    most = sum(
        max((one.worth[p] for p in places if p != DELETE), default=0) for one, places in every
    )
    held = zip(problem.attributes, allowed, strict=True)
    if any(one.name in dearest and DELETE not in places for one, places in held):
        return most - worth
    return min(asked.best.bound + sum(dearest.values()), most) - worth
