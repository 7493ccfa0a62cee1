"""Violations that a price list can have, with line numbers."""

from __future__ import annotations

from decimal import Decimal

from tokumei.core.errors import Violation
from tokumei.core.messages import Message


def _line_violation(line: int, rule: str, column: str, en: str, ja: str) -> Violation:
    message = Message(f"line {line}: {en}", f"{line} 行目: {ja}")
    return Violation(rule=rule, line=line, column=column, message=message)


def _attribute_violation(attribute: str, rule: str, en: str, ja: str) -> Violation:
    message = Message(f"{attribute}: {en}", f"{attribute}: {ja}")
    return Violation(rule=rule, column=attribute, message=message)


def invalid_price(line: int, word: str, cell: str, reason: Message) -> Violation:
    """A price that cannot be one."""
    en, ja = f"'{word}' has the price '{cell}': ", f"'{word}' の価格 '{cell}': "
    return _line_violation(line, "price", "price", en + reason.en, ja + reason.ja)


def invalid_date(line: int, cell: str) -> Violation:
    """A date that is none."""
    en, ja = f"'{cell}' is not a date", f"'{cell}' は日付ではありません"
    return _line_violation(line, "date", "date", f"{en} (2026-11-16)", f"{ja} (2026-11-16)")


def invalid_intent(line: int, cell: str) -> Violation:
    """An intent that is none."""
    en, ja = (
        f"'{cell}' is not an intent: will or be",
        f"'{cell}' は intent ではありません (will か be)",
    )
    return _line_violation(line, "intent", "intent", en, ja)


def conflicting_prices(line: int, word: str, first: Decimal, second: Decimal) -> Violation:
    """Two prices for one word."""
    en = f"'{word}' costs {second}, but {first} further up; a word has one price"
    ja = f"'{word}' の価格が {second} です (前の行では {first})。一つの語の価格は一つです"
    return _line_violation(line, "two-prices", "price", en, ja)


def conflicting_words(
    line: int, pattern: str, value: str | None, first: str, second: str
) -> Violation:
    """Two words for one value in one pattern."""
    en = f"pattern '{pattern}' maps '{value or ''}' to '{second}', but to '{first}' further up"
    ja = f"パターン '{pattern}' で '{value or ''}' が '{second}' です (前の行では '{first}')"
    return _line_violation(line, "two-words", "word", en, ja)


def empty_cell(line: int, column: str) -> Violation:
    """A cell that must not be empty."""
    return _line_violation(line, "empty", column, f"{column} is empty", f"{column} が空です")


def priced_delete(line: int, attribute: str) -> Violation:
    """A price for what is left out."""
    en = f"'delete' of {attribute} is built in and worth nothing; leave it out"
    ja = f"{attribute} の 'delete' は常にあり、価値は 0 です"
    return _line_violation(line, "delete", "price", en, ja)


def missing_original(attribute: str) -> Violation:
    """An attribute without its own values as a pattern."""
    en, ja = "the pattern 'original' is missing", "パターン 'original' がありません"
    return _attribute_violation(attribute, "original", en, ja)


def merged_original(attribute: str, word: str) -> Violation:
    """An original pattern that is none."""
    en = f"'original' gives two values the word '{word}'; that is another pattern"
    ja = f"'original' で二つの値が同じ語 '{word}' です。別のパターンにしてください"
    return _attribute_violation(attribute, "original", en, ja)


def missing_value_word(attribute: str, pattern: str, value: str | None, rows: int) -> Violation:
    """A value of the data without a word."""
    shown = "(empty)" if value is None else value
    en = f"pattern '{pattern}' has no word for '{shown}' ({rows:,} rows)"
    ja = f"パターン '{pattern}' に '{shown}' の語がありません ({rows:,} 行)"
    return _attribute_violation(attribute, "missed-value", en, ja)
