"""Collects everything that the report's template shows.

Attacks × releases have the form of the paper's Table 15: the best attack of every release is
marked; every attack has its mean, standard deviation (of a sample, n − 1) and number of wins. An
attack that ties with the best also wins, as in the paper. (The paper's own deviations are those of
its twelve rates and their mean, over 13.)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from tokumei.core.claims import MAX_LISTED_COLUMNS, describe_claim
from tokumei.core.described import append_params, find_registered, find_title
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.core.releases_folder import PUBLISH_ONLY_ONE
from tokumei.pages.verdict_view import AssessedRelease
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import anonymizers, attackers, claim_checks, measures
from tokumei.tables.report.distributions import ColumnChange
from tokumei.tables.report.hierarchy_tree import hierarchy_pictures
from tokumei.tables.report.row_exposure import find_rare_cells, format_value
from tokumei.tables.report.scorecard import (
    DEFAULT_AXES,
    FigureAxes,
    ScoreRow,
    loss_names,
    scorecard,
    scorecard_columns,
)
from tokumei.tables.report.verdict import (
    build_glossary,
    choose_release,
    describe_verdicts,
    is_safety,
)

MAX_LISTED = 3


@dataclass(frozen=True)
class ShownClaim:
    """A claim in words, and the violations that recomputing it found."""

    text: Message
    faults: tuple[Message, ...]
    more: int

    @property
    def holds(self) -> bool:
        """Whether the claim was verified."""
        return not self.faults


def describe_step(step: Mapping[str, object]) -> Message:
    """One step with its parameters, as its method says it; any other is listed as it stands."""
    method = str(step.get("method", "?"))
    params = {key: value for key, value in step.items() if key != "method"}
    kind = find_registered(anonymizers, method)
    # Another version's parameters must not be filled with defaults. Those by keyword only are left
    # out of a step where they are empty.
    fields = dataclasses.fields(kind) if kind is not None else ()
    if kind is not None and {part.name for part in fields if not part.kw_only} <= {*params}:
        try:
            return anonymizers.build(method, params).done()
        except (AttributeError, TokumeiError):
            pass
    return append_params(Message.verbatim(method), params)


def describe_left_open(step: Mapping[str, object]) -> Message | None:
    """What the method of a step does not protect against; None if it is not known here."""
    return getattr(find_registered(anonymizers, str(step.get("method", "?"))), "leaves_open", None)


def shown_claims(evaluation: Evaluation) -> list[ShownClaim]:
    """Every claim of the release with what verification found."""
    shown = []
    for checked in evaluation.checks:
        faults = tuple(fault.message for fault in checked.faults[:MAX_LISTED])
        claim_text = describe_claim(claim_checks, checked.claim, most=MAX_LISTED_COLUMNS)
        shown.append(ShownClaim(claim_text, faults, len(checked.faults) - len(faults)))
    return shown


def page_context(
    evaluations: Sequence[Evaluation],
    original: Table,
    all_changes: Sequence[Sequence[ColumnChange]],
    axes: FigureAxes = DEFAULT_AXES,
    assessed: Mapping[str, AssessedRelease] = MappingProxyType({}),
) -> dict[str, Any]:
    """The variables of the template."""
    rows = scorecard(evaluations)
    views = [
        _release_view(number, *parts, original)
        for number, parts in enumerate(zip(evaluations, rows, all_changes, strict=True), start=1)
    ]
    rates = [{name: rate.rate for name, rate in item.attacks.items()} for item in evaluations]
    table = build_attack_table([item.label for item in evaluations], rates)
    return {
        "original": original,
        "verdicts": [item.view for item in assessed.values()],
        "headline": describe_verdicts([item.view for item in assessed.values()], len(views)),
        "assessed": list(assessed.values()),
        "chosen": choose_release(evaluations, assessed),
        "one_of_these": PUBLISH_ONLY_ONE if len(views) > 1 else None,
        "views": views,
        "score_columns": [(item.name, item.heading) for item in scorecard_columns(evaluations)],
        "losses": [
            (name, Message("{name} · {title}", name=name, title=find_title(measures, name)))
            for name in loss_names(evaluations, axes)
        ],
        "attacks": table,
        "shown_attack": axes.y,
        "heat": heat_shade,
        "groups": build_glossary(
            dict.fromkeys(name for evaluation in evaluations for name in evaluation.scores),
            (line.attack for line in table.lines),
        ),
        "versions": evaluations[0].release.provenance.as_json(public=True)["versions"],
    }


def heat_shade(rate: float) -> int:
    """A step of shade, 0 to 6, for an attack rate."""
    return sum(rate > step for step in (0.002, 0.01, 0.05, 0.2, 0.5, 0.9))


def _release_view(
    number: int,
    evaluation: Evaluation,
    row: ScoreRow,
    columns: Sequence[ColumnChange],
    original: Table,
) -> dict[str, object]:
    """One release, ready to be shown."""
    steps = evaluation.release.provenance.steps
    figures = [
        figure
        for name, figure in row.figures.items()
        if not getattr(find_registered(measures, name), "for_experts", False)
    ]
    provenance = evaluation.release.provenance.as_json(public=True)
    return {
        "number": number,
        "score": row,
        "methods": [find_title(anonymizers, method) for method in row.methods],
        "steps": [describe_step(step) for step in steps],
        "open": list(dict.fromkeys(item for step in steps if (item := describe_left_open(step)))),
        "claims": shown_claims(evaluation),
        "safety": [figure for figure in figures if is_safety(figure.name)],
        "utility": [figure for figure in figures if not is_safety(figure.name)],
        "columns": list(enumerate(columns)),
        "missing": [(item.column, item.missing) for item in columns if item.missing is not None],
        "exposed": _exposed_rows(evaluation, original),
        "trees": hierarchy_pictures(steps, original),
        "randomness": provenance["randomness"],
    }


def _exposed_rows(evaluation: Evaluation, original: Table) -> list[dict[str, object]]:
    """The exposed rows, each with the reasons and all its published cells."""
    reasons = find_rare_cells(evaluation.exposed, evaluation.case)
    qi = set(original.schema.qi)
    return [
        {
            "row": row,
            "rare": rare,
            "cells": [
                (name, format_value(value), name in qi) for name, value in row.values.items()
            ],
        }
        for row, rare in zip(evaluation.exposed, reasons, strict=True)
    ]


@dataclass(frozen=True)
class AttackLine:
    """One attack: its rate on every release (None: not run), and what they come to."""

    attack: str
    title: Message
    rates: tuple[float | None, ...]
    best: tuple[bool, ...]
    mean: float
    sd: float
    wins: int


@dataclass(frozen=True)
class AttackRateTable:
    """All attacks on all releases."""

    labels: tuple[str, ...]
    lines: tuple[AttackLine, ...]


def build_attack_table(
    labels: Sequence[str], rates: Sequence[Mapping[str, float]]
) -> AttackRateTable:
    """The table of given rates: per release a rate for each attack that was run."""
    highest = [max(release_rates.values(), default=0.0) for release_rates in rates]
    names = dict.fromkeys(name for release_rates in rates for name in release_rates)
    return AttackRateTable(
        tuple(labels),
        tuple(
            _attack_line(name, [release_rates.get(name) for release_rates in rates], highest)
            for name in names
        ),
    )


def _attack_line(name: str, rates: list[float | None], highest: list[float]) -> AttackLine:
    run_rates = np.array([rate for rate in rates if rate is not None])
    # Where nothing is found by any attack, none of them is the best.
    best = tuple(
        rate is not None and rate == top > 0 for rate, top in zip(rates, highest, strict=True)
    )
    sd = float(run_rates.std(ddof=1)) if len(run_rates) > 1 else 0.0
    mean = float(run_rates.mean())
    return AttackLine(name, find_title(attackers, name), tuple(rates), best, mean, sd, sum(best))
