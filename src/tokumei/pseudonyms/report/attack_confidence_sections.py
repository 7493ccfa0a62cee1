"""Sections of the confidence page: abstaining attackers, ROC, calibration."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.core.attack_rates import wilson
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.pseudonyms.confidence_curves import FALSE_RATES, PRECISIONS, ConfidenceCurve
from tokumei.report.curve_page import BuildChart, ChartPanel, FigureCell, FigureGrid, PageSection
from tokumei.report.line_chart import LineChart

MAX_POINTS = 40
AXIS_SHARES = tuple(i / 5 for i in range(6))


def _thin_points(length: int) -> np.ndarray:
    """Places of at most so many points, the first and the last among them."""
    return np.unique(np.linspace(0, length - 1, min(length, MAX_POINTS)).round().astype(int))


def _chart_row(name: str, x: float, y: float, low: float, high: float) -> JsonObject:
    return {"x": x, "y": y, "low": low, "high": high, "en": name, "ja": name, "chosen": False}


def _curve_lines(curves: Sequence[ConfidenceCurve], x: Message, y: Message) -> BuildChart:
    """A line per attack, shares on both axes."""
    attacks = [Message(curve.attack, curve.attack) for curve in curves]
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
    axis = Message("True pairs answered for (coverage)", "回答した割合 (被覆率)")
    panel = ChartPanel(
        "coverage-precision",
        Message("If it answers only when sure", "確信のあるときだけ答える場合"),
        Message(
            "Line chart of the share of right answers against the share answered",
            "回答した割合に対する正答率の折れ線グラフ",
        ),
        rows,
        _curve_lines(curves, axis, Message("Answers that are right", "正しい回答の割合")),
    )
    header = [Message("Attack", "攻撃")]
    header += [Message(f"{p:.0%} right", f"正答率 {p:.0%}") for p in PRECISIONS]
    grid = [
        (
            Message(curve.attack, curve.attack),
            [FigureCell(format_percent(curve.coverage_at(p))) for p in PRECISIONS],
        )
        for curve in curves
    ]
    return PageSection(
        "abstaining",
        Message("Attackers that abstain", "棄権する攻撃者"),
        Message(
            "From left to right the attack answers more and is less sure. The band is the 95 % "
            "interval. The table shows how much it can answer at a precision.",
            "右に行くほど多く答え、確信度は下がります。帯は 95 % 区間です。"
            "表は、各正答率で答えられる割合です。",
        ),
        [panel],
        FigureGrid(Message("Coverage at a precision", "正答率ごとの被覆率"), header, grid),
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
    axis = Message("False pairs taken for true", "真と誤られた偽の組")
    panel = ChartPanel(
        "roc",
        Message("ROC over all pairs", "すべての組の ROC"),
        Message("Line chart of true against false positives", "真陽性率と偽陽性率の折れ線グラフ"),
        rows,
        _curve_lines(curves, axis, Message("True pairs found", "見つかった真の組")),
    )
    header = [Message("Attack", "攻撃"), Message("AUC", "AUC")]
    header += [
        Message(f"Found at {rate:.1%} false", f"偽陽性率 {rate:.1%}") for rate in FALSE_RATES
    ]
    grid = [
        (
            Message(curve.attack, curve.attack),
            [
                FigureCell(f"{curve.auc:.4f}"),
                *(FigureCell(format_percent(curve.found_at(r))) for r in FALSE_RATES),
            ],
        )
        for curve in curves
    ]
    return PageSection(
        "roc-section",
        Message("All pairs by confidence", "確信度による順位"),
        Message(
            "Every customer with every pseudonym of a month, also customers outside the release. "
            "Pairs that the attack never named share the lowest confidence: the end is straight.",
            "公開データに含まれない顧客も含め、全顧客と月ごとの全仮名の組を比べます。"
            "攻撃が挙げなかった組は最低の確信度とするため、終わりは直線になります。",
        ),
        [panel],
        FigureGrid(Message("Ranking", "順位付け"), header, grid),
    )


def calibration_section(curves: Sequence[ConfidenceCurve]) -> PageSection:
    """Confidence against hits."""
    header = [Message("Attack, confidence", "攻撃・確信度"), Message("Answers", "回答")]
    header += [Message("Expected right", "見込み"), Message("Right", "実際の正答率")]
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
            lines.append((Message(name, name), cells))
    return PageSection(
        "calibration",
        Message("Can confidence be trusted?", "確信度は信頼できるか"),
        Message(
            "Of the answers with about the same confidence, how many are right. Calibrated means "
            "that both agree.",
            "同じ程度の確信度の回答のうち、実際に正しいものの割合です。両者が一致すれば較正されています。",
        ),
        (),
        FigureGrid(Message("Calibration", "較正"), header, lines),
    )
