"""What is typed for an option, as values: names, pairs, numbers, shares.

split("age,sex")            # ("age", "sex")
joined(("a,b", "c"))        # '"a,b",c'
numbers("2-4,6", "--k")     # (2, 3, 4, 6)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from tokumei.core.errors import UsageError

MOST_VALUES = 1000
_NAME = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:,|$)|([^,]*)(?:,|$)')


def split(names: str) -> tuple[str, ...]:
    """`a,b,c` as names, each once; `"a,b",c` as in CSV: a quoted name stands for itself."""
    found = (
        quoted.replace('""', '"') if quoted else plain.strip()
        for quoted, plain in _NAME.findall(names)
    )
    return tuple(dict.fromkeys(name for name in found if name))


def joined(names: Iterable[str]) -> str:
    """Names as `split` reads them again: in quotation marks where they would not come back."""
    return ",".join(
        name if split(name) == (name,) and '"' not in name else _in_marks(name) for name in names
    )


def _in_marks(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def pairs(given: list[str] | tuple[str, ...], where: str = "") -> dict[str, str]:
    """`key=value` texts as a mapping."""
    found: dict[str, str] = {}
    at = f"{where} " if where else ""
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(
                f"{at}needs key=value, not '{pair}'",
                f"{at}は key=value と書いてください ('{pair}')",
            )
        found[key.strip()] = value.strip()
    return found


def numbers(given: str, where: str) -> tuple[int, ...]:
    """`2-20`, `2,3,6` or a mixture as whole numbers, each once, in the order given."""
    found: dict[int, None] = {}
    for part in split(given):
        low, dash, high = part.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise UsageError(
                f"{where} {given}: write 2-20 or 2,3,6",
                f"{where} {given}: 2-20 や 2,3,6 と書いてください",
            )
        if int(high or low) - int(low) >= MOST_VALUES:
            raise UsageError(
                f"{where} {given}: at most {MOST_VALUES:,} values",
                f"{where} {given}: {MOST_VALUES:,} 個までです",
            )
        found |= dict.fromkeys(range(int(low), int(high or low) + 1))
    if not found:
        raise UsageError(
            f"{where} {given}: name at least one value", f"{where} {given}: 値がありません"
        )
    return tuple(found)


def shares(given: str, where: str) -> tuple[float, ...]:
    """`0.25,0.5` as numbers."""
    return tuple(_number(part, float, where) for part in split(given))


def number_pairs(given: list[str], kind: type[Any], where: str) -> dict[str, Any]:
    """`item=2,price=1` as numbers by name."""
    named = pairs([part for text in given for part in split(text)], where)
    return {name: _number(value, kind, f"{where} {name}") for name, value in named.items()}


def share_pairs(given: Mapping[str, str], where: str) -> dict[str, float]:
    """`age=30%` or `age=0.3` as shares by name."""
    plain = [f"{name}={text.removesuffix('%')}" for name, text in given.items()]
    found = number_pairs(plain, Decimal, where)
    return {name: float(n / (100 if "%" in given[name] else 1)) for name, n in found.items()}


def _number(text: str, kind: type[Any], where: str) -> Any:
    try:
        return kind(text)
    except (ValueError, InvalidOperation):
        raise UsageError(
            f"{where}: '{text}' is not a {'whole ' if kind is int else ''}number",
            f"{where}: '{text}' は{'整数' if kind is int else '数'}ではありません",
        ) from None
