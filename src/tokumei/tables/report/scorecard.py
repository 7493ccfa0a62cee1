"""One row per release: what was done, what it is worth, how safe it is.

rows = scorecard(evaluations)
rows[0].as_json()
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.core.levels import Level
from tokumei.core.pareto import pareto_front
from tokumei.core.rates import AttackRate
from tokumei.core.score import Score
from tokumei.core.text import Text
from tokumei.tables.data.codes import joint_codes
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.levels import attack_level, level, scale_of
from tokumei.tables.report.reading import (
    attack_reading,
    is_negligible,
    permuted_loss,
    permuted_reading,
    reading,
    yamaoka_warning,
)
from tokumei.tables.suite import Strongest

RELABELLING = "yamaoka"


@dataclass(frozen=True)
class Figure:
    """One measure of one release: the score, its light and what it says."""

    name: str
    score: Score
    level: Level | None
    reading: Text
    negligible: bool = False


@dataclass(frozen=True)
class ScoreRow:
    """One release as a line of the scorecard. Holds nothing secret."""

    label: str
    methods: tuple[str, ...]
    rows: int
    figures: dict[str, Figure]
    attacks: dict[str, AttackRate]
    strongest: Strongest
    level: Level
    reading: Text
    warnings: tuple[Text, ...]
    faults: int
    front: bool

    @property
    def relabelled(self) -> bool:
        """Whether the attack rates rest on a permuted link (Yamaoka) and prove nothing."""
        return RELABELLING in self.methods

    def value(self, name: str) -> float | None:
        """A measure's value, None where it was not measured."""
        return self.figures[name].score.value if name in self.figures else None

    def as_json(self) -> dict[str, Any]:
        """The row as plain data, with both languages."""
        return {
            "label": self.label,
            "methods": list(self.methods),
            "rows": self.rows,
            "scores": {name: _figure_json(figure) for name, figure in self.figures.items()},
            "attacks": {name: rate.as_json() for name, rate in self.attacks.items()},
            "strongest": {
                **vars(self.strongest),
                "level": self.level.value,
                **_both(self.reading),
            },
            "pareto_front": self.front,
            "faults": self.faults,
            "warnings": [_both(warning) for warning in self.warnings],
        }


def scorecard(evaluations: Sequence[Evaluation]) -> list[ScoreRow]:
    """The rows of all releases, in order."""
    front = front_of(evaluations, "U5")
    return [_row(evaluation, on) for evaluation, on in zip(evaluations, front, strict=True)]


def front_of(evaluations: Sequence[Evaluation], measure: str) -> list[bool]:
    """Which releases no other beats in both `measure` and the strongest attack.

    Releases with a permuted link do not compete: their rate is not comparable.
    """
    fair = [
        i
        for i, evaluation in enumerate(evaluations)
        if RELABELLING not in methods_of(evaluation) and measure in evaluation.scores
    ]
    on = [False] * len(evaluations)
    if fair:
        loss = [evaluations[i].scores[measure].value for i in fair]
        rate = [evaluations[i].strongest.rate for i in fair]
        for i, best in zip(fair, pareto_front(np.column_stack([loss, rate])), strict=True):
            on[i] = bool(best)
    return on


def methods_of(evaluation: Evaluation) -> tuple[str, ...]:
    """The names of the methods behind a release, in order."""
    return tuple(str(step.get("method", "?")) for step in evaluation.release.provenance.steps)


def verbatim_share(evaluation: Evaluation) -> float:
    """Share of the released rows that equal some original row in every QI and SA."""
    case = evaluation.case
    known, released = joint_codes(case.original.frame, case.released.frame, [*case.qi, *case.sa])
    return float(np.isin(released, known).mean()) if len(released) else 0.0


def _row(evaluation: Evaluation, front: bool) -> ScoreRow:
    methods, strongest = methods_of(evaluation), evaluation.strongest
    relabelled = RELABELLING in methods
    return ScoreRow(
        label=evaluation.label,
        methods=methods,
        rows=evaluation.release.public.rows,
        figures={name: _figure(evaluation, name) for name in evaluation.scores},
        attacks=dict(evaluation.attacks),
        strongest=strongest,
        level=Level.BAD if relabelled else attack_level(strongest),
        reading=permuted_reading(strongest) if relabelled else attack_reading(strongest),
        warnings=(yamaoka_warning(verbatim_share(evaluation)),) if relabelled else (),
        faults=len(evaluation.faults),
        front=front,
    )


def _figure(evaluation: Evaluation, name: str) -> Figure:
    score = evaluation.scores[name]
    scale = scale_of(name, evaluation.case, score)
    words = reading(name, score, scale=scale)
    if name == "U5" and RELABELLING in methods_of(evaluation):
        words = permuted_loss(score)
    light = level(name, score, scale=scale)
    return Figure(name, score, light, words, is_negligible(score, scale))


def _figure_json(figure: Figure) -> dict[str, Any]:
    light = figure.level.value if figure.level else None
    return {**figure.score.as_json(), "level": light, **_both(figure.reading)}


def _both(text: Text) -> dict[str, str]:
    return {"reading_en": text.en, "reading_ja": text.ja}
