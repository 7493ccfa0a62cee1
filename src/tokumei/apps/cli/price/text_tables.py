"""Text tables of the price commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tokumei.core.command import TextTable
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.apps.price.problem import AnswerRecord, PriceProblem
    from tokumei.apps.price.release_valuation import Valuation
    from tokumei.apps.price.session import PriceAnswer
    from tokumei.apps.price.summary_tables import WordLine
    from tokumei.apps.price.value_curves import CurvePoint, FrontierPoint, PriceDifference

SYMBOLS = {"JPY": "¥", "USD": "$", "EUR": "€", "GBP": "£"}
ATTRIBUTE, VALUE = Message("attribute"), Message("value", context="a price")
BEFORE, AFTER = Message("before"), Message("after")
K, RATIO, WORDS = Message("k"), Message("ratio"), Message("words")
CHOICE = Message("choice")
TOTAL = Message("total")


def format_money(amount: float, currency: str) -> str:
    """An amount with its symbol."""
    text = f"{amount:,.2f}".rstrip("0").rstrip(".") if amount % 1 else f"{amount:,.0f}"
    return f"{SYMBOLS[currency]}{text}" if currency in SYMBOLS else f"{text} {currency}"


def format_share(ratio: float | None) -> str:
    """A share of the original value."""
    return "–" if ratio is None else f"{ratio:.2%}"


def answer_tables(price_answer: PriceAnswer) -> list[TextTable]:
    """Every answer, attribute by attribute."""
    return [
        _answer_table(price_answer, answer_json, number)
        for number, answer_json in enumerate(_answers_to_json(price_answer), 1)
    ]


def answer_notes(price_answer: PriceAnswer) -> list[Message]:
    """Rows that answers leave out, and how far from the best they may be."""
    notes = []
    for answer_json in _answers_to_json(price_answer):
        if suppressed_rows := answer_json["suppressed"]:
            notes.append(
                Message(
                    "{count} row left out", plural="{count:,} rows left out", count=suppressed_rows
                )
            )
        if not answer_json["optimal"]:
            bound = format_money(answer_json["bound"], answer_json["currency"])
            notes.append(
                Message("Not proven optimal: no recoding is worth more than {bound}", bound=bound)
            )
    return notes


def _answers_to_json(price_answer: PriceAnswer) -> list[AnswerRecord]:
    return [
        answer.as_json(price_answer.problem, price_answer.question)
        for answer in price_answer.answers
    ]


def _answer_table(price_answer: PriceAnswer, answer_json: AnswerRecord, number: int) -> TextTable:
    currency = answer_json["currency"]
    originals = {
        attribute.name: price_answer.problem.money(attribute.worth[attribute.place("original")])
        for attribute in price_answer.problem.attributes
    }
    rows = [
        [
            name,
            format_money(originals[name], currency),
            pattern,
            format_money(answer_json["values"][name], currency),
            format_share(
                answer_json["values"][name] / originals[name] if originals[name] else None
            ),
        ]
        for name, pattern in answer_json["choice"].items()
    ]
    before, after = (
        format_money(answer_json["original_value"], currency),
        format_money(answer_json["value"], currency),
    )
    rows.append([TOTAL.show(), before, "", after, format_share(answer_json["ratio"])])
    names = (ATTRIBUTE, BEFORE, Message("pattern"), AFTER, RATIO)
    title = Message("Answer {number}: k = {k}", number=number, k=answer_json["k"])
    return TextTable(title, names, rows)


def format_choice(choice: Mapping[str, str]) -> str:
    """The patterns of the columns that are not deleted, in a line."""
    return ", ".join(f"{name}={pattern}" for name, pattern in choice.items() if pattern != "delete")


def valuation_tables(valuation: Valuation, most: int = 20) -> list[TextTable]:
    """Value before and after (Table 5), and cells without a price."""
    from tokumei.apps.price.release_valuation import TREATMENT_LABELS

    rows = [
        [
            line.name,
            format_money(float(line.before), valuation.currency),
            f"{line.k:,}",
            TREATMENT_LABELS[line.treatment].show(),
            format_money(float(line.after), valuation.currency),
            format_share(line.ratio),
        ]
        for line in valuation.attributes
    ]
    value, original = (float(line) for line in (valuation.value, valuation.original_value))
    total = [
        format_money(original, valuation.currency),
        f"{valuation.k:,}",
        "",
        format_money(value, valuation.currency),
    ]
    rows.append([TOTAL.show(), *total, format_share(valuation.ratio)])
    names = (ATTRIBUTE, BEFORE, K, Message("pattern", context="of generalization"), AFTER, RATIO)
    value_table = TextTable(Message("Value of the release"), names, rows)
    if not valuation.unpriced:
        return [value_table]
    cells = [
        [line.attribute, line.cell or "", f"{line.rows:,}"] for line in valuation.unpriced[:most]
    ]
    title = Message("Cells without a price ({number}), worth 0", number=len(valuation.unpriced))
    return [
        value_table,
        TextTable(title, (ATTRIBUTE, Message("cell"), Message("rows", context="a number")), cells),
    ]


def population_tables(problem: PriceProblem) -> list[TextTable | Message]:
    """Attributes (Table 4), patterns (Table 6), and how many combinations there are (Figure 2)."""
    from tokumei.apps.price.summary_tables import (
        attribute_table,
        count_candidates,
        count_combinations,
        pattern_table,
    )

    currency = problem.currency
    attributes = [
        [
            attribute_line.attribute,
            str(attribute_line.words),
            f"{attribute_line.k:,}",
            format_money(attribute_line.value, currency),
            str(attribute_line.priority),
        ]
        for attribute_line in attribute_table(problem)
    ]
    names = (ATTRIBUTE, Message("words"), K, VALUE, Message("priority"))
    patterns = [
        [
            f"{pattern_line.attribute} / {pattern_line.pattern}",
            *(
                f"{number:,}"
                for number in (pattern_line.words, pattern_line.k, pattern_line.largest)
            ),
            *(f"{number:,.0f}" for number in (pattern_line.mean, pattern_line.sd)),
            format_money(pattern_line.value, currency),
        ]
        for pattern_line in pattern_table(problem)
    ]
    pattern_names = (Message("pattern"), Message("words"), Message("k", context="smallest count"))
    count_names = (Message("largest"), Message("mean"), Message("sd"), VALUE)
    groups = sum(count_combinations([len(attribute.values) for attribute in problem.attributes]))
    return [
        TextTable(Message("Attributes"), names, attributes),
        TextTable(Message("Patterns"), (*pattern_names, *count_names), patterns),
        Message(
            "{groups:,} combinations of values; {candidates:,} recodings to choose from",
            groups=groups,
            candidates=count_candidates(problem),
        ),
    ]


def word_price_table(
    problem: PriceProblem, title: str, word_lines: Sequence[WordLine]
) -> TextTable:
    """The words of a pattern (Table 1)."""
    currency = problem.currency
    rows = [
        [
            word_line.word,
            f"{word_line.people:,}",
            f"@{format_money(word_line.price, currency)}",
            format_money(word_line.value, currency),
        ]
        for word_line in word_lines
    ]
    people, value = (
        sum(word_line.people for word_line in word_lines),
        sum(word_line.value for word_line in word_lines),
    )
    rows.append([TOTAL.show(), f"{people:,}", "", format_money(value, currency)])
    names = (
        Message("word"),
        Message("people", context="a number"),
        Message("price", context="of a word"),
        VALUE,
    )
    return TextTable(Message.verbatim(title), names, rows)


def frontier_table(points: Sequence[FrontierPoint]) -> TextTable:
    """Value, k and attack success of every answer."""
    rows = [
        [
            str(point.asked_k),
            str(point.answer["k"]),
            format_money(point.answer["value"], point.answer["currency"]),
            format_share(point.answer["ratio"]),
            f"{point.found_share:.4%}",
            "●" if point.front_k else "",
            "●" if point.front_attack else "",
        ]
        for point in points
    ]
    names = (Message("required k"), "k", VALUE, RATIO, Message("found by attack"))
    fronts = (Message("value–k"), Message("value–attack"))
    return TextTable(Message("Value and safety"), (*names, *fronts), rows)


def curve_table(points: Sequence[CurvePoint]) -> TextTable:
    """The best answer for every k."""
    rows = [
        [
            str(point.asked_k),
            format_money(point.answer["value"], point.answer["currency"]),
            format_share(point.answer["ratio"]),
            str(point.answer["k"]),
            str(point.words),
            format_choice(point.answer["choice"]),
        ]
        for point in points
    ]
    names = ("k", VALUE, RATIO, Message("k reached"), WORDS, CHOICE)
    return TextTable(Message("Highest value for every k"), names, rows)


def difference_output(difference: PriceDifference) -> list[TextTable | Message]:
    """Both choices side by side."""
    before, after = difference.before.as_json(), difference.after.as_json()
    rows = [
        [name, pattern, after["choice"][name], "" if pattern == after["choice"][name] else "●"]
        for name, pattern in before["choice"].items()
    ]
    totals = [
        format_money(answer_json["value"], answer_json["currency"])
        for answer_json in (before, after)
    ]
    rows.append([VALUE.show(), *totals, f"{after['value'] - before['value']:+,.0f}"])
    rows.append([RATIO.show(), format_share(before["ratio"]), format_share(after["ratio"]), ""])
    names = (ATTRIBUTE, BEFORE, AFTER, Message("change"))
    shown: list[TextTable | Message] = [TextTable(Message("Best recodings"), names, rows)]
    if difference.gain_from_new_choice is not None:
        lost = format_money(difference.gain_from_new_choice, after["currency"])
        kept_message = Message(
            "Keeping the old choice would cost {lost} at the new prices.", lost=lost
        )
        shown.append(kept_message)
    return shown
