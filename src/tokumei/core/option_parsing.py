"""Parses option texts to names, pairs, numbers and shares.

split("age,sex")            # ("age", "sex")
joined(("a,b", "c"))        # '"a,b",c'
numbers("2-4,6", "--k")     # (2, 3, 4, 6)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message

Number = TypeVar("Number", int, float, Decimal)
MAX_VALUES = 1000
_QUOTED_OR_PLAIN = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:,|$)|([^,]*)(?:,|$)')


def split_names(names: str) -> tuple[str, ...]:
    """`a,b,c` as names, each once; `"a,b",c` as in CSV: a quoted name stands for itself."""
    unquoted = (
        quoted.replace('""', '"') if quoted else plain.strip()
        for quoted, plain in _QUOTED_OR_PLAIN.findall(names)
    )
    return tuple(dict.fromkeys(name for name in unquoted if name))


def join_names(names: Iterable[str]) -> str:
    """Names as `split` reads them again: in quotation marks where they would not come back."""
    return ",".join(
        name if split_names(name) == (name,) and '"' not in name else _quote_name(name)
        for name in names
    )


def _quote_name(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def parse_pairs(pairs: list[str] | tuple[str, ...], where: str) -> dict[str, str]:
    """`key=value` texts as a mapping."""
    mapping: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError("{where} needs key=value, not '{pair}'", where=where, pair=pair)
        mapping[key.strip()] = value.strip()
    return mapping


def parse_integers(text: str, where: str) -> tuple[int, ...]:
    """`2-20`, `2,3,6` or a mixture as whole numbers, each once, in the order given."""
    values: dict[int, None] = {}
    for part in split_names(text):
        low, dash, high = part.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise UsageError("{where} {text}: write 2-20 or 2,3,6", where=where, text=text)
        if int(high or low) - int(low) >= MAX_VALUES:
            raise UsageError(
                "{where} {text}: at most {most:,} values",
                where=where,
                text=text,
                most=MAX_VALUES,
            )
        values |= dict.fromkeys(range(int(low), int(high or low) + 1))
    if not values:
        raise UsageError("{where} {text}: name at least one value", where=where, text=text)
    return tuple(values)


def parse_shares(text: str, where: str) -> tuple[float, ...]:
    """`0.25,0.5` as numbers."""
    return tuple(_parse_number(part, float, where) for part in split_names(text))


def parse_number_pairs(texts: list[str], kind: type[Number], where: str) -> dict[str, Number]:
    """`item=2,price=1` as numbers by name."""
    texts_by_name = parse_pairs([part for text in texts for part in split_names(text)], where)
    return {
        name: _parse_number(value, kind, f"{where} {name}") for name, value in texts_by_name.items()
    }


def parse_share_pairs(texts: Mapping[str, str], where: str) -> dict[str, float]:
    """`age=30%` or `age=0.3` as shares by name."""
    plain = [f"{name}={text.removesuffix('%')}" for name, text in texts.items()]
    decimals = parse_number_pairs(plain, Decimal, where)
    return {name: float(n / (100 if "%" in texts[name] else 1)) for name, n in decimals.items()}


def _parse_number(text: str, kind: type[Number], where: str) -> Number:
    try:
        return kind(text)
    except (ValueError, InvalidOperation):
        problem = (
            Message("{where}: '{text}' is not a whole number", where=where, text=text)
            if kind is int
            else Message("{where}: '{text}' is not a number", where=where, text=text)
        )
        raise UsageError(problem) from None
