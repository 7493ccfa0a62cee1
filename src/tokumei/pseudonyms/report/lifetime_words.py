"""The lifetime curve in words: the recommendation, its reasons, and what to keep in mind."""

from __future__ import annotations

from tokumei.core.figures import percent, percent_range
from tokumei.core.text import Text
from tokumei.pseudonyms.lifetime import LifetimeCurve
from tokumei.pseudonyms.report.lifetime_charts import months
from tokumei.report.words import Caution

CAUTIONS = (
    Caution(
        Text("One attack, one draw of knowledge", "攻撃は一つ、知識の抽出は一回"),
        Text(
            "A stronger attack, or somebody who knows other purchases, may link more. Take the "
            "strongest attack and more knowledge than you expect.",
            "より強い攻撃や、別の購買を知る人なら、さらに多くを結び付けるかもしれません。"
            "最も強い攻撃と、想定より多い知識で確かめてください。",
        ),
    ),
    Caution(
        Text("The same pseudonym must not come back", "同じ仮名を再び使わない"),
        Text(
            "The curve is about one release. Pseudonyms that are used again in a later release "
            "live on, and their lifetimes add up.",
            "この結果は一回の公開についてのものです。後の公開で同じ仮名を再び使えば、"
            "その仮名は使われ続けていることになり、有効期間は合算されます。",
        ),
    ),
    Caution(
        Text("Linking across months needs no pseudonym", "仮名がなくても月はつながる"),
        Text(
            "Habits link pseudonyms of different months to each other. The attack by profiles "
            "(halves) shows how far that goes.",
            "購買の習慣だけで、別の月の仮名どうしが結び付くことがあります。"
            "どこまで可能かは、履歴の特徴による攻撃 (前半と後半) で分かります。",
        ),
    ),
)


def headline(curve: LifetimeCurve) -> Text:
    """The recommendation."""
    rate = percent(curve.rate)
    if curve.longest is None:
        return Text(
            f"No lifetime keeps the link rate under {rate}",
            f"どの有効期間でも、結び付く仮名を {rate} 未満にできない",
        )
    return Text(
        f"Pseudonyms may be used for {months(curve.longest).en}: fewer than {rate} are linked",
        f"仮名は {curve.longest} か月まで: 結び付くのは {rate} 未満",
    )


def detail(curve: LifetimeCurve) -> Text:
    """The figure that decides: of the longest lifetime allowed, or of the best one."""
    lifetime = curve.longest or min(curve.points, key=lambda point: point.links.high).lifetime
    asked = [point for point in curve.points if point.lifetime == lifetime]
    links = max(asked, key=lambda point: point.links.high).links
    rate, span = percent(links.rate), percent_range(links.low, links.high)
    best = "" if curve.longest else " at best"
    least = "" if curve.longest else "最も低くても "
    return Text(
        f"With pseudonyms of {months(lifetime).en} the attack {curve.attack} names{best} the "
        f"customer of {rate} of them (95 % interval {span}).",
        f"有効期間 {lifetime} か月では、攻撃 {curve.attack} が{least} {rate} の仮名の持ち主を"
        f"特定します (95 % 区間 {span})。",
    )


def facts(curve: LifetimeCurve) -> Text:
    """What was released."""
    given = ", ".join(f"{name} = {value}" for name, value in curve.params.items())
    more = f" · {given}" if given else ""
    return Text(
        f"{curve.rows:,} rows · {curve.customers:,} customers · {curve.periods} months · "
        f"attack {curve.attack}{more}",
        f"{curve.rows:,} 行・顧客 {curve.customers:,} 人・{curve.periods} か月・"
        f"攻撃 {curve.attack}{more}",
    )
