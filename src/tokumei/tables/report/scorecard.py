"""Scorecard: one row per release with steps, utility, safety and a sentence.

rows = scorecard(evaluations)
rows[0].as_json()
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.core.attack_rates import AttackRate
from tokumei.core.described import find_registered
from tokumei.core.formatting import format_number
from tokumei.core.json_types import JsonObject
from tokumei.core.measure import Goal, Level, Score, is_negligible
from tokumei.core.messages import Message
from tokumei.core.sweep import pareto_front
from tokumei.tables.data.column_encoding import joint_codes
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.evaluation_suite import StrongestAttack
from tokumei.tables.measures.losses import InformationLoss
from tokumei.tables.measures.protocol import Measure
from tokumei.tables.registry import anonymizers, measures
from tokumei.tables.report.attack_sentences import (
    PEOPLE_NOUN,
    ROWS_NOUN,
    describe_attack,
    describe_permuted_attack,
    describe_permuted_loss,
    yamaoka_warning,
)

MAIN_LOSS = InformationLoss.name
"""The loss that releases are compared by unless another is asked for."""


@dataclass(frozen=True)
class ScoreFigure:
    """One measure of one release: the score, as it is written, its light and what it says."""

    name: str
    score: Score
    shown: str
    level: Level | None
    reading: Message


@dataclass(frozen=True)
class ScoreRow:
    """One release as a line of the scorecard; attacks found what is `counted`. Nothing secret."""

    label: str
    methods: tuple[str, ...]
    rows: int
    figures: dict[str, ScoreFigure]
    attacks: dict[str, AttackRate]
    strongest: StrongestAttack
    reading: Message
    warnings: tuple[Message, ...]
    faults: int
    front: bool
    counted: Message = ROWS_NOUN

    @property
    def relabelled(self) -> bool:
        """Whether the attack rates rest on a permuted link (Yamaoka) and prove nothing."""
        return any(is_relabelling(method) for method in self.methods)

    def value(self, name: str) -> float | None:
        """A measure's value, None where it was not measured."""
        return self.figures[name].score.value if name in self.figures else None

    def as_json(self) -> dict[str, object]:
        """The row as plain data, in all languages."""
        return {
            "label": self.label,
            "methods": list(self.methods),
            "rows": self.rows,
            "scores": {name: _figure_json(figure) for name, figure in self.figures.items()},
            "attacks": {name: rate.as_json() for name, rate in self.attacks.items()},
            "strongest": {
                **vars(self.strongest),
                **self.reading.as_json("reading"),
            },
            "pareto_front": self.front,
            "faults": self.faults,
            "warnings": [warning.as_json("reading") for warning in self.warnings],
        }


def scorecard(evaluations: Sequence[Evaluation]) -> list[ScoreRow]:
    """The rows of all releases, in order."""
    front = releases_on_front(evaluations, MAIN_LOSS)
    return [
        _score_row(evaluation, is_on_front)
        for evaluation, is_on_front in zip(evaluations, front, strict=True)
    ]


@dataclass(frozen=True)
class FigureAxes:
    """What the utility–safety chart shows: a loss (the main one), an attack (the strongest)."""

    x: str | None = None
    y: str | None = None

    def shown_rate(self, evaluation: Evaluation) -> StrongestAttack | AttackRate:
        """The rate that a release is shown with."""
        return evaluation.strongest if self.y is None else evaluation.attacks[self.y]

    def has_attack(self, evaluation: Evaluation) -> bool:
        """Whether the attack was tried on a release."""
        return self.y is None or self.y in evaluation.attacks


DEFAULT_AXES = FigureAxes()


def releases_on_front(
    evaluations: Sequence[Evaluation], measure: str, axes: FigureAxes = DEFAULT_AXES
) -> list[bool]:
    """Which releases no other beats in both `measure` and the attack shown.

    Releases with a permuted link do not compete: their rate is not comparable.
    """
    comparable = [
        (i, evaluation.scores[measure].value, axes.shown_rate(evaluation).rate)
        for i, evaluation in enumerate(evaluations)
        if not is_relabelled(evaluation)
        and measure in evaluation.scores
        and axes.has_attack(evaluation)
    ]
    is_on_front = [False] * len(evaluations)
    if comparable:
        positions, *figures = zip(*comparable, strict=True)
        for i, best in zip(positions, pareto_front(np.column_stack(figures)), strict=True):
            is_on_front[i] = bool(best)
    return is_on_front


def scorecard_columns(evaluations: Sequence[Evaluation]) -> list[type[Measure]]:
    """The measures of a scorecard that some release has: safety, what is kept, then losses."""
    used = {name for evaluation in evaluations for name in evaluation.scores}
    kinds = (measures.get(name) for name in measures.names() if name in used)
    headed = [kind for kind in kinds if getattr(kind, "heading", None)]
    return sorted(headed, key=lambda kind: (not kind.safety, kind.goal is Goal.MINIMIZE))


def loss_names(evaluations: Sequence[Evaluation], axes: FigureAxes = DEFAULT_AXES) -> list[str]:
    """The losses that the utility–safety chart offers, the chosen or main one first."""
    losses = [
        measure for measure in scorecard_columns(evaluations) if measure.goal is Goal.MINIMIZE
    ]
    return sorted(
        (measure.name for measure in losses), key=lambda name: name != (axes.x or MAIN_LOSS)
    )


def method_names(evaluation: Evaluation) -> tuple[str, ...]:
    """The names of the methods behind a release, in order."""
    return tuple(str(step.get("method", "?")) for step in evaluation.release.provenance.steps)


def is_relabelling(method: str) -> bool:
    """Whether a method changes only who is claimed to be who."""
    return bool(getattr(find_registered(anonymizers, method), "relabels", False))


def is_relabelled(evaluation: Evaluation) -> bool:
    """Whether the link of a release was permuted."""
    return any(is_relabelling(method) for method in method_names(evaluation))


def verbatim_share(evaluation: Evaluation) -> float:
    """Share of the released rows that equal some original row in every QI and SA."""
    case = evaluation.case
    original_codes, released = joint_codes(
        case.original.frame, case.released.frame, [*case.qi, *case.sa]
    )
    return float(np.isin(released, original_codes).mean()) if len(released) else 0.0


def _score_row(evaluation: Evaluation, front: bool) -> ScoreRow:
    methods, strongest = method_names(evaluation), evaluation.strongest
    relabelled = is_relabelled(evaluation)
    counted = ROWS_NOUN if evaluation.case.people is None else PEOPLE_NOUN
    describe = describe_permuted_attack if relabelled else describe_attack
    return ScoreRow(
        label=evaluation.label,
        methods=methods,
        rows=evaluation.release.public.rows,
        figures={name: _score_figure(evaluation, name) for name in evaluation.scores},
        attacks=dict(evaluation.attacks),
        strongest=strongest,
        reading=describe(strongest, counted),
        warnings=(yamaoka_warning(verbatim_share(evaluation)),) if relabelled else (),
        faults=len(evaluation.faults),
        front=front,
        counted=counted,
    )


def _score_figure(evaluation: Evaluation, name: str) -> ScoreFigure:
    score, kind = evaluation.scores[name], find_registered(measures, name)
    if kind is None or not hasattr(kind, "reading"):  # a measure without words of its own
        value = format_number(score.value)
        words = Message("{name}: {value:number}.", name=name, value=score.value)
        return ScoreFigure(name, score, value, None, words)
    scale = kind.scale(evaluation.case, score)
    words = kind.reading(score, scale)
    if name == MAIN_LOSS and is_relabelled(evaluation):
        words = describe_permuted_loss(score)
    shown = "0" if is_negligible(score, scale) else kind.shown(score)
    # How much may be found, the scenario says: a figure about safety has no light of its own.
    level = None if kind.safety else kind.level(score, scale)
    return ScoreFigure(name, score, shown, level, words)


def _figure_json(figure: ScoreFigure) -> JsonObject:
    light = figure.level.value if figure.level else None
    return {**figure.score.as_json(), "level": light, **figure.reading.as_json("reading")}
