"""Texts of a history's page: formulas, uses and cautions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.core.described import find_registered
from tokumei.core.measure import Level
from tokumei.core.messages import Message
from tokumei.histories.measures.losses import LOSS_PARTS, HistoryRowsKept, Loss
from tokumei.histories.measures.protocol import HistoryMeasure
from tokumei.histories.registry import measures
from tokumei.histories.report.chart_data import SweepRun
from tokumei.histories.study import HistoryStudy
from tokumei.report.page_parts import Caution

CAUTIONS = (
    Caution(
        Message("What a whole group has in common", "グループ全員に共通すること"),
        Message(
            "Whoever knows that somebody is in the data learns what holds for all k of the group: "
            "everybody in it bought something from each set, in each span of days.",
            "ある人がデータに含まれると知っていれば、そのグループの k 人全員に当てはまることは"
            "分かります。全員が、各期間に、各集合の中の何かを買っています。",
        ),
    ),
    Caution(
        Message("Sets with one item", "商品が一つだけの集合"),
        Message(
            "Where all k bought the same item, it is shown as it is. Finding out who is who "
            "is limited to 1/k; finding out what was bought is not.",
            "k 人が同じ商品を買っていれば、その商品名がそのまま残ります。1/k に抑えられるのは"
            "「誰か」であって、「何を買ったか」ではありません。",
        ),
    ),
    Caution(
        Message("Rows left out, totals blurred", "削除された行と、ぼやけた合計"),
        Message(
            "The more active of a group lose rows, and totals computed from the middle of wide "
            "intervals can be far too high. Look at the monthly curve before using such sums.",
            "グループの中で購買の多い人ほど行が減り、広い区間の中央から求めた合計は大きく出がちです。"
            "合計を使う前に、月別の曲線を確かめてください。",
        ),
    ),
    Caution(
        Message("Later releases of the same people", "同じ人たちを再び公開すること"),
        Message(
            "A second release with other groups lets a reader intersect the two. Keep the groups, "
            "or count both releases as one.",
            "グループを変えて再び公開すると、二つを突き合わせて絞り込めます。"
            "同じグループを使うか、二回分を一つの公開として評価してください。",
        ),
    ),
    Caution(
        Message("The sum of loss and risk", "損失とリスクの合計"),
        Message(
            "It adds two different units, so its smallest value is a convention. The front shows "
            "every choice that no other one beats; how much risk is acceptable is for you to "
            "decide.",
            "単位の違う二つを足しているので、最小値は慣例にすぎません。パレート最適は、他に"
            "劣らないすべての選択肢を示します。どこまでのリスクを許すかは、データを提供する側が決めることです。",
        ),
    ),
    Caution(
        Message("Attacks not tried here", "ここで試していない攻撃"),
        Message(
            "1/k holds against any attack on who is who, known or not. The attacks on this page "
            "check the file; they are not the proof.",
            "「誰か」については、未知の攻撃に対しても 1/k が成り立ちます。このページの攻撃は"
            "ファイルの点検であり、証明そのものではありません。",
        ),
    ),
)


@dataclass(frozen=True)
class UseRating:
    """A question a user of the data may ask, and how well the release answers it."""

    level: Level
    title: Message
    words: Message


def rate_uses(study: HistoryStudy) -> list[UseRating]:
    """Every measure with limits that is no part of the loss, in the order of the registry."""
    uses = []
    for name, score in study.scores.items():
        measure = find_registered(measures, name)
        if measure is None or name in LOSS_PARTS or not math.isfinite(score.value):
            continue
        level = measure.level(score)
        if level is not None:
            uses.append(UseRating(level, measure.title, measure.reading(score)))
    return uses


@dataclass(frozen=True)
class HistoryGlossaryEntry:
    """A figure, what it means and its formula."""

    name: Message
    meaning: Message
    formula: str


_CELL_ENTRIES = (
    HistoryGlossaryEntry(
        Message("… deleted or *", "… 削除または *"),
        Message("Nothing is left of the cell.", "セルに何も残らない場合。"),
        "1",
    ),
    HistoryGlossaryEntry(
        Message("… item set", "… 商品の集合"),
        Message("A plain item costs nothing.", "商品が一つなら 0。"),
        "1 − 1/|set|",
    ),
    HistoryGlossaryEntry(
        Message("… interval [a;b]", "… 区間 [a;b]"),
        Message(
            "For the true x, in days, cents or pieces; sd is that of the original column.",
            "真の値 x に対して。単位は日・セント・個、sd は元の列の標準偏差。",
        ),
        "((a−x)² + (b−x)² + (b−a)) / (2·sd·(b−a+1))",
    ),
)
_CHOICE_ENTRIES = (
    HistoryGlossaryEntry(
        Message("Risk", "リスク"),
        Message(
            "The chance that somebody who knows everything names the right one of k people.",
            "すべての購買を知る人が、k 人の中から本人を当てる確率。",
        ),
        "1/k",
    ),
    HistoryGlossaryEntry(
        Message("Sum", "合計"),
        Message("Loss plus risk: two units added.", "損失とリスクの和。単位は異なる。"),
        "loss + 1/k",
    ),
    HistoryGlossaryEntry(
        Message("Front", "パレート最適"),
        Message(
            "Releases for which no other has both a smaller loss and a smaller risk.",
            "損失とリスクの両方で上回る候補が他にないもの。",
        ),
        "∄ y: (loss, risk)(y) ≤ (loss, risk)(x), ≠",
    ),
)
_HONEST_LOSS_ENTRY = HistoryGlossaryEntry(
    Message("Honest loss", "元の商品での損失"),
    Message(
        "With categories: a set of categories that hold c items in all.",
        "カテゴリー使用時。集合のカテゴリーに含まれる商品が全部で c 種類の場合。",
    ),
    "1 − 1/c",
)
_ATTACK_ENTRIES = (
    HistoryGlossaryEntry(
        Message("Right guesses", "正答率"),
        Message(
            "Of the people an attack named, the share it got right, with its Wilson interval.",
            "攻撃が答えた人のうち、正しく特定した割合。区間はウィルソンの 95 % 区間。",
        ),
        "hits / tried",
    ),
    HistoryGlossaryEntry(
        Message("Blind guess", "当てずっぽう"),
        Message("Naming any customer at random.", "顧客を無作為に答えた場合。"),
        "1 / customers",
    ),
    HistoryGlossaryEntry(
        Message("R(n)", "R(n)"),
        Message(
            "Hits among n answers at which a release fails the contest's test (p = 1/3, level 1 %, "
            "20 attackers).",
            "n 件の答えのうち、コンテストで「安全でない」と判定される正答数 (p = 1/3、水準 1 %、"
            "攻撃者 20 組)。",
        ),
        "min r: Σ_{i=r..n} C(n,i)·pⁱ < 0.01/20",
    ),
)


def history_glossary(runs: Sequence[SweepRun]) -> list[tuple[Message, list[HistoryGlossaryEntry]]]:
    """Groups of figures that a page shows, with a heading each."""
    loss = [_measure_entry(Loss), *_CELL_ENTRIES]
    if any(run.categorized for run in runs):
        loss.append(_HONEST_LOSS_ENTRY)
    groups = [
        (Message("Loss", "損失"), loss),
        (Message("Choice of k", "k の選択"), [*_CHOICE_ENTRIES, _measure_entry(HistoryRowsKept)]),
    ]
    studies = [run.study for run in runs if run.study]
    if any(study.attacks for study in studies):
        groups.append((Message("Attacks", "攻撃"), list(_ATTACK_ENTRIES)))
    used = dict.fromkeys(name for study in studies for name in study.scores)
    used_measures = [
        measure
        for name in used
        if name not in LOSS_PARTS and (measure := find_registered(measures, name))
    ]
    return (
        [*groups, (Message("Use", "用途"), [_measure_entry(measure) for measure in used_measures])]
        if used_measures
        else groups
    )


def _measure_entry(measure: type[HistoryMeasure]) -> HistoryGlossaryEntry:
    return HistoryGlossaryEntry(measure.title, measure.sentence, measure.formula)
