"""The result of an advice: candidates, Pareto front, skipped proposals, budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tokumei.core.advice.candidate import Candidate
from tokumei.core.advice.purpose import NO_LEGAL_ADVICE, Purpose, Settings
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.result_table import ShownAsTable
from tokumei.core.sweep import pareto_front

Wish = Literal["safer", "more detail", "drop", "without suppressed rows"]


@dataclass(frozen=True)
class Skipped:
    """Something that was not tried, or could not be made, and why.

    `code`: "same-result", or the error that says why it could not be made.
    """

    what: Message
    why: Message
    code: str

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {"code": self.code, **self.what.as_json("what"), **self.why.as_json("why")}


@dataclass(frozen=True)
class Budget:
    """The allowed and the used budget: steps are counted, seconds only stop the search."""

    seconds: float | None
    steps: int | None
    used: int = 0
    ended: Literal["done", "steps", "seconds", "cancelled"] = "done"

    def words(self) -> Message:
        """Why the search ended."""
        end_reason = {
            "done": Message("nothing was left to try"),
            "steps": Message("all steps were used"),
            "seconds": Message("the time was up"),
            "cancelled": Message("it was stopped"),
        }[self.ended]
        return Message(
            "{count} step; {end_reason}.",
            plural="{count:,} steps; {end_reason}.",
            count=self.used,
            end_reason=end_reason,
        )

    def as_json(self) -> JsonObject:
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
    notes: tuple[Message, ...] = ()

    @property
    def front(self) -> tuple[Candidate, ...]:
        """The candidates that no other one beats, the least loss first."""
        on_front = (candidate for candidate in self.candidates if candidate.on_front)
        return tuple(sorted(on_front, key=lambda candidate: (candidate.figures.loss, candidate.id)))

    def __getitem__(self, id: str) -> Candidate:
        return next(candidate for candidate in self.candidates if candidate.id == id)

    def table_rows(self) -> list[dict[str, object]]:
        """A row per candidate, those that no other one beats first."""
        ranks = {item.id: (not item.on_front, item.figures.loss) for item in self.candidates}
        return [
            {
                "id": candidate.id,
                "release": candidate.title,
                "loss": candidate.figures.loss,
                "people_found": None if candidate.risk is None else candidate.risk.people,
                "of": candidate.figures.people,
                "rows_kept": candidate.figures.rows_kept,
                "front": candidate.on_front,
            }
            for candidate in sorted(self.candidates, key=lambda candidate: ranks[candidate.id])
        ]

    def as_json(self) -> JsonObject:
        """Plain data; no cell of the source is in it."""
        return {
            "purpose": self.purpose.as_json(),
            "settings": self.settings.as_json(),
            "candidates": [item.as_json() for item in self.candidates],
            "front": [item.id for item in self.front],
            "skipped": [item.as_json() for item in self.skipped],
            "budget": self.budget.as_json(),
            "notes": [{**note.texts()} for note in (*self.notes, NO_LEGAL_ADVICE)],
        }


def mark_pareto_front(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with `on_front` set, among those that were attacked."""
    all_candidates = tuple(candidates)
    attacked = [candidate for candidate in all_candidates if candidate.risk is not None]
    costs = np.array(
        [
            [candidate.figures.loss, candidate.risk.people]
            for candidate in attacked
            if candidate.risk
        ]
    )
    front_mask = pareto_front(costs) if attacked else ()
    front_ids = {
        candidate.id for candidate, front_ids in zip(attacked, front_mask, strict=True) if front_ids
    }
    return tuple(
        replace(candidate, on_front=candidate.id in front_ids) for candidate in all_candidates
    )
