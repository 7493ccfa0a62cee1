"""One row per release: what was done, what it is worth, how safe it is, and that in plain words.

rows = scorecard(evaluations)
rows[0].as_json()
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.core.figures import plain
from tokumei.core.measure import ATTACK_LIMITS, Goal, Level, Score, is_negligible
from tokumei.core.rates import AttackRate
from tokumei.core.sweep import pareto_front
from tokumei.core.text import Text
from tokumei.core.words import known
from tokumei.tables.data.codes import joint_codes
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.measures.losses import InformationLoss
from tokumei.tables.measures.protocol import Measure
from tokumei.tables.registry import anonymizers, measures
from tokumei.tables.report.readings import (
    PEOPLE,
    ROWS,
    attack_reading,
    permuted_loss,
    permuted_reading,
    yamaoka_warning,
)
from tokumei.tables.suite import Strongest

MAIN_LOSS = InformationLoss.name
"""The loss that releases are compared by unless another is asked for."""


@dataclass(frozen=True)
class Figure:
    """One measure of one release: the score, as it is written, its light and what it says."""

    name: str
    score: Score
    shown: str
    level: Level | None
    reading: Text


@dataclass(frozen=True)
class ScoreRow:
    """One release as a line of the scorecard; attacks found what is `counted`. Nothing secret."""

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
    counted: Text = ROWS

    @property
    def relabelled(self) -> bool:
        """Whether the attack rates rest on a permuted link (Yamaoka) and prove nothing."""
        return any(relabels(method) for method in self.methods)

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
            "strongest": {**vars(self.strongest), "level": self.level.value, **_both(self.reading)},
            "pareto_front": self.front,
            "faults": self.faults,
            "warnings": [_both(warning) for warning in self.warnings],
        }


def scorecard(evaluations: Sequence[Evaluation]) -> list[ScoreRow]:
    """The rows of all releases, in order."""
    front = front_of(evaluations, MAIN_LOSS)
    return [_row(evaluation, on) for evaluation, on in zip(evaluations, front, strict=True)]


@dataclass(frozen=True)
class FigureAxes:
    """What the utility–safety chart shows: a loss (the main one), an attack (the strongest)."""

    x: str | None = None
    y: str | None = None

    def rate(self, evaluation: Evaluation) -> Strongest | AttackRate:
        """The rate that a release is shown with."""
        return evaluation.strongest if self.y is None else evaluation.attacks[self.y]

    def has(self, evaluation: Evaluation) -> bool:
        """Whether the attack was tried on a release."""
        return self.y is None or self.y in evaluation.attacks


USUAL = FigureAxes()


def front_of(
    evaluations: Sequence[Evaluation], measure: str, axes: FigureAxes = USUAL
) -> list[bool]:
    """Which releases no other beats in both `measure` and the attack shown.

    Releases with a permuted link do not compete: their rate is not comparable.
    """
    fair = [
        (i, one.scores[measure].value, axes.rate(one).rate)
        for i, one in enumerate(evaluations)
        if not is_relabelled(one) and measure in one.scores and axes.has(one)
    ]
    on = [False] * len(evaluations)
    if fair:
        places, *figures = zip(*fair, strict=True)
        for i, best in zip(places, pareto_front(np.column_stack(figures)), strict=True):
            on[i] = bool(best)
    return on


def scorecard_columns(evaluations: Sequence[Evaluation]) -> list[type[Measure]]:
    """The measures of a scorecard that some release has: safety, what is kept, then losses."""
    used = {name for evaluation in evaluations for name in evaluation.scores}
    kinds = (measures.get(name) for name in measures.names() if name in used)
    headed = [kind for kind in kinds if getattr(kind, "heading", None)]
    return sorted(headed, key=lambda kind: (not kind.safety, kind.goal is Goal.MINIMIZE))


def losses_of(evaluations: Sequence[Evaluation], axes: FigureAxes = USUAL) -> list[str]:
    """The losses that the utility–safety chart offers, the chosen or main one first."""
    losses = [one for one in scorecard_columns(evaluations) if one.goal is Goal.MINIMIZE]
    return sorted((one.name for one in losses), key=lambda name: name != (axes.x or MAIN_LOSS))


def methods_of(evaluation: Evaluation) -> tuple[str, ...]:
    """The names of the methods behind a release, in order."""
    return tuple(str(step.get("method", "?")) for step in evaluation.release.provenance.steps)


def relabels(method: str) -> bool:
    """Whether a method changes only who is claimed to be who."""
    return bool(getattr(known(anonymizers, method), "relabels", False))


def is_relabelled(evaluation: Evaluation) -> bool:
    """Whether the link of a release was permuted."""
    return any(relabels(method) for method in methods_of(evaluation))


def verbatim_share(evaluation: Evaluation) -> float:
    """Share of the released rows that equal some original row in every QI and SA."""
    case = evaluation.case
    known, released = joint_codes(case.original.frame, case.released.frame, [*case.qi, *case.sa])
    return float(np.isin(released, known).mean()) if len(released) else 0.0


def _row(evaluation: Evaluation, front: bool) -> ScoreRow:
    methods, strongest = methods_of(evaluation), evaluation.strongest
    relabelled = is_relabelled(evaluation)
    counted = ROWS if evaluation.case.people is None else PEOPLE
    told = permuted_reading if relabelled else attack_reading
    return ScoreRow(
        label=evaluation.label,
        methods=methods,
        rows=evaluation.release.public.rows,
        figures={name: _figure(evaluation, name) for name in evaluation.scores},
        attacks=dict(evaluation.attacks),
        strongest=strongest,
        level=Level.BAD if relabelled else ATTACK_LIMITS.level(strongest.high),
        reading=told(strongest, counted),
        warnings=(yamaoka_warning(verbatim_share(evaluation)),) if relabelled else (),
        faults=len(evaluation.faults),
        front=front,
        counted=counted,
    )


def _figure(evaluation: Evaluation, name: str) -> Figure:
    score, kind = evaluation.scores[name], known(measures, name)
    if kind is None or not hasattr(kind, "reading"):  # a measure without words of its own
        value = plain(score.value)
        return Figure(name, score, value, None, Text(f"{name}: {value}.", f"{name}: {value}"))
    scale = kind.scale(evaluation.case, score)
    words = kind.reading(score, scale)
    if name == MAIN_LOSS and is_relabelled(evaluation):
        words = permuted_loss(score)
    shown = "0" if is_negligible(score, scale) else kind.shown(score)
    return Figure(name, score, shown, kind.level(score, scale), words)


def _figure_json(figure: Figure) -> dict[str, Any]:
    light = figure.level.value if figure.level else None
    return {**figure.score.as_json(), "level": light, **_both(figure.reading)}


def _both(text: Text) -> dict[str, str]:
    return {"reading_en": text.en, "reading_ja": text.ja}
