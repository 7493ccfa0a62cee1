"""What can be wrong with a price list, line by line."""

from __future__ import annotations

from decimal import Decimal

from tokumei.core.errors import Fault
from tokumei.core.text import Text


def bad_price(line: int, word: str, cell: str, reason: Text) -> Fault:
    """A price that cannot be one."""
    return Fault(
        rule="price",
        line=line,
        column="price",
        message=Text(
            f"line {line}: '{word}' has the price '{cell}': {reason.en}",
            f"{line} 行目: '{word}' の価格 '{cell}': {reason.ja}",
        ),
    )


def bad_date(line: int, cell: str) -> Fault:
    """A date that is none."""
    return Fault(
        rule="date",
        line=line,
        column="date",
        message=Text(
            f"line {line}: '{cell}' is not a date (2026-11-16)",
            f"{line} 行目: '{cell}' は日付ではありません (2026-11-16)",
        ),
    )


def two_prices(line: int, word: str, first: Decimal, second: Decimal) -> Fault:
    """Two prices for one word."""
    return Fault(
        rule="two-prices",
        line=line,
        column="price",
        message=Text(
            f"line {line}: '{word}' costs {second}, but {first} further up; a word has one price",
            f"{line} 行目: '{word}' の価格が {second} です (前の行では {first})。"
            "一つの語の価格は一つです",
        ),
    )


def two_words(line: int, pattern: str, value: str | None, first: str, second: str) -> Fault:
    """Two words for one value in one pattern."""
    return Fault(
        rule="two-words",
        line=line,
        column="word",
        message=Text(
            f"line {line}: pattern '{pattern}' maps '{value or ''}' to '{second}', "
            f"but to '{first}' further up",
            f"{line} 行目: パターン '{pattern}' で '{value or ''}' が '{second}' です "
            f"(前の行では '{first}')",
        ),
    )


def empty_cell(line: int, column: str) -> Fault:
    """A cell that must not be empty."""
    return Fault(
        rule="empty",
        line=line,
        column=column,
        message=Text(f"line {line}: {column} is empty", f"{line} 行目: {column} が空です"),
    )


def worthy_delete(line: int, attribute: str) -> Fault:
    """A price for what is left out."""
    return Fault(
        rule="delete",
        line=line,
        column="price",
        message=Text(
            f"line {line}: 'delete' of {attribute} is built in and worth nothing; leave it out",
            f"{line} 行目: {attribute} の 'delete' は常にあり、価値は 0 です",
        ),
    )


def no_original(attribute: str) -> Fault:
    """An attribute without its own values as a pattern."""
    return Fault(
        rule="original",
        column=attribute,
        message=Text(
            f"{attribute}: the pattern 'original' is missing",
            f"{attribute}: パターン 'original' がありません",
        ),
    )


def merged_original(attribute: str, word: str) -> Fault:
    """An original pattern that is none."""
    return Fault(
        rule="original",
        column=attribute,
        message=Text(
            f"{attribute}: 'original' gives two values the word '{word}'; that is another pattern",
            f"{attribute}: 'original' で二つの値が同じ語 '{word}' です。別のパターンにしてください",
        ),
    )


def missed_value(attribute: str, pattern: str, value: str | None, rows: int) -> Fault:
    """A value of the data without a word."""
    shown = "(empty)" if value is None else value
    return Fault(
        rule="missed-value",
        column=attribute,
        message=Text(
            f"{attribute}: pattern '{pattern}' has no word for '{shown}' ({rows:,} rows)",
            f"{attribute}: パターン '{pattern}' に '{shown}' の語がありません ({rows:,} 行)",
        ),
    )
