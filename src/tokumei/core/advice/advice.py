"""All candidates of one purpose, the front among them, what was left out, and the budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from tokumei.core.advice.candidate import Candidate
from tokumei.core.advice.purpose import NO_LAW, Purpose, Settings
from tokumei.core.result_table import ShownAsTable
from tokumei.core.sweep import pareto_front
from tokumei.core.text import Text

Wish = Literal["safer", "more detail", "drop", "without suppressed rows"]


@dataclass(frozen=True)
class Skipped:
    """Something that was not tried, or could not be made, and why."""

    what: Text
    why: Text

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**self.what.as_json("what"), **self.why.as_json("why")}


@dataclass(frozen=True)
class Budget:
    """What was allowed and what was used: steps are counted, seconds only stop."""

    seconds: float | None
    steps: int | None
    used: int = 0
    ended: Literal["done", "steps", "seconds", "cancelled"] = "done"

    def words(self) -> Text:
        """Why the search ended."""
        told = {
            "done": Text("nothing was left to try", "試すものがなくなりました"),
            "steps": Text("all steps were used", "手順の上限に達しました"),
            "seconds": Text("the time was over", "時間の上限に達しました"),
            "cancelled": Text("it was stopped", "中止されました"),
        }[self.ended]
        return Text(f"{self.used} steps; {told.en}.", f"{self.used} 手順。{told.ja}。")

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return dict(vars(self))


@dataclass(frozen=True, repr=False)
class Advice(ShownAsTable):
    """Candidates for a purpose, with everything that is to be said of them."""

    purpose: Purpose
    settings: Settings
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]
    budget: Budget
    notes: tuple[Text, ...] = ()

    @property
    def front(self) -> tuple[Candidate, ...]:
        """The candidates that no other one beats, the least loss first."""
        found = (one for one in self.candidates if one.on_front)
        return tuple(sorted(found, key=lambda one: (one.figures.loss, one.id)))

    def __getitem__(self, id: str) -> Candidate:
        return next(one for one in self.candidates if one.id == id)

    def table_rows(self) -> list[dict[str, Any]]:
        """A row per candidate, those that no other one beats first."""
        ordered = sorted(self.candidates, key=lambda one: (not one.on_front, one.figures.loss))
        return [
            {
                "id": one.id,
                "release": one.title,
                "loss": one.figures.loss,
                "people_found": None if one.risk is None else one.risk.people,
                "of": one.figures.people,
                "rows_kept": one.figures.rows_kept,
                "front": one.on_front,
            }
            for one in ordered
        ]

    def as_json(self) -> dict[str, Any]:
        """Plain data; no cell of the source is in it."""
        return {
            "purpose": self.purpose.as_json(),
            "settings": self.settings.as_json(),
            "candidates": [one.as_json() for one in self.candidates],
            "front": [one.id for one in self.front],
            "skipped": [one.as_json() for one in self.skipped],
            "budget": self.budget.as_json(),
            "notes": [{"en": note.en, "ja": note.ja} for note in (*self.notes, NO_LAW)],
        }


def marked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with `on_front` told, among those that were attacked."""
    found = tuple(candidates)
    attacked = [one for one in found if one.risk is not None]
    costs = np.array([[one.figures.loss, one.risk.people] for one in attacked if one.risk])
    kept = pareto_front(costs) if attacked else ()
    best = {one.id for one, best in zip(attacked, kept, strict=True) if best}
    return tuple(replace(one, on_front=one.id in best) for one in found)
