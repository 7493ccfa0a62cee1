"""Proposes words for values that a price list lacks, with scores; applies none unasked.

    suggestions = suggest(prices, {"職業": ["看護助手"]}, sources)
    suggestions[0].word, suggestions[0].score       # "専門職", 0.81
    applied(prices, [word for word in suggestions if word.score >= 0.6])
    trial = suggestion_trial(known, sources, hidden=0.2, draws=100, seed=1)
    trial.right, trial.majority             # 0.72, 0.27

A known value votes for its word with the square of its likeness; the score is the winner's share of
all votes and of a little doubt, so that a faint likeness alone is no high score. The first source
that says anything decides. A value without any likeness stays unknown.

How often suggestions are right is tried by hiding known words. `majority` is what always naming the
most frequent word would reach: the bar for any suggestion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import polars as pl

from tokumei.apps.price.price_list import ORIGINAL_PATTERN, PriceList, WordByValue
from tokumei.apps.price.word_similarity import Similarity
from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import canonicalize_column, canonicalize_value
from tokumei.core.randomness import Randomness

DOUBT_VOTES = 0.05
"""Votes against any proposal."""
NewValues = Mapping[str, Sequence[str]]
SimilaritySources = Mapping[str, Mapping[str, Similarity]]
"""By attribute: likenesses by their name, the most trusted first."""


@dataclass(frozen=True)
class Suggestion:
    """A word for a value in a pattern: None if nothing speaks for any."""

    attribute: str
    pattern: str
    value: str
    word: str | None
    score: float
    source: str | None
    nearest: str | None

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {**vars(self), "score": round(self.score, 4)}


def find_missing_values(frame: pl.DataFrame, prices: PriceList) -> dict[str, list[str]]:
    """By attribute the values of the data that some pattern has no word for, the frequent first."""
    missing_by_attribute: dict[str, list[str]] = {}
    for name, patterns in prices.patterns.items():
        if name not in frame.columns:
            continue
        cells = (
            canonicalize_column(frame[name])
            .alias("cell")
            .drop_nulls()
            .value_counts(sort=True)["cell"]
        )
        missing = [
            value for value in cells if any(value not in words for words in patterns.values())
        ]
        missing_by_attribute |= {name: missing} if missing else {}
    return missing_by_attribute


def suggest(prices: PriceList, new: NewValues, sources: SimilaritySources) -> list[Suggestion]:
    """A word for every new value in every pattern that lacks it, but for `original`."""
    suggestions = []
    for attribute, values in new.items():
        for pattern, words in prices.patterns[attribute].items():
            lacking = [value for value in values if canonicalize_value(value) not in words]
            if pattern != ORIGINAL_PATTERN and lacking:
                known_words = word_by_value_name(prices, attribute, words)
                proposals = propose_words(lacking, known_words, sources[attribute])
                suggestions += [
                    replace(suggestion, attribute=attribute, pattern=pattern)
                    for suggestion in proposals
                ]
    return suggestions


def propose_words(
    new: Sequence[str], known: Mapping[str, str], sources: Mapping[str, Similarity]
) -> list[Suggestion]:
    """A word for every new value, by those that known ones have."""
    values, words = [*known], [*dict.fromkeys(known.values())]
    member = np.array([[known[value] == word for word in words] for value in values], dtype=float)
    suggestions = [Suggestion("", "", value, None, 0.0, None, None) for value in new]
    for source, likeness in sources.items():
        similarities = likeness(new, values)
        votes = (similarities**2) @ member
        scores = votes / (votes.sum(axis=1, keepdims=True) + DOUBT_VOTES)
        for row, value in enumerate(new):
            best = int(scores[row].argmax())
            if suggestions[row].word is None and scores[row, best] > 0:
                nearest_value = values[int((similarities[row] * member[:, best]).argmax())]
                score = float(scores[row, best])
                suggestions[row] = Suggestion(
                    "", "", value, words[best], score, source, nearest_value
                )
    return suggestions


def word_by_value_name(prices: PriceList, attribute: str, words: WordByValue) -> dict[str, str]:
    """The word of every known value in a pattern, by what the value is called."""
    names = prices.patterns[attribute][ORIGINAL_PATTERN]
    return {names.get(value, value or ""): word for value, word in words.items() if value}


def apply_suggestions(prices: PriceList, chosen: Sequence[Suggestion]) -> PriceList:
    """The list with words that were proposed; a new value's own word has no price."""
    patterns = {
        name: {pattern: dict(words) for pattern, words in attribute_patterns.items()}
        for name, attribute_patterns in prices.patterns.items()
    }
    extended_prices = {name: dict(words) for name, words in prices.prices.items()}
    for suggestion in chosen:
        if suggestion.word is None:
            continue
        key = canonicalize_value(suggestion.value)
        patterns[suggestion.attribute][suggestion.pattern][key] = suggestion.word
        word = patterns[suggestion.attribute][ORIGINAL_PATTERN].setdefault(key, suggestion.value)
        extended_prices[suggestion.attribute].setdefault(word, None)
    return replace(prices, patterns=patterns, prices=extended_prices)


def price_list_frame(prices: PriceList) -> pl.DataFrame:
    """The lines of a price list: attribute, pattern, value, word, price."""
    cells = {
        name: {word: None if price is None else f"{price:f}" for word, price in words.items()}
        for name, words in prices.prices.items()
    }
    lines = [
        (name, pattern, value, word, cells[name].get(word))
        for name, patterns in prices.patterns.items()
        for pattern, words in patterns.items()
        for value, word in words.items()
    ]
    names = ["attribute", "pattern", "value", "word", "price"]
    return pl.DataFrame(lines, schema=dict.fromkeys(names, pl.String), orient="row")


COVERAGE_SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class AbstentionPoint:
    """Answering only this share, with scores from `score` up: how many of them are right."""

    coverage: float
    score: float
    right: float


@dataclass(frozen=True)
class SuggestionTrial:
    """Words hidden in all, the share proposed rightly, the bar, and the curve of abstaining."""

    hidden: int
    right: float
    majority: float
    curve: tuple[AbstentionPoint, ...]

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return asdict(self)


def suggestion_trial(
    known: Mapping[str, str],
    sources: Mapping[str, Similarity],
    *,
    hidden: float = 0.2,
    draws: int = 100,
    seed: int | None = None,
) -> SuggestionTrial:
    """Hide a share of the known words, propose their words, and count; many times."""
    count = round(hidden * len(known))
    if not 0 < count < len(known) or draws < 1:
        raise UsageError(
            "hiding {share:percent} of {words} words leaves nothing to hide or to learn from",
            share=hidden,
            words=len(known),
        )
    rng = Randomness(seed).child("hidden words")
    outcomes: list[tuple[float, bool]] = []
    majority_hits = 0
    for draw in range(draws):
        order = rng.child(str(draw)).permutation(len(known))
        values = [[*known][index] for index in order]
        visible_words = {value: known[value] for value in values[count:]}
        suggestions = propose_words(values[:count], visible_words, sources)
        outcomes += [
            (suggestion.score, suggestion.word == known[suggestion.value])
            for suggestion in suggestions
        ]
        common = Counter(visible_words.values()).most_common(1)[0][0]
        majority_hits += sum(known[value] == common for value in values[:count])
    right = sum(hit for _, hit in outcomes) / len(outcomes)
    return SuggestionTrial(
        len(outcomes), right, majority_hits / len(outcomes), _abstention_curve(outcomes)
    )


def _abstention_curve(outcomes: Sequence[tuple[float, bool]]) -> tuple[AbstentionPoint, ...]:
    ranked = sorted(outcomes, key=lambda outcome: -outcome[0])
    hits = np.cumsum([hit for _, hit in ranked])
    ends = [max(1, round(share * len(ranked))) for share in COVERAGE_SHARES]
    return tuple(
        AbstentionPoint(share, ranked[end - 1][0], float(hits[end - 1] / end))
        for share, end in zip(COVERAGE_SHARES, ends, strict=True)
    )
