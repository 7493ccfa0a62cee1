"""Releases for several k, compared: which k is good enough, and what would help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tokumei.core.messages import Message
from tokumei.tables.advice.k_trials import KPoint


@dataclass(frozen=True)
class Remedy:
    """A further step against columns that are released exactly, and the releases with it."""

    name: str
    words: Message
    columns: tuple[str, ...]
    points: tuple[KPoint, ...]


@dataclass(frozen=True)
class Choice:
    """All that is needed to choose k; `advice` says it in words.

    `blamed`: columns that are released exactly, with the share found by whoever knows one beside
    the quasi-identifiers. `without`: the release at the advised k without its heaviest column.
    """

    method: str
    qi: tuple[str, ...]
    points: tuple[KPoint, ...]
    people: int
    counts_people: bool
    max_rate: float
    blamed: dict[str, float] = field(default_factory=dict)
    remedy: Remedy | None = None
    without: tuple[str, KPoint] | None = None

    def good(self, points: Sequence[KPoint] | None = None) -> KPoint | None:
        """The smallest k that keeps the rate of whoever knows everything below the limit."""
        candidate_points = self.points if points is None else points
        return next(
            (point for point in candidate_points if point.by_all.high <= self.max_rate), None
        )

    @property
    def good_for_qi(self) -> KPoint | None:
        """The smallest k that keeps the rate of whoever knows only the QI below the limit."""
        return next((point for point in self.points if point.by_qi.high <= self.max_rate), None)

    @property
    def advised(self) -> KPoint:
        """The release that the advice speaks of."""
        remedied_point = self.good(self.remedy.points) if self.remedy else None
        return self.good() or remedied_point or self.good_for_qi or self.points[-1]

    @property
    def advice(self) -> Message:
        """One paragraph: which k and why, or what has to be done first."""
        from tokumei.tables.advice.choice_summary import describe_choice

        return describe_choice(self)

    @property
    def advice_code(self) -> str:
        """What the advice comes to, for programs."""
        if self.good() is not None:
            return "k-suffices"
        if self.good_for_qi is None:
            return "no-k-suffices"
        is_remedied = self.remedy is not None and self.good(self.remedy.points) is not None
        return "remedy-suffices" if is_remedied else "exact-columns-identify"

    def as_json(self) -> dict[str, object]:
        """Plain data; no cell of the table is in it."""
        safe_point = self.good()
        data: dict[str, object] = {
            "method": self.method,
            "qi": list(self.qi),
            "people": self.people,
            "counted": "people" if self.counts_people else "rows",
            "max_rate": self.max_rate,
            "points": [point.as_json() for point in self.points],
            "k": None if safe_point is None else safe_point.k,
            "exact_columns": self.blamed,
            "advice_code": self.advice_code,
            **self.advice.as_json("advice"),
        }
        if self.remedy is not None:
            points = [point.as_json() for point in self.remedy.points]
            remedied_point = self.good(self.remedy.points)
            data["remedy"] = {
                "step": self.remedy.name,
                "columns": list(self.remedy.columns),
                "points": points,
                "k": None if remedied_point is None else remedied_point.k,
            }
        if self.without is not None:
            data["without"] = {"column": self.without[0], **self.without[1].as_json()}
        return data
