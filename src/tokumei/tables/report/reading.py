"""Every figure as a sentence that needs no statistics.

reading("U5", Score(0.051)).en   # "A sensitive value moves by 5.1 % of its column's range …"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tokumei.core.figures import percent, percent_range, plain
from tokumei.core.rates import AttackRate
from tokumei.core.score import Score
from tokumei.core.text import Text
from tokumei.tables.report.requested_readings import requested_reading
from tokumei.tables.suite import Strongest

NOISE_FLOOR = 1e-9
"""Below this share of its scale a figure is rounding error and reads as unchanged."""


def reading(name: str, score: Score, *, scale: float | None = None) -> Text:
    """What the figure says, in plain words; `scale` (see `levels.scale_of`) adds a share."""
    if is_negligible(score, scale) and name in _UNCHANGED:
        return _UNCHANGED[name]
    if name in _SENTENCES:
        return _SENTENCES[name](score, scale)
    named = Text(f"{name}: {plain(score.value)}.", f"{name}:{plain(score.value)}")
    return requested_reading(name, score) or named


def is_negligible(score: Score, scale: float | None = None) -> bool:
    """Whether a figure is nothing but rounding error."""
    return abs(score.value) <= NOISE_FLOOR * (scale or 1.0)


def attack_reading(attack: AttackRate | Strongest) -> Text:
    """How much an attack finds, with its interval, beside a blind guess."""
    found, blind = percent(attack.rate), percent(attack.baseline)
    interval = percent_range(attack.low, attack.high)
    return Text(
        f"An attacker who knows the original finds {found} of the rows "
        f"(95 % interval {interval}); blind guessing finds {blind}.",
        f"元データを知る攻撃者は、{found} の行を言い当てます"
        f"（95 % 信頼区間 {interval}）。当てずっぽうなら {blind} です。",
    )


def permuted_reading(attack: AttackRate | Strongest) -> Text:
    """The same figure where the link was permuted: said so that nobody takes it for safety."""
    found = percent(attack.rate)
    return Text(
        f"Scored against the permuted link, the attacks are credited with {found} of the rows. "
        "This says nothing about safety.",
        f"入れ替えた対応表で採点したため、攻撃の成功率は {found} と出ます。"
        "安全であることを示す値ではありません。",
    )


def permuted_loss(score: Score) -> Text:
    """U5 where the link was permuted: rows are compared with those of other people."""
    moved = percent(score.value)
    return Text(
        f"Compared with the permuted origins, values seem to move by {moved} of their range; "
        "in fact each is somebody's true value.",
        f"入れ替えた対応表で比べると、値は値域の {moved} 動いたように見えます。"
        "実際はどれも誰かの本当の値です。",
    )


def yamaoka_warning(verbatim: float) -> Text:
    """What a permuted link is: not protection. `verbatim`: share of rows that are copies."""
    copies = percent(verbatim)
    return Text(
        "Yamaoka: values are unchanged; the low rate comes from a permuted link, an attacker "
        f"who recognises the values still finds them. {copies} of the released rows are exact "
        "copies of an original row.",
        "山岡匿名化：値は変わっていません。成功率が低いのは対応表を入れ替えたためで、"
        f"値に見覚えのある攻撃者は今でも本人を見つけられます。公開した行の {copies} は"
        "元の行と完全に一致します。",
    )


def _smallest_class(score: Score, scale: float | None) -> Text:
    k = plain(score.value)
    if score.value < 2:
        return Text(
            "Some row is alone with its combination of quasi-identifiers (k = 1).",
            "準識別子の組み合わせがほかの誰とも重ならない行があります（k = 1）。",
        )
    return Text(
        f"Every combination of quasi-identifiers is shared by at least {k} rows (k = {k}).",
        f"準識別子の組み合わせは、どれも {k} 行以上に共通しています（k = {k}）。",
    )


def _mean_class(score: Score, scale: float | None) -> Text:
    size = plain(score.value)
    return Text(
        f"On average {size} rows share a combination of quasi-identifiers.",
        f"同じ準識別子の組み合わせをもつ行は、平均 {size} 行です。",
    )


def _mean_error(score: Score, scale: float | None) -> Text:
    en, ja = _share(score, scale, "their level", "水準")
    return Text(
        f"The means of the sensitive columns move by {plain(score.value)} on average{en}.",
        f"機密属性の平均値は、平均して {plain(score.value)} ずれます{ja}。",
    )


def _cross_mean(score: Score, scale: float | None) -> Text:
    en, ja = _share(score, scale, "the overall level", "全体の水準")
    return Text(
        f"In the cross table, cell means move by {plain(score.value)} on average{en}.",
        f"クロス集計の各セルの平均値は、平均して {plain(score.value)} ずれます{ja}。",
    )


def _cross_count(score: Score, scale: float | None) -> Text:
    en, ja = _share(score, scale, "the mean count", "平均件数")
    return Text(
        f"In the cross table, cell counts move by {plain(score.value)} rows on average{en}.",
        f"クロス集計の各セルの件数は、平均して {plain(score.value)} 件ずれます{ja}。",
    )


def _correlation(score: Score, scale: float | None) -> Text:
    moved = plain(score.value)
    return Text(
        f"Correlations between sensitive columns move by {moved} on average (they range to 1).",
        f"機密属性どうしの相関係数は、平均して {moved} 変わります（相関の最大は 1）。",
    )


def _information_loss(score: Score, scale: float | None) -> Text:
    moved = percent(score.value)
    return Text(
        f"A sensitive value moves by {moved} of its column's range on average.",
        f"機密属性の値は、平均して列の値域の {moved} だけ動きます。",
    )


def _rows_lost(score: Score, scale: float | None) -> Text:
    en, ja = _share(score, scale, "the original", "元データ")
    gone = plain(score.value)
    return Text(f"{gone} rows were deleted{en}.", f"{gone} 行が削除されました{ja}。")


def _rows_kept(score: Score, scale: float | None) -> Text:
    kept = percent(score.value)
    return Text(f"{kept} of the rows are kept.", f"{kept} の行が残っています。")


def _gcp(score: Score, scale: float | None) -> Text:
    width = percent(score.value)
    return Text(
        f"A quasi-identifier cell covers {width} of its column's domain on average.",
        f"準識別子の一つのセルは、平均して列の値域の {width} にわたります。",
    )


def _discernibility(score: Score, scale: float | None) -> Text:
    pairs = plain(score.value)
    return Text(
        f"Discernibility is {pairs}: the squared sizes of the classes, added up.",
        f"識別不能度（DM） は {pairs} です（各クラスの行数の 2 乗の和）。",
    )


def _average_class(score: Score, scale: float | None) -> Text:
    times = plain(score.value)
    return Text(
        f"Classes are on average {times} times as large as the smallest needs to be.",
        f"クラスの大きさは、平均して必要最小限の {times} 倍です。",
    )


def _share(score: Score, scale: float | None, en: str, ja: str) -> tuple[str, str]:
    if not scale:
        return "", ""
    share = percent(score.value / scale)
    return f" ({share} of {en})", f"（{ja}の {share}）"


_SENTENCES: Mapping[str, Callable[[Score, float | None], Text]] = {
    "S1": _smallest_class,
    "S2": _mean_class,
    "U1": _mean_error,
    "U2": _cross_mean,
    "U3": _cross_count,
    "U4": _correlation,
    "U5": _information_loss,
    "U6": _rows_lost,
    "rows_kept": _rows_kept,
    "gcp_sets": _gcp,
    "dm": _discernibility,
    "c_avg": _average_class,
}
_UNCHANGED: Mapping[str, Text] = {
    "U1": Text(
        "The means of the sensitive columns are unchanged.", "機密属性の平均値は変わりません。"
    ),
    "U2": Text("The cross table's means are unchanged.", "クロス集計の平均値は変わりません。"),
    "U3": Text("The cross table's counts are unchanged.", "クロス集計の件数は変わりません。"),
    "U4": Text(
        "Correlations between sensitive columns are unchanged.",
        "機密属性どうしの相関は変わりません。",
    ),
    "U5": Text("No sensitive value is changed.", "機密属性の値は一つも変わっていません。"),
    "U6": Text("No row was deleted.", "削除された行はありません。"),
    "gcp_sets": Text(
        "No quasi-identifier is published as a range or a set.",
        "範囲や集合に一般化された準識別子はありません。",
    ),
}
