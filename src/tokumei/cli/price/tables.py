"""The tables of the price commands, for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tokumei.core.ask import Listing
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.price.curve import CurvePoint, PriceDifference, ValuePoint
    from tokumei.price.problem import PriceProblem
    from tokumei.price.session import PriceAnswer
    from tokumei.price.tables import WordLine
    from tokumei.price.valuation import Valuation

SYMBOLS = {"JPY": "¥", "USD": "$", "EUR": "€", "GBP": "£"}
ATTRIBUTE, VALUE = Text("attribute", "属性"), Text("value", "価格")
BEFORE, AFTER = Text("before", "変更前"), Text("after", "変更後")
K, RATIO, WORDS = Text("k", "k 値"), Text("ratio", "対元データ"), Text("words", "語数")
CHOICE = Text("choice", "選択")
TOTAL = Text("total", "合計")


def money(amount: float, currency: str) -> str:
    """An amount with its symbol."""
    text = f"{amount:,.2f}".rstrip("0").rstrip(".") if amount % 1 else f"{amount:,.0f}"
    return f"{SYMBOLS[currency]}{text}" if currency in SYMBOLS else f"{text} {currency}"


def share(ratio: float | None) -> str:
    """A share of the original value."""
    return "–" if ratio is None else f"{ratio:.2%}"


def answer_listings(asked: PriceAnswer) -> list[Listing]:
    """Every answer, attribute by attribute."""
    return [_answer(asked, told, number) for number, told in enumerate(_told(asked), 1)]


def answer_notes(asked: PriceAnswer) -> list[Text]:
    """Rows that answers leave out, and how far from the best they may be."""
    notes = []
    for told in _told(asked):
        if out := told["suppressed"]:
            notes.append(Text(f"{out:,} rows left out", f"{out:,} 行を除外"))
        if not told["optimal"]:
            bound = money(told["bound"], told["currency"])
            notes.append(
                Text(
                    f"Not proven optimal: no recoding is worth more than {bound}",
                    f"最適かどうかは未確認です。ただし、価値が {bound} を超える加工はありません",
                )
            )
    return notes


def _told(asked: PriceAnswer) -> list[dict[str, Any]]:
    return [answer.as_json(asked.problem, asked.question) for answer in asked.answers]


def _answer(asked: PriceAnswer, told: dict[str, Any], number: int) -> Listing:
    currency = told["currency"]
    originals = {
        one.name: asked.problem.money(one.worth[one.place("original")])
        for one in asked.problem.attributes
    }
    rows = [
        [
            name,
            money(originals[name], currency),
            pattern,
            money(told["values"][name], currency),
            share(told["values"][name] / originals[name] if originals[name] else None),
        ]
        for name, pattern in told["choice"].items()
    ]
    total = [money(told[name], currency) for name in ("original_value", "value")]
    rows.append([TOTAL.show(), total[0], "", total[1], share(told["ratio"])])
    names = (ATTRIBUTE, BEFORE, Text("pattern", "パターン"), AFTER, RATIO)
    title = Text(f"Answer {number}: k = {told['k']}", f"答え {number}: k = {told['k']}")
    return Listing(title, names, rows)


def chosen(choice: Mapping[str, str]) -> str:
    """What is not deleted, in a line."""
    return ", ".join(f"{name}={pattern}" for name, pattern in choice.items() if pattern != "delete")


def valuation_listings(found: Valuation, most: int = 20) -> list[Listing]:
    """Value before and after (Table 5), and cells without a price."""
    from tokumei.price.valuation import TREATMENTS

    rows = [
        [
            one.name,
            money(float(one.before), found.currency),
            f"{one.k:,}",
            TREATMENTS[one.treatment].show(),
            money(float(one.after), found.currency),
            share(one.ratio),
        ]
        for one in found.attributes
    ]
    value, original = (float(one) for one in (found.value, found.original_value))
    total = [money(original, found.currency), f"{found.k:,}", "", money(value, found.currency)]
    rows.append([TOTAL.show(), *total, share(found.ratio)])
    names = (ATTRIBUTE, BEFORE, K, Text("pattern", "加工"), AFTER, RATIO)
    valued = Listing(Text("Value of the release", "匿名加工データの価値"), names, rows)
    if not found.unpriced:
        return [valued]
    cells = [[one.attribute, one.cell or "", f"{one.rows:,}"] for one in found.unpriced[:most]]
    title = Text(
        f"Cells without a price ({len(found.unpriced)}), worth 0",
        f"価格のないセル ({len(found.unpriced)} 種類、0 と評価)",
    )
    return [valued, Listing(title, (ATTRIBUTE, Text("cell", "セル"), Text("rows", "行数")), cells)]


def population_listings(problem: PriceProblem) -> list[Listing | Text]:
    """Attributes (Table 4), patterns (Table 6), and how many combinations there are (Figure 2)."""
    from tokumei.price.tables import attribute_table, candidates, combinations, pattern_table

    currency = problem.currency
    attributes = [
        [a.attribute, str(a.words), f"{a.k:,}", money(a.value, currency), str(a.priority)]
        for a in attribute_table(problem)
    ]
    names = (ATTRIBUTE, Text("words", "選択肢種類"), K, VALUE, Text("priority", "計算時優先度"))
    patterns = [
        [
            f"{p.attribute} / {p.pattern}",
            *(f"{number:,}" for number in (p.words, p.k, p.largest)),
            *(f"{number:,.0f}" for number in (p.mean, p.sd)),
            money(p.value, currency),
        ]
        for p in pattern_table(problem)
    ]
    first = (Text("pattern", "パターン"), Text("words", "種類数"), Text("k", "最少出現数 (k)"))
    counts = (Text("largest", "最大"), Text("mean", "平均"), Text("sd", "標準偏差"), VALUE)
    groups = sum(combinations([len(one.values) for one in problem.attributes]))
    return [
        Listing(Text("Attributes", "属性"), names, attributes),
        Listing(Text("Patterns", "パターン"), (*first, *counts), patterns),
        Text(
            f"{groups:,} combinations of values; {candidates(problem):,} recodings to choose from",
            f"値の組み合わせ {groups:,} 通り、加工の候補 {candidates(problem):,} 通り",
        ),
    ]


def word_listing(problem: PriceProblem, title: str, found: Sequence[WordLine]) -> Listing:
    """The words of a pattern (Table 1)."""
    currency = problem.currency
    rows = [
        [one.word, f"{one.people:,}", f"@{money(one.price, currency)}", money(one.value, currency)]
        for one in found
    ]
    people, value = sum(one.people for one in found), sum(one.value for one in found)
    rows.append([TOTAL.show(), f"{people:,}", "", money(value, currency)])
    names = (Text("word", "語"), Text("people", "人数"), Text("price", "価格"), VALUE)
    return Listing(Text(title, title), names, rows)


def frontier_listing(points: Sequence[ValuePoint]) -> Listing:
    """Value, k and attack success of every answer."""
    rows = [
        [
            str(point.asked_k),
            str(point.answer["k"]),
            money(point.answer["value"], point.answer["currency"]),
            share(point.answer["ratio"]),
            f"{point.found:.4%}",
            "●" if point.front_k else "",
            "●" if point.front_attack else "",
        ]
        for point in points
    ]
    names = (
        Text("asked k", "指定した k"),
        "k",
        VALUE,
        RATIO,
        Text("found by attack", "攻撃で発見"),
    )
    fronts = (Text("value–k", "価値と k"), Text("value–attack", "価値と攻撃"))
    return Listing(Text("Value and safety", "価値と安全性"), (*names, *fronts), rows)


def curve_listing(points: Sequence[CurvePoint]) -> Listing:
    """The best answer for every k."""
    rows = [
        [
            str(point.asked_k),
            money(point.answer["value"], point.answer["currency"]),
            share(point.answer["ratio"]),
            str(point.answer["k"]),
            str(point.words),
            chosen(point.answer["choice"]),
        ]
        for point in points
    ]
    names = ("k", VALUE, RATIO, Text("k reached", "実際の k"), WORDS, CHOICE)
    return Listing(Text("Highest value for every k", "k ごとの最高の価値"), names, rows)


def difference_shown(found: PriceDifference) -> list[Listing | Text]:
    """Both choices side by side."""
    before, after = found.before.as_json(), found.after.as_json()
    rows = [
        [name, pattern, after["choice"][name], "" if pattern == after["choice"][name] else "●"]
        for name, pattern in before["choice"].items()
    ]
    totals = [money(told["value"], told["currency"]) for told in (before, after)]
    rows.append([VALUE.show(), *totals, f"{after['value'] - before['value']:+,.0f}"])
    rows.append([RATIO.show(), share(before["ratio"]), share(after["ratio"]), ""])
    names = (ATTRIBUTE, BEFORE, AFTER, Text("change", "変化"))
    shown: list[Listing | Text] = [Listing(Text("Best recodings", "最適な加工"), names, rows)]
    if found.left_on_table is not None:
        lost = money(found.left_on_table, after["currency"])
        kept = Text(
            f"Keeping the old choice would cost {lost} at the new prices.",
            f"前の選択のままでは、新しい価格で {lost} を失います。",
        )
        shown.append(kept)
    return shown
