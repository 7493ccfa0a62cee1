"""What attacks' confidence is worth, told: tables, figures, pictures and page.

write_all(confidence_outputs(curves, "out"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from tokumei.core.ask import Listing
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.files.atomic import Output
from tokumei.pseudonyms.confidence import FALSE_RATES, PRECISIONS, ConfidenceCurve
from tokumei.pseudonyms.report.confidence_sections import abstaining, calibration, ranking
from tokumei.report.curve_page import CurvePage, curve_outputs
from tokumei.report.words import Caution, KeyFigure

READ_SO = Text(
    "TPR x: share of the true pairs found when a share x of the false ones is taken for true",
    "TPR x: 偽の組の割合 x を真と誤る水準で見つかる、真の組の割合",
)
CAUTIONS = (
    Caution(
        Text("Confidence is about the model", "確信度はモデルに基づく"),
        Text(
            "The attack learns the noise from the release itself. Where a data owner exchanges "
            "people on purpose, it is as sure as ever and wrong.",
            "攻撃は公開データからノイズを学習します。人を意図的に入れ替えた公開データでは、"
            "確信度は高いまま誤ります。",
        ),
    ),
    Caution(
        Text("A small false rate is many people", "小さな偽陽性率でも人数は多い"),
        Text(
            "Negatives are all wrong pairs of a customer and a pseudonym: one in a thousand of "
            "them can be more than all true pairs. Read precision beside it.",
            "偽の組は顧客と仮名のすべての誤った組で、その千分の一でも真の組より多いことがあります。"
            "適合率と併せて読んでください。",
        ),
    ),
)


def curve_listings(curves: Sequence[ConfidenceCurve]) -> list[Listing | Text]:
    """A line per attack, and one per bin of confidence."""
    header = [Text("attack", "攻撃"), Text("answered", "回答"), Text("right", "正答")]
    header += [Text("expected", "見込み"), Text("precision", "適合率"), Text("AUC", "AUC")]
    header += [Text(f"TPR {rate:g}", f"TPR {rate:g}") for rate in FALSE_RATES]
    first = Listing(Text("What confidence is worth", "確信度の評価"), header, _lines(curves))
    bins = []
    for one in curves:
        for b in one.bins:
            figures = [f"{b.answers}", f"{b.confidence:.3f}", f"{b.right:.3f}"]
            bins.append([one.attack, f"{b.low:g}–{b.high:g}", *figures])
    header = [Text("attack", "攻撃"), Text("confidence", "確信度"), Text("answers", "回答")]
    header += [Text("mean", "平均"), Text("right", "正答率")]
    return [
        first,
        READ_SO,
        Listing(Text("Calibration", "較正"), header, bins),
        pairs_text(curves[0]),
    ]


def _lines(curves: Sequence[ConfidenceCurve]) -> list[list[str]]:
    rows = []
    for one in curves:
        precision = f"{one.hits / one.answers:.4f}" if one.answers else "–"
        found = [f"{one.found_at(rate):.4f}" for rate in FALSE_RATES]
        counts = [f"{one.answers}", f"{one.hits}", f"{one.expected:.0f}"]
        rows.append([one.attack, *counts, precision, f"{one.auc:.4f}", *found])
    return rows


def pairs_text(curve: ConfidenceCurve) -> Text:
    """Which pairs were compared."""
    return Text(
        f"{curve.positives:,} true pairs of a customer and a pseudonym of a month against "
        f"{curve.negatives:,} false ones; {curve.outside} of {curve.people} customers are not in "
        "the release",
        f"顧客と月ごとの仮名の真の組 {curve.positives:,}、偽の組 {curve.negatives:,}。"
        f"顧客 {curve.people} 人のうち {curve.outside} 人は公開データに含まれません",
    )


def confidence_outputs(curves: Sequence[ConfidenceCurve], folder: str | Path) -> list[Output]:
    """curve.csv, curve.json, a picture per chart and report.html, not yet written."""
    rows = [row for one in curves for row in _points(one)]
    schema = ["attack", "answered", "hits", "coverage", "precision", "false_rate", "true_rate"]
    figures, told = pl.DataFrame(rows, schema=schema, orient="row"), [c.as_json() for c in curves]
    return curve_outputs("curve", figures, {"curves": told}, curve_page(curves), folder)


def _points(curve: ConfidenceCurve) -> list[tuple[Any, ...]]:
    rows = []
    for n, hits, false, true in zip(*curve.steps, *curve.roc, strict=False):
        coverage, precision = float(n / max(curve.positives, 1)), float(hits / n) if n else None
        counts = (curve.attack, int(n), int(hits))
        rows.append((*counts, coverage, precision, float(false), float(true)))
    return rows


def curve_page(curves: Sequence[ConfidenceCurve]) -> CurvePage:
    """The page: how good the surest answers are, the ROC, and whether confidence can be trusted."""
    best = max(curves, key=lambda one: one.auc)
    return CurvePage(
        title=Text("How sure may an attacker be?", "攻撃者はどれほど確信できるか"),
        headline=_headline(best),
        detail=_detail(best),
        facts=pairs_text(best),
        figures=_figures(best),
        sections=[abstaining(curves), ranking(curves), calibration(curves)],
        cautions=CAUTIONS,
    )


def _headline(best: ConfidenceCurve) -> Text:
    share = percent(best.coverage_at(PRECISIONS[0]))
    return Text(
        f"{best.attack} names {share} of the true pairs with 99 % of its answers right",
        f"{best.attack} は、回答の 99 % が正しい水準で真の組の {share} を特定する",
    )


def _detail(best: ConfidenceCurve) -> Text:
    return Text(
        f"It answers {best.answers:,} times, expects {best.expected:,.0f} hits and has "
        f"{best.hits:,}. The truth was used for judging only.",
        f"{best.answers:,} 件に答え、見込みは {best.expected:,.0f} 件、実際の正答は "
        f"{best.hits:,} 件です。真の対応は評価にだけ使いました。",
    )


def _figures(best: ConfidenceCurve) -> list[KeyFigure]:
    return [
        KeyFigure(
            f"{best.auc:.3f}",
            None,
            Text("area under the ROC (0.5: chance)", "ROC の下の面積 (0.5 は偶然)"),
        ),
        KeyFigure(
            percent(best.found_at(FALSE_RATES[0])),
            None,
            Text("of the true pairs at one false pair in 1,000", "偽陽性率 0.1 % で見つかる真の組"),
        ),
        KeyFigure(
            percent(1 / best.people), None, Text("right by a blind guess", "当てずっぽうの正答率")
        ),
    ]
