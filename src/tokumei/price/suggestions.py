"""Words for values that a price list does not know: proposed with a score, never applied unasked.

    found = suggest(prices, {"職業": ["看護助手"]}, sources)
    found[0].word, found[0].score, found[0].nearest      # "専門職", 0.81, "看護師"
    applied(prices, [one for one in found if one.score >= 0.6])
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
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import canonical, plain_text
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.price.dictionary import ORIGINAL, PriceList, Words
from tokumei.price.likeness import Likeness

DOUBT = 0.05
"""Votes against any proposal."""
NewWords = Mapping[str, Sequence[str]]
Sources = Mapping[str, Mapping[str, Likeness]]
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

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "score": round(self.score, 4)}


def missing_values(frame: pl.DataFrame, prices: PriceList) -> dict[str, list[str]]:
    """By attribute the values of the data that some pattern has no word for, the frequent first."""
    found: dict[str, list[str]] = {}
    for name, patterns in prices.patterns.items():
        if name not in frame.columns:
            continue
        cells = canonical(frame[name]).alias("cell").drop_nulls().value_counts(sort=True)["cell"]
        missing = [v for v in cells if any(v not in words for words in patterns.values())]
        found |= {name: missing} if missing else {}
    return found


def suggest(prices: PriceList, new: NewWords, sources: Sources) -> list[Suggestion]:
    """A word for every new value in every pattern that lacks it, but for `original`."""
    found = []
    for attribute, values in new.items():
        for pattern, words in prices.patterns[attribute].items():
            lacking = [value for value in values if plain_text(value) not in words]
            if pattern != ORIGINAL and lacking:
                known = shown_words(prices, attribute, words)
                parts = proposed(lacking, known, sources[attribute])
                found += [replace(one, attribute=attribute, pattern=pattern) for one in parts]
    return found


def proposed(
    new: Sequence[str], known: Mapping[str, str], sources: Mapping[str, Likeness]
) -> list[Suggestion]:
    """A word for every new value, by those that known ones have."""
    values, words = [*known], [*dict.fromkeys(known.values())]
    member = np.array([[known[value] == word for word in words] for value in values], dtype=float)
    found = [Suggestion("", "", value, None, 0.0, None, None) for value in new]
    for source, likeness in sources.items():
        alike = likeness(new, values)
        votes = (alike**2) @ member
        scores = votes / (votes.sum(axis=1, keepdims=True) + DOUBT)
        for row, value in enumerate(new):
            best = int(scores[row].argmax())
            if found[row].word is None and scores[row, best] > 0:
                near = values[int((alike[row] * member[:, best]).argmax())]
                score = float(scores[row, best])
                found[row] = Suggestion("", "", value, words[best], score, source, near)
    return found


def shown_words(prices: PriceList, attribute: str, words: Words) -> dict[str, str]:
    """The word of every known value in a pattern, by what the value is called."""
    names = prices.patterns[attribute][ORIGINAL]
    return {names.get(value, value or ""): word for value, word in words.items() if value}


def applied(prices: PriceList, chosen: Sequence[Suggestion]) -> PriceList:
    """The list with words that were proposed; a new value's own word has no price."""
    patterns = {
        name: {pattern: dict(words) for pattern, words in found.items()}
        for name, found in prices.patterns.items()
    }
    own = {name: dict(words) for name, words in prices.prices.items()}
    for one in chosen:
        if one.word is None:
            continue
        key = plain_text(one.value)
        patterns[one.attribute][one.pattern][key] = one.word
        word = patterns[one.attribute][ORIGINAL].setdefault(key, one.value)
        own[one.attribute].setdefault(word, None)
    return replace(prices, patterns=patterns, prices=own)


def as_frame(prices: PriceList) -> pl.DataFrame:
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


COVERAGE = (0.1, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class AbstainPoint:
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
    curve: tuple[AbstainPoint, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def suggestion_trial(
    known: Mapping[str, str],
    sources: Mapping[str, Likeness],
    *,
    hidden: float = 0.2,
    draws: int = 100,
    seed: int | None = None,
) -> SuggestionTrial:
    """Hide a share of the known words, propose their words, and count; many times."""
    count = round(hidden * len(known))
    if not 0 < count < len(known) or draws < 1:
        raise UsageError(
            f"hiding {hidden:.0%} of {len(known)} words leaves nothing to hide or to learn from",
            f"{len(known)} 語のうち {hidden:.0%} を隠すと、隠す語か手がかりの語がなくなります",
        )
    rng = Randomness(seed).child("hidden words")
    outcomes: list[tuple[float, bool]] = []
    usual = 0
    for draw in range(draws):
        order = rng.child(str(draw)).permutation(len(known))
        values = [[*known][place] for place in order]
        rest = {value: known[value] for value in values[count:]}
        found = proposed(values[:count], rest, sources)
        outcomes += [(one.score, one.word == known[one.value]) for one in found]
        common = Counter(rest.values()).most_common(1)[0][0]
        usual += sum(known[value] == common for value in values[:count])
    right = sum(hit for _, hit in outcomes) / len(outcomes)
    return SuggestionTrial(len(outcomes), right, usual / len(outcomes), _curve(outcomes))


def _curve(outcomes: Sequence[tuple[float, bool]]) -> tuple[AbstainPoint, ...]:
    ranked = sorted(outcomes, key=lambda one: -one[0])
    hits = np.cumsum([hit for _, hit in ranked])
    ends = [max(1, round(share * len(ranked))) for share in COVERAGE]
    return tuple(
        AbstainPoint(share, ranked[end - 1][0], float(hits[end - 1] / end))
        for share, end in zip(COVERAGE, ends, strict=True)
    )
