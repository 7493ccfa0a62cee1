"""How the best recoding changes from one price list to another.

found = compare_prices(session, PriceList.read("tomorrow.csv"), Question(k=5))
found.changed                 # {"年齢": ("decades", "school")}
found.left_on_table           # what staying with the old choice costs at the new prices
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.core.errors import InputError
from tokumei.price.dictionary import PriceList
from tokumei.price.problem import DELETE, Candidate, PriceProblem
from tokumei.price.question import Question
from tokumei.price.session import PriceAnswer, PriceSession


@dataclass(frozen=True)
class PriceDifference:
    """The optimum before and after; `kept_value` is the old choice at the new prices.

    It is None if the new list lacks a pattern of the old choice, or if rows were left out.
    """

    before: PriceAnswer
    after: PriceAnswer
    kept_value: float | None

    @property
    def changed(self) -> dict[str, tuple[str, str]]:
        """The attributes whose pattern changed."""
        old = self.before.problem.names(self.before.best.candidate)
        new = self.after.problem.names(self.after.best.candidate)
        return {name: (old[name], new[name]) for name in old if old[name] != new[name]}

    @property
    def left_on_table(self) -> float | None:
        """How much more the new choice is worth than the old one, at the new prices."""
        if self.kept_value is None:
            return None
        return self.after.problem.money(self.after.best.worth) - self.kept_value

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        before, after = self.before.as_json(), self.after.as_json()
        return {
            "before": before,
            "after": after,
            "value_change": after["value"] - before["value"],
            "original_value_change": after["original_value"] - before["original_value"],
            "changed": {name: list(pair) for name, pair in self.changed.items()},
            "old_choice_value": self.kept_value,
            "left_on_table": self.left_on_table,
        }


def compare_prices(session: PriceSession, prices: PriceList, question: Question) -> PriceDifference:
    """The session's own prices against others, for one question."""
    if prices.currency != session.prices.currency:
        raise InputError(
            f"one list has {session.prices.currency}, the other {prices.currency}; "
            "values of two currencies cannot be compared",
            f"通貨が {session.prices.currency} と {prices.currency} で異なるため比べられません",
        )
    before, after = session.ask(question), session.ask(question, prices=prices)
    old = before.best
    choice = None if old.suppressed else _same_choice(before.problem, after.problem, old.candidate)
    kept = None if choice is None else after.problem.money(after.problem.worth(choice))
    return PriceDifference(before, after, kept)


def _same_choice(old: PriceProblem, new: PriceProblem, candidate: Candidate) -> Candidate | None:
    """The same patterns in another problem, by name; None if they are not the same there."""
    found = []
    for one, other, place in zip(old.attributes, new.attributes, candidate, strict=True):
        if place == DELETE:
            found.append(DELETE)
            continue
        pattern = one.patterns[place]
        same = [
            at
            for at, theirs in enumerate(other.patterns)
            if theirs.name == pattern.name and (theirs.up == pattern.up).all()
        ]
        if not same:
            return None
        found.append(same[0])
    return tuple(found)
