"""What the methods for histories do not protect against."""

from __future__ import annotations

from tokumei.core.text import Text
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
