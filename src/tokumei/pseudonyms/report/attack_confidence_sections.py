"""Sections of the confidence page: abstaining attackers, ROC, calibration."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.core.attack_rates import wilson
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.pages.curve_page import BuildChart, ChartPanel, FigureCell, FigureGrid, PageSection
from tokumei.pages.line_chart import LineChart
from tokumei.pseudonyms.confidence_curves import FALSE_RATES, PRECISIONS, ConfidenceCurve

MAX_POINTS = 40
AXIS_SHARES = tuple(i / 5 for i in range(6))


def _thin_points(length: int) -> np.ndarray:
    """Places of at most so many points, the first and the last among them."""
    return np.unique(np.linspace(0, length - 1, min(length, MAX_POINTS)).round().astype(int))


def _chart_row(name: str, x: float, y: float, low: float, high: float) -> JsonObject:
    names = Message.verbatim(name).texts()
    return {"x": x, "y": y, "low": low, "high": high, **names, "chosen": False}


def _curve_lines(curves: Sequence[ConfidenceCurve], x: Message, y: Message) -> BuildChart:
    """A line per attack, shares on both axes."""
    attacks = [Message.verbatim(curve.attack) for curve in curves]
    return LineChart(x, y, AXIS_SHARES, attacks, x_format=".0%").build


def abstention_section(curves: Sequence[ConfidenceCurve]) -> PageSection:
    """Precision against coverage."""
    rows = []
    for curve in curves:
        coverage, precision = curve.precision
        for place in _thin_points(len(coverage)) if len(coverage) else ():
            answers = round(coverage[place] * curve.positives)
            low, high = wilson(precision[place] * answers, answers, 0.95)
            rows.append(
                _chart_row(curve.attack, float(coverage[place]), float(precision[place]), low, high)
            )
    axis = Message("True pairs answered for (coverage)")
    panel = ChartPanel(
        "coverage-precision",
        Message("If it answers only when sure"),
        Message("Line chart of the share of right answers against the share answered"),
        rows,
        _curve_lines(curves, axis, Message("Answers that are right")),
    )
    header = [Message("Attack")]
    header += [Message("{precision:percent} right", precision=p) for p in PRECISIONS]
    grid = [
        (
            Message.verbatim(curve.attack),
            [FigureCell(format_percent(curve.coverage_at(p))) for p in PRECISIONS],
        )
        for curve in curves
    ]
    return PageSection(
        "abstaining",
        Message("Attackers that abstain"),
        Message(
            "From left to right the attack answers more and is less sure. The band is the 95 % "
            "interval. The table shows how much it can answer at a precision."
        ),
        [panel],
        FigureGrid(Message("Coverage at a precision"), header, grid),
    )


def roc_section(curves: Sequence[ConfidenceCurve]) -> PageSection:
    """The ROC."""
    rows = []
    for curve in curves:
        false, true = curve.roc
        for place in _thin_points(len(false)):
            rows.append(
                _chart_row(
                    curve.attack, float(false[place]), float(true[place]), *[float(true[place])] * 2
                )
            )
    axis = Message("False pairs taken for true")
    panel = ChartPanel(
        "roc",
        Message("ROC over all pairs"),
        Message("Line chart of true against false positives"),
        rows,
        _curve_lines(curves, axis, Message("True pairs found")),
    )
    header = [Message("Attack"), Message.verbatim("AUC")]
    header += [Message("Found at {rate:percent} false", rate=rate) for rate in FALSE_RATES]
    grid = [
        (
            Message.verbatim(curve.attack),
            [
                FigureCell(f"{curve.auc:.4f}"),
                *(FigureCell(format_percent(curve.found_at(r))) for r in FALSE_RATES),
            ],
        )
        for curve in curves
    ]
    return PageSection(
        "roc-section",
        Message("All pairs by confidence"),
        Message(
            "Every customer with every pseudonym of a month, also customers outside the release. "
            "Pairs that the attack never named share the lowest confidence: the end is straight."
        ),
        [panel],
        FigureGrid(Message("Ranking"), header, grid),
    )


def calibration_section(curves: Sequence[ConfidenceCurve]) -> PageSection:
    """Confidence against hits."""
    header = [Message("Attack, confidence"), Message("Answers")]
    header += [Message("Expected right"), Message("Right")]
    lines = []
    for curve in curves:
        for confidence_bin in curve.bins:
            name = f"{curve.attack} {confidence_bin.low:g}–{confidence_bin.high:g}"
            low, high = wilson(
                confidence_bin.right * confidence_bin.answers, confidence_bin.answers, 0.95
            )
            right = FigureCell(
                format_percent(confidence_bin.right), format_percent_range(low, high)
            )
            cells = [
                FigureCell(f"{confidence_bin.answers:,}"),
                FigureCell(format_percent(confidence_bin.confidence)),
                right,
            ]
            lines.append((Message.verbatim(name), cells))
    return PageSection(
        "calibration",
        Message("Can confidence be trusted?"),
        Message(
            "Of the answers with about the same confidence, how many are right. Calibrated means "
            "that both agree."
        ),
        (),
        FigureGrid(Message("Calibration"), header, lines),
    )
