"""Computes the best answers over k, with attacks, and between price lists.

    points = value_curve(session, range(2, 51))
    points = value_frontier(session, [2, 5, 10], seed=1)
    [point.as_json() for point in points if point.front_attack]
    compare_prices(session, PriceList.read("tomorrow.csv"), Question(k=5)).changed

The attacks are those of the suite. The attacker has all original values and the price list, so a
word is to him the set of values behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import (
    DELETE_INDEX,
    AnswerRecord,
    Candidate,
    PriceProblem,
    Question,
    RecodingAnswer,
)
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.core.errors import InputError, UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.core.sweep import pareto_front
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation_suite import attack_suite, find_strongest_attack

DEFAULT_ATTACKS = ("linkage",)


@dataclass(frozen=True)
class CurvePoint:
    """The best answer for one k, and how many words it has."""

    asked_k: int
    words: int
    answer: AnswerRecord

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"asked_k": self.asked_k, "words": self.words, **self.answer}


def value_curve(
    session: PriceSession, ks: Iterable[int], *, question: Question | None = None
) -> list[CurvePoint]:
    """The best answer for every k that can be reached."""
    points = []
    for k in track_progress(list(ks), Message.verbatim("k")):
        price_answer = session.ask(replace(question or Question(), k=k))
        if price_answer.answers:
            best = price_answer.best
            answer_json = best.as_json(price_answer.problem, price_answer.question)
            points.append(
                CurvePoint(k, price_answer.problem.count_words(best.candidate), answer_json)
            )
    return points


@dataclass(frozen=True)
class FrontierPoint:
    """An answer with the share of people that the strongest attack is expected to find."""

    asked_k: int
    answer: AnswerRecord
    attack: str
    found_share: float
    front_k: bool = False
    front_attack: bool = False

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "asked_k": self.asked_k,
            **self.answer,
            "attack": self.attack,
            "found": self.found_share,
            "front_k": self.front_k,
            "front_attack": self.front_attack,
        }


def value_frontier(
    session: PriceSession,
    ks: Sequence[int],
    *,
    question: Question | None = None,
    attacks: Sequence[str] = DEFAULT_ATTACKS,
    seed: int | None = None,
) -> list[FrontierPoint]:
    """The best answers of every k, attacked, and which of them are on the fronts."""
    if not ks or not attacks:
        raise UsageError("name at least one k and one attack")
    points: list[FrontierPoint] = []
    for k in track_progress(list(ks), Message.verbatim("k")):
        price_answer = session.ask(replace(question or Question(), k=k))
        points += [
            _attack_answer(session, price_answer, answer, attacks, seed)
            for answer in price_answer.answers
        ]
    if not points:
        return []
    values = np.array([-point.answer["value"] for point in points], dtype=np.float64)
    by_k = pareto_front(np.column_stack([values, [-point.answer["k"] for point in points]]))
    by_attack = pareto_front(np.column_stack([values, [point.found_share for point in points]]))
    return [
        replace(point, front_k=bool(k), front_attack=bool(attack))
        for point, k, attack in zip(points, by_k, by_attack, strict=True)
    ]


def _attack_answer(
    session: PriceSession,
    price_answer: PriceAnswer,
    answer: RecodingAnswer,
    attacks: Sequence[str],
    seed: int | None,
) -> FrontierPoint:
    answer_json = answer.as_json(price_answer.problem, price_answer.question)
    if all(place == DELETE_INDEX for place in answer.candidate):
        return FrontierPoint(price_answer.question.k, answer_json, "–", 1 / session.rows)
    case = build_comparison(session, price_answer, answer)
    rates = attack_suite(case, attacks, rng=Randomness(seed), expected=True)
    worst = find_strongest_attack(rates)
    # Expected rates are sums of shares; equal ones must be equal on the front.
    return FrontierPoint(price_answer.question.k, answer_json, worst.attack, round(worst.rate, 12))


def build_comparison(
    session: PriceSession, price_answer: PriceAnswer, answer: RecodingAnswer
) -> Comparison:
    """Original and release, every value as its number and every word as the set of its values."""
    release = session.release(
        price_answer, place=price_answer.answers.index(answer), keep_order=True
    )
    columns, original = {}, {}
    for j, (attribute, pattern_index) in enumerate(
        zip(price_answer.problem.attributes, answer.candidate, strict=True)
    ):
        numbers = price_answer.problem.codes[session.tuples, j]
        original[attribute.name] = pl.Series(
            [f"v{v}" for v in range(len(attribute.values))]
        ).gather(numbers)
        word_by_value = (
            np.zeros(len(attribute.values), dtype=np.int64)
            if pattern_index == DELETE_INDEX
            else attribute.patterns[pattern_index].up
        )
        columns[attribute.name] = _value_sets(word_by_value).gather(numbers[release.link])
    names = list(columns)
    return Comparison(
        Table.of(pl.DataFrame(original), qi=names, sa=[], ids=[]),
        Table.of(pl.DataFrame(columns), qi=names, sa=[], ids=[]),
        release.link,
    )


def _value_sets(word_by_value: np.ndarray) -> pl.Series:
    """For every value the set of values that share its word."""
    members: dict[int, list[str]] = {}
    for value, word in enumerate(word_by_value.tolist()):
        members.setdefault(word, []).append(f"v{value}")
    cells = {
        word: f"{{{';'.join(word_members)}}}" if len(word_members) > 1 else word_members[0]
        for word, word_members in members.items()
    }
    return pl.Series([cells[word] for word in word_by_value.tolist()])


@dataclass(frozen=True)
class PriceDifference:
    """The optimum before and after; `value_if_kept` is the old choice at the new prices.

    It is None if the new list lacks a pattern of the old choice.
    """

    before: PriceAnswer
    after: PriceAnswer
    kept_value: float | None

    @property
    def changed(self) -> dict[str, tuple[str, str]]:
        """The attributes whose pattern changed."""
        return changed_patterns(self.before, self.after)

    @property
    def gain_from_new_choice(self) -> float | None:
        """How much more the new choice is worth than the old one, at the new prices."""
        if self.kept_value is None:
            return None
        return self.after.problem.money(self.after.best.worth) - self.kept_value

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        before, after = self.before.as_json(), self.after.as_json()
        return {
            "before": before,
            "after": after,
            "value_change": after["value"] - before["value"],
            "original_value_change": after["original_value"] - before["original_value"],
            "changed": {name: list(pair) for name, pair in self.changed.items()},
            "old_choice_value": self.kept_value,
            "left_on_table": self.gain_from_new_choice,
        }


def compare_prices(session: PriceSession, prices: PriceList, question: Question) -> PriceDifference:
    """The session's own prices against others, for one question."""
    require_one_currency(session.prices, prices)
    before, after = session.ask(question), session.ask(question, prices=prices)
    return PriceDifference(before, after, value_if_kept(session, before, after))


def require_one_currency(before: PriceList, after: PriceList) -> None:
    """Fail unless values under both lists can be compared."""
    if after.currency != before.currency:
        raise InputError(
            "one list has {first}, the other {second}; values of two currencies cannot be compared",
            first=before.currency,
            second=after.currency,
        )


def changed_patterns(before: PriceAnswer, after: PriceAnswer) -> dict[str, tuple[str, str]]:
    """The attributes whose pattern is another, with both."""
    old_choice = before.problem.pattern_names(before.best.candidate)
    new_choice = after.problem.pattern_names(after.best.candidate)
    return {
        name: (old_choice[name], new_choice[name])
        for name in old_choice
        if old_choice[name] != new_choice[name]
    }


def value_if_kept(session: PriceSession, old: PriceAnswer, new: PriceAnswer) -> float | None:
    """The old choice at the new prices; None if the new list lacks one of its patterns."""
    choice = _translate_candidate(old.problem, new.problem, old.best.candidate)
    if choice is None:
        return None
    worth = session.worth(choice, new.question.k, prices=new.prices)
    return new.problem.money(sum(worth))


def _translate_candidate(
    old: PriceProblem, new: PriceProblem, candidate: Candidate
) -> Candidate | None:
    """The same patterns in another problem, by name; None if they are not the same there."""
    translated = []
    for old_attribute, new_attribute, pattern_index in zip(
        old.attributes, new.attributes, candidate, strict=True
    ):
        if pattern_index == DELETE_INDEX:
            translated.append(DELETE_INDEX)
            continue
        pattern = old_attribute.patterns[pattern_index]
        matching = [
            index
            for index, new_pattern in enumerate(new_attribute.patterns)
            if new_pattern.name == pattern.name and (new_pattern.up == pattern.up).all()
        ]
        if not matching:
            return None
        translated.append(matching[0])
    return tuple(translated)
