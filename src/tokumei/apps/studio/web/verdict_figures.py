"""The figures of a candidate as every page shows them: those of its assessment, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.apps.studio.store.records import AssessmentRecord, CandidateRecord
from tokumei.assessment.verdict import UNIT_WORDS
from tokumei.core.messages import Message
from tokumei.pages.verdict_view import VERDICT_WORDS


@dataclass(frozen=True)
class VerdictFigures:
    """What decides about a candidate; nothing is None but where nothing could be told."""

    verdict: str
    unit: str
    total: int
    kept: float | None
    strongest: Mapping[str, Any] | None
    """The strongest attacker of the scenario."""
    bound: Mapping[str, Any] | None = None
    """Somebody who holds the whole original."""

    @property
    def words(self) -> Message:
        """The verdict in a word or two."""
        return VERDICT_WORDS[self.verdict]

    @property
    def unit_words(self) -> Message:
        """What is counted: people or rows."""
        return UNIT_WORDS[self.unit]

    @property
    def found(self) -> float | None:
        """How many are guessed right by the strongest attacker, on average."""
        return None if self.strongest is None else float(self.strongest["found"])

    @property
    def identified(self) -> float | None:
        """How many the strongest attacker can be sure of."""
        certain = None if self.strongest is None else self.strongest["certain"]
        return None if certain is None else float(certain)

    @property
    def rank(self) -> tuple[float, ...]:
        """Order of preference: what fits and keeps most, else what finds fewest."""
        kept = self.kept or 0.0
        if self.strongest is None:
            return (2.0, 0.0, 0.0)
        strength = (float(self.identified or 0), float(self.found or 0))
        if self.verdict == "fits":
            return (0.0, -kept, *strength)
        return (1.0, *strength, -kept)


def collect_figures(
    candidates: Sequence[CandidateRecord], assessments: Mapping[str, AssessmentRecord]
) -> dict[str, VerdictFigures]:
    """By candidate the figures of those that were assessed."""
    figures = dict[str, VerdictFigures]()
    for candidate in candidates:
        record = assessments.get(candidate["id"])
        if record is not None:
            document = record["document"]
            figures[candidate["id"]] = (
                _unassessed(candidate) if document is None else _from_document(document)
            )
    return figures


def _unassessed(candidate: CandidateRecord) -> VerdictFigures:
    """For a kind of data that has no assessment: what its own attack finds, and no verdict."""
    figures = candidate["figures"]
    estimate = figures[candidate["counted"]]
    strongest = None if estimate is None else {"found": estimate["people"], "certain": None}
    return VerdictFigures("unknown", "people", figures["people"], 1 - figures["loss"], strongest)


def _from_document(document: Mapping[str, Any]) -> VerdictFigures:
    return VerdictFigures(
        document["verdict"],
        document["unit"],
        document["total"],
        document["kept"],
        next(iter(document["attackers"]), None),
        document["bound"],
    )


def preselect(
    candidates: Sequence[CandidateRecord], figures: Mapping[str, VerdictFigures]
) -> CandidateRecord | None:
    """The candidate that fits and keeps most; if none fits, the one in which fewest are found."""
    assessed = [candidate for candidate in candidates if candidate["id"] in figures]
    if assessed:
        return min(assessed, key=lambda candidate: figures[candidate["id"]].rank)
    on_front = [candidate for candidate in candidates if candidate["on_front"]]
    return next(iter(on_front or candidates), None)


def unbeaten(figures: Mapping[str, VerdictFigures]) -> set[str]:
    """The candidates that no other one beats both in people found and in what is kept."""
    costs = {
        id: (entry.found, -entry.kept)
        for id, entry in figures.items()
        if entry.found is not None and entry.kept is not None
    }
    return {
        id
        for id, cost in costs.items()
        if not any(
            other != cost and other[0] <= cost[0] and other[1] <= cost[1]
            for other in costs.values()
        )
    }
