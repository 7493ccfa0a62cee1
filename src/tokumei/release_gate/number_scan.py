"""Judges digits without separators, which pass a check digit by chance.

Numbers of one length in one column are judged together: if nine in ten fit a scheme that accepts
few numbers by chance, they are its numbers. A long number among short ones or among words is
judged alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from tokumei.release_gate.identity_numbers import plain_number_schemes

_DIGITS = re.compile(r"\d{8,20}")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_VALID_SHARE, _CHANCE = 0.9, 0.3
_ENOUGH, _TRIALS = 8, 200
JUDGED_ALIKE = 2_000
"""Of more numbers of one length, so many decide."""
_OUTLYING_DIGITS = 3


def scan_plain_numbers(pieces: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The forms of numbers without separators, with how many cells have them."""
    by_length: dict[int, list[str]] = defaultdict(list)
    for piece in pieces:
        if _DIGITS.fullmatch(piece):
            by_length[len(piece)].append(piece)
    lengths = sorted(
        len(piece.partition(".")[0].lstrip("+-")) for piece in pieces if _NUMBER.fullmatch(piece)
    )
    for length, numbers in by_length.items():
        form = _judge_group(numbers, length) or _judge_outliers(
            numbers, length, lengths, len(pieces)
        )
        if form is not None:
            yield form, sum(pieces[number] for number in numbers)


def _judge_group(numbers: list[str], length: int) -> str | None:
    if len(numbers) < _ENOUGH:
        return None
    counts: dict[str, int] = defaultdict(int)
    judged = sorted(numbers, key=lambda number: number[::-1])[:JUDGED_ALIKE]
    for number in judged:
        for scheme in plain_number_schemes(number):
            counts[scheme] += 1
    for scheme, count in counts.items():
        if count >= _VALID_SHARE * len(judged) and _chance(length).get(scheme, 0) <= _CHANCE:
            return "card" if scheme == "card" else "identity-number"
    return None


def _judge_outliers(numbers: list[str], length: int, lengths: list[int], pieces: int) -> str | None:
    """Few numbers that are much longer than nearly all others and fit a scheme.

    Where nothing else is a number, few are so many among the codes of the column.
    """
    others = [other for other in lengths if other != length]
    all_others = len(lengths) if others else pieces
    if len(numbers) >= max(_ENOUGH, all_others // 20):
        return None
    if not others and pieces < 2 * len(numbers):
        return None
    if others and length < others[int(0.95 * (len(others) - 1))] + _OUTLYING_DIGITS:
        return None
    valid = any(plain_number_schemes(number) for number in numbers)
    return "identity-number" if valid else None


@cache
def _chance(length: int) -> dict[str, float]:
    """What share of all numbers of a length fits each scheme."""
    counts: dict[str, int] = defaultdict(int)
    state = 12345
    for _ in range(_TRIALS):
        digits = ""
        while len(digits) < length:
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            digits += str(state >> 33)
        for scheme in plain_number_schemes(digits[-length:]):
            counts[scheme] += 1
    return {scheme: count / _TRIALS for scheme, count in counts.items()}
