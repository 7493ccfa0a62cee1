"""What a history's page says beside its figures: how they are computed, uses, and cautions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.core.measure import Level
from tokumei.core.text import Text
from tokumei.core.words import known
from tokumei.histories.measures.losses import PARTS_OF_LOSS, Loss, RowsKept
from tokumei.histories.measures.protocol import HistoryMeasure
from tokumei.histories.registry import measures
from tokumei.histories.report.series import Run
from tokumei.histories.study import HistoryStudy
from tokumei.report.words import Caution

CAUTIONS = (
    Caution(
        Text("What a whole group has in common", "グループ全員に共通すること"),
        Text(
            "Whoever knows that somebody is in the data learns what holds for all k of the group: "
            "everybody in it bought something from each set, in each span of days.",
            "ある人がデータに含まれると知っていれば、そのグループの k 人全員に当てはまることは"
            "分かります。全員が、各期間に、各集合の中の何かを買っています。",
        ),
    ),
    Caution(
        Text("Sets with one item", "商品が一つだけの集合"),
        Text(
            "Where all k bought the same item, it is shown as it is. Finding out who is who "
            "is limited to 1/k; finding out what was bought is not.",
            "k 人が同じ商品を買っていれば、その商品名がそのまま残ります。1/k に抑えられるのは"
            "「誰か」であって、「何を買ったか」ではありません。",
        ),
    ),
    Caution(
        Text("Rows left out, totals blurred", "削除された行と、ぼやけた合計"),
        Text(
            "The more active of a group lose rows, and totals computed from the middle of wide "
            "intervals can be far too high. Look at the monthly curve before using such sums.",
            "グループの中で購買の多い人ほど行が減り、広い区間の中央から求めた合計は大きく出がちです。"
            "合計を使う前に、月別の曲線を確かめてください。",
        ),
    ),
    Caution(
        Text("Later releases of the same people", "同じ人たちを再び公開すること"),
        Text(
            "A second release with other groups lets a reader intersect the two. Keep the groups, "
            "or count both releases as one.",
            "グループを変えて再び公開すると、二つを突き合わせて絞り込めます。"
            "同じグループを使うか、二回分を一つの公開として評価してください。",
        ),
    ),
    Caution(
        Text("The sum of loss and risk", "損失とリスクの合計"),
        Text(
            "It adds two different units, so its smallest value is a convention. The front shows "
            "every choice that no other one beats; how much risk is acceptable is for you to "
            "decide.",
            "単位の違う二つを足しているので、最小値は慣例にすぎません。パレート最適は、他に"
            "劣らないすべての選択肢を示します。どこまでのリスクを許すかは、データを提供する側が決めることです。",
        ),
    ),
    Caution(
        Text("Attacks not tried here", "ここで試していない攻撃"),
        Text(
            "1/k holds against any attack on who is who, known or not. The attacks on this page "
            "check the file; they are not the proof.",
            "「誰か」については、未知の攻撃に対しても 1/k が成り立ちます。このページの攻撃は"
            "ファイルの点検であり、証明そのものではありません。",
        ),
    ),
)


@dataclass(frozen=True)
class Use:
    """A question a user of the data may ask, and how well the release answers it."""

    level: Level
    title: Text
    words: Text


def uses_of(study: HistoryStudy) -> list[Use]:
    """Every measure with limits that is no part of the loss, in the order of the registry."""
    found = []
    for name, score in study.scores.items():
        kind = known(measures, name)
        if kind is None or name in PARTS_OF_LOSS or not math.isfinite(score.value):
            continue
        level = kind.level(score)
        if level is not None:
            found.append(Use(level, kind.title, kind.reading(score)))
    return found


@dataclass(frozen=True)
class Entry:
    """A figure, what it means and its formula."""

    name: Text
    meaning: Text
    formula: str


_CELLS = (
    Entry(
        Text("… deleted or *", "… 削除または *"),
        Text("Nothing is left of the cell.", "セルに何も残らない場合。"),
        "1",
    ),
    Entry(
        Text("… item set", "… 商品の集合"),
        Text("A plain item costs nothing.", "商品が一つなら 0。"),
        "1 − 1/|set|",
    ),
    Entry(
        Text("… interval [a;b]", "… 区間 [a;b]"),
        Text(
            "For the true x, in days, cents or pieces; sd is that of the original column.",
            "真の値 x に対して。単位は日・セント・個、sd は元の列の標準偏差。",
        ),
        "((a−x)² + (b−x)² + (b−a)) / (2·sd·(b−a+1))",
    ),
)
_CHOICE = (
    Entry(
        Text("Risk", "リスク"),
        Text(
            "The chance that somebody who knows everything names the right one of k people.",
            "すべての購買を知る人が、k 人の中から本人を当てる確率。",
        ),
        "1/k",
    ),
    Entry(
        Text("Sum", "合計"),
        Text("Loss plus risk: two units added.", "損失とリスクの和。単位は異なる。"),
        "loss + 1/k",
    ),
    Entry(
        Text("Front", "パレート最適"),
        Text(
            "Releases for which no other has both a smaller loss and a smaller risk.",
            "損失とリスクの両方で上回る候補が他にないもの。",
        ),
        "∄ y: (loss, risk)(y) ≤ (loss, risk)(x), ≠",
    ),
)
_HONEST = Entry(
    Text("Honest loss", "元の商品での損失"),
    Text(
        "With categories: a set of categories that hold c items in all.",
        "カテゴリー使用時。集合のカテゴリーに含まれる商品が全部で c 種類の場合。",
    ),
    "1 − 1/c",
)
_ATTACKS = (
    Entry(
        Text("Right guesses", "正答率"),
        Text(
            "Of the people an attack named, the share it got right, with its Wilson interval.",
            "攻撃が答えた人のうち、正しく特定した割合。区間はウィルソンの 95 % 区間。",
        ),
        "hits / tried",
    ),
    Entry(
        Text("Blind guess", "当てずっぽう"),
        Text("Naming any customer at random.", "顧客を無作為に答えた場合。"),
        "1 / customers",
    ),
    Entry(
        Text("R(n)", "R(n)"),
        Text(
            "Hits among n answers at which a release fails the contest's test (p = 1/3, level 1 %, "
            "20 attackers).",
            "n 件の答えのうち、コンテストで「安全でない」と判定される正答数 (p = 1/3、水準 1 %、"
            "攻撃者 20 組)。",
        ),
        "min r: Σ_{i=r..n} C(n,i)·pⁱ < 0.01/20",
    ),
)


def history_glossary(runs: Sequence[Run]) -> list[tuple[Text, list[Entry]]]:
    """Groups of figures that a page shows, with a heading each."""
    loss = [_entry(Loss), *_CELLS]
    if any(run.categorized for run in runs):
        loss.append(_HONEST)
    groups = [
        (Text("Loss", "損失"), loss),
        (Text("Choice of k", "k の選択"), [*_CHOICE, _entry(RowsKept)]),
    ]
    studies = [run.study for run in runs if run.study]
    if any(study.attacks for study in studies):
        groups.append((Text("Attacks", "攻撃"), list(_ATTACKS)))
    used = dict.fromkeys(name for study in studies for name in study.scores)
    kinds = [kind for name in used if name not in PARTS_OF_LOSS and (kind := known(measures, name))]
    return [*groups, (Text("Use", "用途"), [_entry(kind) for kind in kinds])] if kinds else groups


def _entry(kind: type[HistoryMeasure]) -> Entry:
    return Entry(kind.title, kind.sentence, kind.formula)
