"""Writes the report on the confidence of attacks: tables, figures, charts, page.

write_all(confidence_outputs(curves, "out"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.core.command import TextTable
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.pages.curve_page import CurvePage, curve_outputs
from tokumei.pages.page_parts import Caution, KeyFigure
from tokumei.pseudonyms.confidence_curves import FALSE_RATES, PRECISIONS, ConfidenceCurve
from tokumei.pseudonyms.report.attack_confidence_sections import (
    abstention_section,
    calibration_section,
    roc_section,
)

READING_NOTE = Message(
    "TPR x: share of the true pairs found when a share x of the false ones is taken for true"
)
CAUTIONS = (
    Caution(
        Message("Confidence rests on a model"),
        Message(
            "The attack learns the noise from the release itself. Where a data owner exchanges "
            "people on purpose, it is as sure as ever and wrong."
        ),
    ),
    Caution(
        Message("A small false rate is many people"),
        Message(
            "Negatives are all wrong pairs of a customer and a pseudonym: one in a thousand of "
            "them can be more than all true pairs. Read precision beside it."
        ),
    ),
)


def curve_tables(curves: Sequence[ConfidenceCurve]) -> list[TextTable | Message]:
    """A line per attack, and one per bin of confidence."""
    header = [Message("attack"), Message("answered"), Message("right", context="a number")]
    header += [Message("expected"), Message("precision"), Message.verbatim("AUC")]
    header += [Message.verbatim(f"TPR {rate:g}") for rate in FALSE_RATES]
    first = TextTable(Message("What confidence is worth"), header, _curve_rows(curves))
    bins = []
    for curve in curves:
        for confidence_bin in curve.bins:
            figures = [
                f"{confidence_bin.answers}",
                f"{confidence_bin.confidence:.3f}",
                f"{confidence_bin.right:.3f}",
            ]
            bins.append([curve.attack, f"{confidence_bin.low:g}–{confidence_bin.high:g}", *figures])
    header = [Message("attack"), Message("confidence"), Message("answers")]
    header += [Message("mean"), Message("right", context="a share")]
    return [
        first,
        READING_NOTE,
        TextTable(Message("Calibration"), header, bins),
        describe_pairs(curves[0]),
    ]


def _curve_rows(curves: Sequence[ConfidenceCurve]) -> list[list[str]]:
    rows = []
    for curve in curves:
        precision = f"{curve.hits / curve.answers:.4f}" if curve.answers else "–"
        found_rates = [f"{curve.found_at(rate):.4f}" for rate in FALSE_RATES]
        counts = [f"{curve.answers}", f"{curve.hits}", f"{curve.expected:.0f}"]
        rows.append([curve.attack, *counts, precision, f"{curve.auc:.4f}", *found_rates])
    return rows


def describe_pairs(curve: ConfidenceCurve) -> Message:
    """Which pairs were compared."""
    return Message(
        "{positives:,} true pairs of a customer and a pseudonym of a month against {negatives:,} "
        "false ones; {outside} of {people} customers are not in the release",
        positives=curve.positives,
        negatives=curve.negatives,
        outside=curve.outside,
        people=curve.people,
    )


def confidence_outputs(curves: Sequence[ConfidenceCurve], folder: str | Path) -> list[Output]:
    """curve.csv, curve.json, a picture per chart and report.html, not yet written."""
    rows = [row for curve in curves for row in _curve_points(curve)]
    schema = ["attack", "answered", "hits", "coverage", "precision", "false_rate", "true_rate"]
    figures, curves_json = (
        pl.DataFrame(rows, schema=schema, orient="row"),
        [c.as_json() for c in curves],
    )
    return curve_outputs("curve", figures, {"curves": curves_json}, curve_page(curves), folder)


def _curve_points(curve: ConfidenceCurve) -> list[tuple[str | float | None, ...]]:
    rows: list[tuple[str | float | None, ...]] = []
    for n, hits, false, true in zip(*curve.steps, *curve.roc, strict=False):
        coverage, precision = float(n / max(curve.positives, 1)), float(hits / n) if n else None
        counts = (curve.attack, int(n), int(hits))
        rows.append((*counts, coverage, precision, float(false), float(true)))
    return rows


def curve_page(curves: Sequence[ConfidenceCurve]) -> CurvePage:
    """The page: how good the surest answers are, the ROC, and whether confidence can be trusted."""
    best = max(curves, key=lambda curve: curve.auc)
    return CurvePage(
        title=Message("How sure may an attacker be?"),
        headline=_describe_best(best),
        detail=_describe_answers(best),
        facts=describe_pairs(best),
        figures=_key_figures(best),
        sections=[abstention_section(curves), roc_section(curves), calibration_section(curves)],
        cautions=CAUTIONS,
    )


def _describe_best(best: ConfidenceCurve) -> Message:
    return Message(
        "{attack} names {share:percent} of the true pairs with 99 % of its answers right",
        attack=best.attack,
        share=best.coverage_at(PRECISIONS[0]),
    )


def _describe_answers(best: ConfidenceCurve) -> Message:
    return Message(
        "It answers {answers:,} times, expects {expected:,.0f} hits and has {hits:,}. The truth "
        "was used for judging only.",
        answers=best.answers,
        expected=best.expected,
        hits=best.hits,
    )


def _key_figures(best: ConfidenceCurve) -> list[KeyFigure]:
    return [
        KeyFigure(f"{best.auc:.3f}", None, Message("area under the ROC (0.5: chance)")),
        KeyFigure(
            format_percent(best.found_at(FALSE_RATES[0])),
            None,
            Message("of the true pairs at one false pair in 1,000"),
        ),
        KeyFigure(format_percent(1 / best.people), None, Message("right by a blind guess")),
    ]
