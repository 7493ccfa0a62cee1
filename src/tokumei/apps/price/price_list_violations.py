"""Violations that a price list can have, with line numbers."""

from __future__ import annotations

from decimal import Decimal

from tokumei.core.errors import Violation
from tokumei.core.messages import Message


def _line_violation(line: int | None, rule: str, column: str, reason: Message) -> Violation:
    if line is None:
        return Violation(rule=rule, column=column, message=reason)
    message = Message("line {line}: {reason}", line=line, reason=reason)
    return Violation(rule=rule, line=line, column=column, message=message)


def _attribute_violation(attribute: str, rule: str, reason: Message) -> Violation:
    message = Message("{column}: {reason}", column=attribute, reason=reason)
    return Violation(rule=rule, column=attribute, message=message)


def invalid_price(line: int | None, word: str, cell: str, reason: Message) -> Violation:
    """A price that cannot be one; no line: of a function."""
    message = Message(
        "'{word}' has the price '{cell}': {reason}", word=word, cell=cell, reason=reason
    )
    return _line_violation(line, "price", "price", message)


def invalid_date(line: int, cell: str) -> Violation:
    """A date that is none."""
    message = Message("'{cell}' is not a date (2026-11-16)", cell=cell)
    return _line_violation(line, "date", "date", message)


def invalid_intent(line: int, cell: str) -> Violation:
    """An intent that is none."""
    message = Message("'{cell}' is not an intent: will or be", cell=cell)
    return _line_violation(line, "intent", "intent", message)


def conflicting_prices(line: int, word: str, first: Decimal, second: Decimal) -> Violation:
    """Two prices for one word."""
    message = Message(
        "'{word}' costs {second}, but {first} further up; a word has one price",
        word=word,
        second=second,
        first=first,
    )
    return _line_violation(line, "two-prices", "price", message)


def conflicting_words(
    line: int, pattern: str, value: str | None, first: str, second: str
) -> Violation:
    """Two words for one value in one pattern."""
    message = Message(
        "pattern '{pattern}' maps '{cell}' to '{second}', but to '{first}' further up",
        pattern=pattern,
        cell=value or "",
        second=second,
        first=first,
    )
    return _line_violation(line, "two-words", "word", message)


def empty_cell(line: int, column: str) -> Violation:
    """A cell that must not be empty."""
    return _line_violation(line, "empty", column, Message("{column} is empty", column=column))


def priced_delete(line: int, attribute: str) -> Violation:
    """A price for what is left out."""
    message = Message(
        "'delete' of {attribute} is built in and worth nothing; leave it out", attribute=attribute
    )
    return _line_violation(line, "delete", "price", message)


def missing_original(attribute: str) -> Violation:
    """An attribute without its own values as a pattern."""
    message = Message("the pattern 'original' is missing")
    return _attribute_violation(attribute, "original", message)


def merged_original(attribute: str, word: str) -> Violation:
    """An original pattern that is none."""
    message = Message(
        "'original' gives two values the word '{word}'; that is another pattern", word=word
    )
    return _attribute_violation(attribute, "original", message)


def missing_value_word(attribute: str, pattern: str, value: str | None, rows: int) -> Violation:
    """A value of the data without a word."""
    if value is None:
        message = Message(
            "pattern '{pattern}' has no word for empty cells ({count} row)",
            plural="pattern '{pattern}' has no word for empty cells ({count:,} rows)",
            pattern=pattern,
            count=rows,
        )
    else:
        message = Message(
            "pattern '{pattern}' has no word for '{cell}' ({count} row)",
            plural="pattern '{pattern}' has no word for '{cell}' ({count:,} rows)",
            pattern=pattern,
            cell=value,
            count=rows,
        )
    return _attribute_violation(attribute, "missed-value", message)
