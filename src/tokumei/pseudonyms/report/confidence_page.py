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
from tokumei.pseudonyms.confidence_curves import FALSE_RATES, PRECISIONS, ConfidenceCurve
from tokumei.pseudonyms.report.attack_confidence_sections import (
    abstention_section,
    calibration_section,
    roc_section,
)
from tokumei.report.curve_page import CurvePage, curve_outputs
from tokumei.report.page_parts import Caution, KeyFigure

READING_NOTE = Message(
    "TPR x: share of the true pairs found when a share x of the false ones is taken for true",
    "TPR x: 偽の組の割合 x を真と誤る水準で見つかる、真の組の割合",
)
CAUTIONS = (
    Caution(
        Message("Confidence is about the model", "確信度はモデルに基づく"),
        Message(
            "The attack learns the noise from the release itself. Where a data owner exchanges "
            "people on purpose, it is as sure as ever and wrong.",
            "攻撃は公開データからノイズを学習します。人を意図的に入れ替えた公開データでは、"
            "確信度は高いまま誤ります。",
        ),
    ),
    Caution(
        Message("A small false rate is many people", "小さな偽陽性率でも人数は多い"),
        Message(
            "Negatives are all wrong pairs of a customer and a pseudonym: one in a thousand of "
            "them can be more than all true pairs. Read precision beside it.",
            "偽の組は顧客と仮名のすべての誤った組で、その千分の一でも真の組より多いことがあります。"
            "適合率と併せて読んでください。",
        ),
    ),
)


def curve_tables(curves: Sequence[ConfidenceCurve]) -> list[TextTable | Message]:
    """A line per attack, and one per bin of confidence."""
    header = [Message("attack", "攻撃"), Message("answered", "回答"), Message("right", "正答")]
    header += [Message("expected", "見込み"), Message("precision", "適合率"), Message("AUC", "AUC")]
    header += [Message(f"TPR {rate:g}", f"TPR {rate:g}") for rate in FALSE_RATES]
    first = TextTable(
        Message("What confidence is worth", "確信度の評価"), header, _curve_rows(curves)
    )
    bins = []
    for curve in curves:
        for confidence_bin in curve.bins:
            figures = [
                f"{confidence_bin.answers}",
                f"{confidence_bin.confidence:.3f}",
                f"{confidence_bin.right:.3f}",
            ]
            bins.append([curve.attack, f"{confidence_bin.low:g}–{confidence_bin.high:g}", *figures])
    header = [
        Message("attack", "攻撃"),
        Message("confidence", "確信度"),
        Message("answers", "回答"),
    ]
    header += [Message("mean", "平均"), Message("right", "正答率")]
    return [
        first,
        READING_NOTE,
        TextTable(Message("Calibration", "較正"), header, bins),
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
        f"{curve.positives:,} true pairs of a customer and a pseudonym of a month against "
        f"{curve.negatives:,} false ones; {curve.outside} of {curve.people} customers are not in "
        "the release",
        f"顧客と月ごとの仮名の真の組 {curve.positives:,}、偽の組 {curve.negatives:,}。"
        f"顧客 {curve.people} 人のうち {curve.outside} 人は公開データに含まれません",
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
        title=Message("How sure may an attacker be?", "攻撃者はどれほど確信できるか"),
        headline=_describe_best(best),
        detail=_describe_answers(best),
        facts=describe_pairs(best),
        figures=_key_figures(best),
        sections=[abstention_section(curves), roc_section(curves), calibration_section(curves)],
        cautions=CAUTIONS,
    )


def _describe_best(best: ConfidenceCurve) -> Message:
    share = format_percent(best.coverage_at(PRECISIONS[0]))
    return Message(
        f"{best.attack} names {share} of the true pairs with 99 % of its answers right",
        f"{best.attack} は、回答の 99 % が正しい水準で真の組の {share} を特定する",
    )


def _describe_answers(best: ConfidenceCurve) -> Message:
    return Message(
        f"It answers {best.answers:,} times, expects {best.expected:,.0f} hits and has "
        f"{best.hits:,}. The truth was used for judging only.",
        f"{best.answers:,} 件に答え、見込みは {best.expected:,.0f} 件、実際の正答は "
        f"{best.hits:,} 件です。真の対応は評価にだけ使いました。",
    )


def _key_figures(best: ConfidenceCurve) -> list[KeyFigure]:
    return [
        KeyFigure(
            f"{best.auc:.3f}",
            None,
            Message("area under the ROC (0.5: chance)", "ROC の下の面積 (0.5 は偶然)"),
        ),
        KeyFigure(
            format_percent(best.found_at(FALSE_RATES[0])),
            None,
            Message(
                "of the true pairs at one false pair in 1,000", "偽陽性率 0.1 % で見つかる真の組"
            ),
        ),
        KeyFigure(
            format_percent(1 / best.people),
            None,
            Message("right by a blind guess", "当てずっぽうの正答率"),
        ),
    ]
