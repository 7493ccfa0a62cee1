"""Infers anonymization methods from effect symbols alone, as paper 003 does in its Table 13.

    infer_methods({"U2": "×", "U3": "×", "S1": "○", "S2": "○"})    # ["A"]

Of all sets of the eight methods the one whose expected effects (the strongest of its methods) come
nearest to the symbols; of equally near ones the smallest, then the first in the alphabet.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from tokumei.tables.diagnosis.effect_symbols import (
    EXPECTED_SYMBOLS,
    METHOD_TITLES,
    expected_symbol,
)

SYMBOL_RANKS = {"U": {"-": 0, "△": 1, "×": 2}, "S": {"×": 0, "△": 1, "○": 2}}
ATTACK_RANKS = {"×": 0, "△": 1, "○": 2, "◎": 2}
MOST_METHODS = 4
"""More methods than this are not combined."""


def infer_methods(symbols: Mapping[str, str]) -> list[str]:
    """The letters of the methods whose expected effects come nearest to the symbols."""
    known = {name: symbol for name, symbol in symbols.items() if name in EXPECTED_SYMBOLS}
    candidates = [
        methods
        for count in range(MOST_METHODS + 1)
        for methods in combinations(METHOD_TITLES, count)
    ]
    distances = [_symbol_distance(known, methods) for methods in candidates]
    return list(candidates[distances.index(min(distances))])


def _symbol_distance(symbols: Mapping[str, str], methods: tuple[str, ...]) -> int:
    """Steps between the symbols and those that the methods should give together."""
    return sum(
        abs(_rank_symbol(name, symbol) - _rank_symbol(name, expected_symbol(name, methods)))
        for name, symbol in symbols.items()
    )


def _rank_symbol(measure: str, symbol: str) -> int:
    return SYMBOL_RANKS.get(measure[0], ATTACK_RANKS)[symbol]
