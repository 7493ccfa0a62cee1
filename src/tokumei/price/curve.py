"""The highest value for every k.

points = value_curve(session, range(2, 51))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from tokumei.core.progress import track
from tokumei.core.text import Text
from tokumei.price.question import Question
from tokumei.price.session import PriceSession


@dataclass(frozen=True)
class CurvePoint:
    """The best answer for one k, and how many words it has."""

    asked_k: int
    words: int
    answer: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"asked_k": self.asked_k, "words": self.words, **self.answer}


def value_curve(
    session: PriceSession, ks: Iterable[int], *, question: Question | None = None
) -> list[CurvePoint]:
    """The best answer for every k that can be reached."""
    points = []
    for k in track(list(ks), Text("k", "k")):
        asked = session.ask(replace(question or Question(), k=k))
        if asked.answers:
            best = asked.best
            told = best.as_json(asked.problem, asked.question)
            points.append(CurvePoint(k, asked.problem.words(best.candidate), told))
    return points
