"""Everything the page's template shows, gathered from the evaluations.

Attacks × releases have the form of the paper's Table 15: the best attack of every release is
marked; every attack has its mean, standard deviation (of a sample, n − 1) and number of wins. An
attack that ties with the best also wins, as in the paper. (The paper's own deviations are those of
its twelve rates and their mean, over 13.)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.core.claims import MOST_LISTED, claim_words
from tokumei.core.errors import TokumeiError
from tokumei.core.measure import ATTACK_LIMITS
from tokumei.core.recipe import ONE_OF_THESE
from tokumei.core.text import Text
from tokumei.core.words import known, listed, title_of
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import anonymizers, attackers, measures, rules
from tokumei.tables.report.distributions import Change
from tokumei.tables.report.hierarchy_tree import trees_of
from tokumei.tables.report.scorecard import (
    USUAL,
    FigureAxes,
    ScoreRow,
    losses_of,
    scorecard,
    scorecard_columns,
)
from tokumei.tables.report.standing_out import rarities, shown_value
from tokumei.tables.report.verdict import glossary, is_safety, verdict

FAULTS_LISTED = 3


@dataclass(frozen=True)
class ShownClaim:
    """A claim in words, and the violations that recomputing it found."""

    text: Text
    faults: tuple[Text, ...]
    more: int

    @property
    def holds(self) -> bool:
        """Whether the claim was verified."""
        return not self.faults


def step_words(step: Mapping[str, Any]) -> Text:
    """One step with its parameters, as its method says it; any other is listed as it stands."""
    method = str(step.get("method", "?"))
    params = {key: value for key, value in step.items() if key != "method"}
    kind = known(anonymizers, method)
    # Another version's parameters must not be filled with defaults. Those by keyword only are left
    # out of a step where they are empty.
    fields = dataclasses.fields(kind) if kind is not None else ()
    if kind is not None and {part.name for part in fields if not part.kw_only} <= {*params}:
        try:
            return anonymizers.build(method, params).done()
        except (AttributeError, TokumeiError):
            pass
    return listed(Text(method, method), params)


def left_open(step: Mapping[str, Any]) -> Text | None:
    """What the method of a step does not protect against; None if it is not known here."""
    return getattr(known(anonymizers, str(step.get("method", "?"))), "leaves_open", None)


def shown_claims(evaluation: Evaluation) -> list[ShownClaim]:
    """Every claim of the release with what verification found."""
    found = []
    for checked in evaluation.checks:
        faults = tuple(fault.message for fault in checked.faults[:FAULTS_LISTED])
        words = claim_words(rules, checked.claim, most=MOST_LISTED)
        found.append(ShownClaim(words, faults, len(checked.faults) - len(faults)))
    return found


def page_context(
    evaluations: Sequence[Evaluation],
    original: Table,
    found: Sequence[Sequence[Change]],
    axes: FigureAxes = USUAL,
) -> dict[str, Any]:
    """The variables of the template."""
    rows = scorecard(evaluations)
    views = [
        _view(number, *parts, original)
        for number, parts in enumerate(zip(evaluations, rows, found, strict=True), start=1)
    ]
    rates = [{name: rate.rate for name, rate in one.attacks.items()} for one in evaluations]
    table = table_of_rates([one.label for one in evaluations], rates)
    return {
        "original": original,
        "verdict": verdict(rows),
        "one_of_these": ONE_OF_THESE if len(views) > 1 else None,
        "views": views,
        "score_columns": [(one.name, one.heading) for one in scorecard_columns(evaluations)],
        "losses": [(name, title_of(measures, name)) for name in losses_of(evaluations, axes)],
        "attacks": table,
        "shown_attack": axes.y,
        "heat": heat,
        "groups": glossary(
            dict.fromkeys(name for evaluation in evaluations for name in evaluation.scores),
            (line.attack for line in table.lines),
        ),
        "attack_limits": ATTACK_LIMITS,
        "versions": evaluations[0].release.provenance.as_json(public=True)["versions"],
    }


def heat(rate: float) -> int:
    """A step of shade, 0 to 6, for an attack rate."""
    return sum(rate > step for step in (0.002, 0.01, 0.05, 0.2, 0.5, 0.9))


def _view(
    number: int, evaluation: Evaluation, row: ScoreRow, columns: Sequence[Change], original: Table
) -> dict[str, Any]:
    """One release, ready to be shown."""
    steps = evaluation.release.provenance.steps
    figures = [
        figure
        for name, figure in row.figures.items()
        if not getattr(known(measures, name), "for_experts", False)
    ]
    provenance = evaluation.release.provenance.as_json(public=True)
    return {
        "number": number,
        "score": row,
        "methods": [title_of(anonymizers, method) for method in row.methods],
        "steps": [step_words(step) for step in steps],
        "open": list(dict.fromkeys(one for step in steps if (one := left_open(step)))),
        "claims": shown_claims(evaluation),
        "safety": [figure for figure in figures if is_safety(figure.name)],
        "utility": [figure for figure in figures if not is_safety(figure.name)],
        "columns": list(enumerate(columns)),
        "missing": [(one.column, one.missing) for one in columns if one.missing is not None],
        "exposed": _exposed(evaluation, original),
        "trees": trees_of(steps, original),
        "randomness": provenance["randomness"],
    }


def _exposed(evaluation: Evaluation, original: Table) -> list[dict[str, Any]]:
    """The exposed rows, each with the reasons and all its published cells."""
    reasons = rarities(evaluation.exposed, evaluation.case)
    qi = set(original.schema.qi)
    return [
        {
            "row": row,
            "rare": rare,
            "cells": [(name, shown_value(value), name in qi) for name, value in row.values.items()],
        }
        for row, rare in zip(evaluation.exposed, reasons, strict=True)
    ]


@dataclass(frozen=True)
class AttackLine:
    """One attack: its rate on every release (None: not run), and what they come to."""

    attack: str
    title: Text
    rates: tuple[float | None, ...]
    best: tuple[bool, ...]
    mean: float
    sd: float
    wins: int


@dataclass(frozen=True)
class AttackTable:
    """All attacks on all releases."""

    labels: tuple[str, ...]
    lines: tuple[AttackLine, ...]


def table_of_rates(labels: Sequence[str], rates: Sequence[Mapping[str, float]]) -> AttackTable:
    """The table of given rates: per release a rate for each attack that was run."""
    highest = [max(of.values(), default=0.0) for of in rates]
    names = dict.fromkeys(name for of in rates for name in of)
    return AttackTable(
        tuple(labels),
        tuple(_attack_line(name, [of.get(name) for of in rates], highest) for name in names),
    )


def _attack_line(name: str, rates: list[float | None], highest: list[float]) -> AttackLine:
    known = np.array([rate for rate in rates if rate is not None])
    # Where nothing is found by any attack, none of them is the best.
    best = tuple(
        rate is not None and rate == top > 0 for rate, top in zip(rates, highest, strict=True)
    )
    sd = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    mean = float(known.mean())
    return AttackLine(name, title_of(attackers, name), tuple(rates), best, mean, sd, sum(best))
