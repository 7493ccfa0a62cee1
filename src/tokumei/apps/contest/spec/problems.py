"""Describes what pydantic finds wrong with a value of a file that people write.

describe_problem("quotas.megabytes", error.errors()[0])
"""

from __future__ import annotations

import reprlib

from pydantic_core import ErrorDetails

from tokumei.core.messages import OR, Message, join_messages

PROBLEM_MESSAGES = {
    "missing": Message("{key} is needed"),
    "extra_forbidden": Message("{key} is not a known key"),
    "timezone_aware": Message(
        "{key} has no time zone: {value}; write a time such as 2026-11-16T09:00:00+09:00"
    ),
    "datetime_from_date_parsing": Message(
        "{key} must be a time such as 2026-11-16T09:00:00+09:00, not {value}"
    ),
    "int_type": Message("{key} must be a whole number, not {value}"),
    "int_parsing": Message("{key} must be a whole number, not {value}"),
    "float_type": Message("{key} must be a number, not {value}"),
    "float_parsing": Message("{key} must be a number, not {value}"),
    "bool_parsing": Message("{key} must be true or false, not {value}"),
    "string_type": Message("{key} must be text, not {value}"),
    "dict_type": Message("{key} must be a mapping of keys to values, not {value}"),
    "model_type": Message("{key} must be a mapping of keys to values, not {value}"),
    "tuple_type": Message("{key} must be a list, not {value}"),
    "too_short": Message("{key} must not be empty"),
    "enum": Message("{key} must be {choices}, not {value}"),
    "literal_error": Message("{key} must be {choices}, not {value}"),
    "string_pattern_mismatch": Message("{key} takes {letters}, not {value}"),
    "greater_than": Message("{key} must be more than {bound}, not {value}"),
    "greater_than_equal": Message("{key} must be {bound} or more, not {value}"),
    "less_than": Message("{key} must be less than {bound}, not {value}"),
    "less_than_equal": Message("{key} must be {bound} or less, not {value}"),
    "value_error": Message("{key}: {reason}"),
}
PATTERN_WORDS = {
    r"^[a-z0-9][a-z0-9-]{0,39}$": Message(
        "1 to 40 small letters a–z, digits and hyphens, no hyphen first"
    ),
    r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$": Message(
        "the name of a file of 1 to 100 letters A–Z and a–z, digits, '_', '-' and '.'"
    ),
}
"""The forms of texts in contest.yaml (`Slug`, `FileName`)."""
OTHER_LETTERS = Message("another kind of text")
OTHER_PROBLEM = Message("{key} has a value that cannot be used, {value}: {reason}")
_BOUND_NAMES = ("gt", "ge", "lt", "le")


def describe_problem(key: str, problem: ErrorDetails) -> Message:
    """A sentence about one problem of the value at a key."""
    context = problem.get("ctx", {})
    return PROBLEM_MESSAGES.get(problem["type"], OTHER_PROBLEM).fill(
        key=key,
        value=reprlib.repr(problem["input"]),
        bound=next((context[name] for name in _BOUND_NAMES if name in context), None),
        letters=_describe_pattern(str(context.get("pattern"))),
        choices=join_messages(_list_choices(str(context.get("expected", ""))), last=OR),
        reason=_reason_of(problem),
    )


def _describe_pattern(pattern: str) -> Message:
    """What a text may hold, in words: nobody is shown a regular expression."""
    return PATTERN_WORDS.get(pattern, OTHER_LETTERS)


def _list_choices(expected: str) -> list[str]:
    """The choices that pydantic lists: 'a', 'b' or 'c'."""
    return expected.replace(" or ", ", ").split(", ")


def _reason_of(problem: ErrorDetails) -> Message:
    """What a validator of ours says, or pydantic in English."""
    error = problem.get("ctx", {}).get("error")
    reason = error.args[0] if isinstance(error, ValueError) and error.args else problem["msg"]
    return reason if isinstance(reason, Message) else Message.verbatim(str(reason))
