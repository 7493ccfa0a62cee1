"""The tables of the price commands on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.cli.console import note, print_table
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.price.curve import CurvePoint, ValuePoint
    from tokumei.price.difference import PriceDifference
    from tokumei.price.problem import PriceProblem
    from tokumei.price.session import PriceAnswer
    from tokumei.price.valuation import Valuation

SYMBOLS = {"JPY": "¥", "USD": "$", "EUR": "€", "GBP": "£"}
ATTRIBUTE, VALUE = Text("attribute", "属性"), Text("value", "価格")
BEFORE, AFTER = Text("before", "変更前"), Text("after", "変更後")


def money(amount: float, currency: str) -> str:
    """An amount with its symbol."""
    text = f"{amount:,.2f}".rstrip("0").rstrip(".") if amount % 1 else f"{amount:,.0f}"
    return f"{SYMBOLS[currency]}{text}" if currency in SYMBOLS else f"{text} {currency}"


def share(ratio: float | None) -> str:
    """A share of the original value."""
    return "–" if ratio is None else f"{ratio:.2%}"


def print_answers(asked: PriceAnswer) -> None:
    """Every answer: attribute by attribute, then in one line."""
    for number, answer in enumerate(asked.answers, 1):
        _print_answer(asked, answer.as_json(asked.problem, asked.question), number)


def _print_answer(asked: PriceAnswer, told: dict[str, Any], number: int) -> None:
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
    rows.append([Text("total", "合計").show(), total[0], "", total[1], share(told["ratio"])])
    names = (ATTRIBUTE, BEFORE, Text("pattern", "パターン"), AFTER, Text("change", "変化量"))
    title = Text(f"Answer {number}: k = {told['k']}", f"答え {number}: k = {told['k']}")
    print_table(title, [name.show() for name in names], rows)
    if told["suppressed"]:
        out = told["suppressed"]
        note(Text(f"{out:,} rows left out", f"{out:,} 行を除外"))
    if not told["optimal"]:
        bound = money(told["bound"], currency)
        note(
            Text(
                f"Not proven optimal: no recoding is worth more than {bound}",
                f"最適かどうかは未確認です。ただし、価値が {bound} を超える加工はありません",
            )
        )


def print_valuation(found: Valuation) -> None:
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
    rows.append([Text("total", "合計").show(), *total, share(found.ratio)])
    names = (ATTRIBUTE, BEFORE, Text("k", "k 値"), Text("pattern", "加工"), AFTER)
    header = [*(name.show() for name in names), Text("change", "変化量").show()]
    print_table(Text("Value of the release", "匿名加工データの価値"), header, rows)
    _print_unpriced(found)


def _print_unpriced(found: Valuation, most: int = 20) -> None:
    if not found.unpriced:
        return
    rows = [[one.attribute, one.cell or "", f"{one.rows:,}"] for one in found.unpriced[:most]]
    title = Text(
        f"Cells without a price ({len(found.unpriced)}), worth 0",
        f"価格のないセル ({len(found.unpriced)} 種類、0 と評価)",
    )
    names = (ATTRIBUTE, Text("cell", "セル"), Text("rows", "行数"))
    print_table(title, [name.show() for name in names], rows)


def print_population(problem: PriceProblem) -> None:
    """Attributes (Table 4), patterns (Table 6), and how many combinations there are (Figure 2)."""
    from tokumei.price.tables import attribute_table, candidates, combinations, pattern_table

    currency = problem.currency
    lines = [
        [a.attribute, str(a.words), f"{a.k:,}", money(a.value, currency), str(a.priority)]
        for a in attribute_table(problem)
    ]
    names = (ATTRIBUTE, Text("words", "選択肢種類"), Text("k", "k 値"), VALUE)
    header = [*(name.show() for name in names), Text("priority", "計算時優先度").show()]
    print_table(Text("Attributes", "属性"), header, lines)
    rows = [
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
    print_table(Text("Patterns", "パターン"), [n.show() for n in (*first, *counts)], rows)
    groups = sum(combinations([len(one.values) for one in problem.attributes]))
    print(
        Text(
            f"{groups:,} combinations of values; {candidates(problem):,} recodings to choose from",
            f"値の組み合わせ {groups:,} 通り、加工の候補 {candidates(problem):,} 通り",
        ).show()
    )


def print_words(problem: PriceProblem, attribute: str, pattern: str) -> None:
    """The words of a pattern (Table 1)."""
    from tokumei.price.tables import word_table

    currency = problem.currency
    found = word_table(problem, attribute, pattern)
    rows = [
        [one.word, f"{one.people:,}", f"@{money(one.price, currency)}", money(one.value, currency)]
        for one in found
    ]
    people, value = sum(one.people for one in found), sum(one.value for one in found)
    rows.append([Text("total", "合計").show(), f"{people:,}", "", money(value, currency)])
    names = (Text("word", "語"), Text("people", "人数"), Text("price", "価格"), VALUE)
    title = Text(f"{attribute} / {pattern}", f"{attribute} / {pattern}")
    print_table(title, [name.show() for name in names], rows)


def print_frontier(points: list[ValuePoint]) -> None:
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
    names = (Text("asked k", "指定した k"), Text("k", "k"), VALUE, Text("ratio", "対元データ"))
    fronts = (Text("value–k", "価値と k"), Text("value–attack", "価値と攻撃"))
    header = [n.show() for n in (*names, Text("found by attack", "攻撃で発見"), *fronts)]
    print_table(Text("Value and safety", "価値と安全性"), header, rows)


def print_curve(points: list[CurvePoint]) -> None:
    """The best answer for every k."""
    rows = [
        [
            str(point.asked_k),
            money(point.answer["value"], point.answer["currency"]),
            share(point.answer["ratio"]),
            str(point.answer["k"]),
            str(point.words),
            ", ".join(f"{a}={p}" for a, p in point.answer["choice"].items() if p != "delete"),
        ]
        for point in points
    ]
    names = (Text("k", "k"), VALUE, Text("ratio", "対元データ"), Text("k reached", "実際の k"))
    header = [n.show() for n in (*names, Text("words", "語数"), Text("choice", "選択"))]
    print_table(Text("Highest value for every k", "k ごとの最高の価値"), header, rows)


def print_difference(found: PriceDifference) -> None:
    """Both choices side by side."""
    before, after = found.before.as_json(), found.after.as_json()
    rows = [
        [name, pattern, after["choice"][name], "" if pattern == after["choice"][name] else "●"]
        for name, pattern in before["choice"].items()
    ]
    totals = [money(told["value"], told["currency"]) for told in (before, after)]
    rows.append([VALUE.show(), *totals, f"{after['value'] - before['value']:+,.0f}"])
    rows.append(
        [Text("ratio", "対元データ").show(), share(before["ratio"]), share(after["ratio"]), ""]
    )
    names = (ATTRIBUTE, BEFORE, AFTER, Text("change", "変化"))
    print_table(Text("Best recodings", "最適な加工"), [name.show() for name in names], rows)
    if found.left_on_table is not None:
        lost = money(found.left_on_table, after["currency"])
        print(
            Text(
                f"Keeping the old choice would cost {lost} at the new prices.",
                f"前の選択のままでは、新しい価格で {lost} を失います。",
            ).show()
        )
