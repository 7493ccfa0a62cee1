"""What price commands say of costs, bounds, days and intents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokumei.cli.price.tables import BEFORE, CHOICE, RATIO, TOTAL, VALUE, chosen, money, share
from tokumei.core.ask import Listing
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.price.daily import Intents, PriceDay
    from tokumei.price.tables import Cost
    from tokumei.price.unpriced import CutOffCost, ValueInterval


def cut_off_words(cost: CutOffCost, cut_off: float) -> Text:
    """What a cut-off left out and lost."""
    told, currency = cost.as_json(), cost.problem.currency
    least, most = money(cut_off, currency), money(told["at_most"], currency)
    count = len(cost.left_out)
    en = f"The cut-off of {least} left out {count} patterns; "
    ja = f"下限 {least} により {count} 個のパターンを省きました。"
    if told["lost"] is None:
        return Text(
            f"{en}it costs at most {most} of value.",
            f"{ja}それによる価値の損失は最大 {most} です。",
        )
    lost = money(told["lost"], currency)
    return Text(
        f"{en}without it the best recoding is worth {lost} more.",
        f"{ja}下限がなければ、最適な加工の価値は {lost} 高くなります。",
    )


def interval_words(found: ValueInterval, currency: str) -> Text:
    """What the value may be with prices for the words that have none."""
    low, middle, high = (money(one, currency) for one in found.value)
    same = all(found.same_choice)
    en = "the choice stays the best" if same else "then another choice would be the best"
    ja = "最適な選択は変わりません" if same else "その場合、最適な選択は変わります"
    return Text(
        f"With prices for the unpriced words the value lies between {low} and {high}, if none is "
        f"dearer than the dearest word of the list ({middle} at each attribute's median); {en}.",
        f"価格のない語に価格を付けると、価値は {low} から {high} の間です (表で最も高い語を超えない"
        f"場合。属性ごとの中央値なら {middle})。{ja}。",
    )


def cost_words(cost: Cost) -> Text:
    """What a search is expected to take."""
    en = "" if cost.sure else "; with so many recodings the proof may take much longer"
    ja = "" if cost.sure else "。候補が多いため、証明にはさらに時間がかかることがあります"
    return Text(
        f"A search is expected to count {cost.tables:,} tables in {cost.seconds:.2g} CPU s and to "
        f"need {cost.bytes / 1e6:.1f} MB{en}",
        f"探索の見込み: {cost.tables:,} 個の表を数え、CPU {cost.seconds:.2g} 秒、"
        f"{cost.bytes / 1e6:.1f} MB{ja}",
    )


def intents_listing(found: Intents) -> Listing:
    """The value for each intent and for both."""
    both = found.both.as_json()
    rows = [
        [
            line.intent or "–",
            *(
                money(x, both["currency"])
                for x in (line.original_value, line.value, line.own_value)
            ),
            chosen(line.own_choice),
            "" if line.same_choice else "●",
        ]
        for line in found.lines
    ]
    whole = [money(both[name], both["currency"]) for name in ("original_value", "value", "value")]
    rows.append([TOTAL.show(), *whole, chosen(both["choice"]), ""])
    names = (
        "intent",
        BEFORE,
        Text("best for both", "両方で最適"),
        Text("best for this alone", "単独で最適"),
        CHOICE,
        Text("another choice", "選択が異なる"),
    )
    return Listing(Text("Value by intent", "intent ごとの価値"), names, rows)


def days_listing(days: Sequence[PriceDay]) -> Listing:
    """The best recoding of every day, and what keeping an older one costs."""
    currency = days[0].answer.problem.currency
    rows = [
        [
            day.date,
            money(day.value, currency),
            share(day.answer.as_json()["ratio"]),
            ", ".join(f"{name}: {old} → {new}" for name, (old, new) in day.changed.items()),
            *("–" if x is None else money(x, currency) for x in (day.regret, day.first_regret)),
        ]
        for day in days
    ]
    names = (
        Text("day", "日付"),
        VALUE,
        RATIO,
        Text("changed", "変わった選択"),
        Text("lost by yesterday's choice", "前日の選択による損失"),
        Text("by the first day's", "初日の選択による損失"),
    )
    return Listing(Text("Best recoding of every day", "日ごとの最適な加工"), names, rows)
