"""The parts of the page about confidence: attackers that abstain, the ROC, calibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.core.figures import percent, percent_range
from tokumei.core.rates import wilson
from tokumei.core.text import Text
from tokumei.pseudonyms.confidence import FALSE_RATES, PRECISIONS, ConfidenceCurve
from tokumei.report.curve_page import Build, Cell, Grid, Panel, Section
from tokumei.report.lines import Lines

MOST_POINTS = 40
SHARES = tuple(i / 5 for i in range(6))


def _some(length: int) -> np.ndarray:
    """Places of at most so many points, the first and the last among them."""
    return np.unique(np.linspace(0, length - 1, min(length, MOST_POINTS)).round().astype(int))


def _row(name: str, x: float, y: float, low: float, high: float) -> dict[str, Any]:
    return {"x": x, "y": y, "low": low, "high": high, "en": name, "ja": name, "chosen": False}


def _lines(curves: Sequence[ConfidenceCurve], x: Text, y: Text) -> Build:
    """A line per attack, shares on both axes."""
    attacks = [Text(one.attack, one.attack) for one in curves]
    return Lines(x, y, SHARES, attacks, x_format=".0%").build


def abstaining(curves: Sequence[ConfidenceCurve]) -> Section:
    """Precision against coverage."""
    rows = []
    for one in curves:
        coverage, precision = one.precision
        for at in _some(len(coverage)) if len(coverage) else ():
            answers = round(coverage[at] * one.positives)
            low, high = wilson(precision[at] * answers, answers, 0.95)
            rows.append(_row(one.attack, float(coverage[at]), float(precision[at]), low, high))
    axis = Text("True pairs answered for (coverage)", "回答した割合 (被覆率)")
    panel = Panel(
        "coverage-precision",
        Text("If it answers only when sure", "確信のあるときだけ答える場合"),
        Text(
            "Line chart of the share of right answers against the share answered",
            "回答した割合に対する正答率の折れ線グラフ",
        ),
        rows,
        _lines(curves, axis, Text("Answers that are right", "正しい回答の割合")),
    )
    header = [Text("Attack", "攻撃")]
    header += [Text(f"{p:.0%} right", f"正答率 {p:.0%}") for p in PRECISIONS]
    grid = [
        (Text(one.attack, one.attack), [Cell(percent(one.coverage_at(p))) for p in PRECISIONS])
        for one in curves
    ]
    return Section(
        "abstaining",
        Text("Attackers that abstain", "棄権する攻撃者"),
        Text(
            "From left to right the attack answers more and is less sure. The band is the 95 % "
            "interval. The table shows how much it can answer at a precision.",
            "右に行くほど多く答え、確信度は下がります。帯は 95 % 区間です。"
            "表は、各正答率で答えられる割合です。",
        ),
        [panel],
        Grid(Text("Coverage at a precision", "正答率ごとの被覆率"), header, grid),
    )


def ranking(curves: Sequence[ConfidenceCurve]) -> Section:
    """The ROC."""
    rows = []
    for one in curves:
        false, true = one.roc
        for at in _some(len(false)):
            rows.append(_row(one.attack, float(false[at]), float(true[at]), *[float(true[at])] * 2))
    axis = Text("False pairs taken for true", "真と誤られた偽の組")
    panel = Panel(
        "roc",
        Text("ROC over all pairs", "すべての組の ROC"),
        Text("Line chart of true against false positives", "真陽性率と偽陽性率の折れ線グラフ"),
        rows,
        _lines(curves, axis, Text("True pairs found", "見つかった真の組")),
    )
    header = [Text("Attack", "攻撃"), Text("AUC", "AUC")]
    header += [Text(f"Found at {rate:.1%} false", f"偽陽性率 {rate:.1%}") for rate in FALSE_RATES]
    grid = [
        (
            Text(one.attack, one.attack),
            [Cell(f"{one.auc:.4f}"), *(Cell(percent(one.found_at(r))) for r in FALSE_RATES)],
        )
        for one in curves
    ]
    return Section(
        "roc-section",
        Text("All pairs by confidence", "確信度による順位"),
        Text(
            "Every customer with every pseudonym of a month, also customers outside the release. "
            "Pairs that the attack never named share the lowest confidence: the end is straight.",
            "公開データに含まれない顧客も含め、全顧客と月ごとの全仮名の組を比べます。"
            "攻撃が挙げなかった組は最低の確信度とするため、終わりは直線になります。",
        ),
        [panel],
        Grid(Text("Ranking", "順位付け"), header, grid),
    )


def calibration(curves: Sequence[ConfidenceCurve]) -> Section:
    """Confidence against hits."""
    header = [Text("Attack, confidence", "攻撃・確信度"), Text("Answers", "回答")]
    header += [Text("Expected right", "見込み"), Text("Right", "実際の正答率")]
    lines = []
    for one in curves:
        for b in one.bins:
            name = f"{one.attack} {b.low:g}–{b.high:g}"
            low, high = wilson(b.right * b.answers, b.answers, 0.95)
            right = Cell(percent(b.right), percent_range(low, high))
            cells = [Cell(f"{b.answers:,}"), Cell(percent(b.confidence)), right]
            lines.append((Text(name, name), cells))
    return Section(
        "calibration",
        Text("Can confidence be trusted?", "確信度は信頼できるか"),
        Text(
            "Of the answers with about the same confidence, how many are right. Calibrated means "
            "that both agree.",
            "同じ程度の確信度の回答のうち、実際に正しいものの割合です。両者が一致すれば較正されています。",
        ),
        (),
        Grid(Text("Calibration", "較正"), header, lines),
    )
