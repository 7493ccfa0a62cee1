"""How often suggestions are right: known words are hidden and proposed again.

    trial = suggestion_trial(known, sources, hidden=0.2, draws=100, seed=1)
    trial.right, trial.majority             # 0.72, 0.27
    trial.curve                             # what is right among the words with the best scores

`majority` is what always naming the most frequent word would reach: the bar for any suggestion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.price.likeness import Likeness
from tokumei.price.suggestions import proposed

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
