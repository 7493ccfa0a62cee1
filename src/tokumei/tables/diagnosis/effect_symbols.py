"""Tables 7 and 10 of the paper: methods, expected effects, symbols of measured ones.

Utility: × much harmed, △ a little, − kept. Safety by structure: ○ raised, × not. Attacks: ◎ weaker
than a blind guess, ○ as good as one, △ up to `times` as good, × better.

The paper's own Table 13 follows fixed limits instead (`Thresholds(paper=True)`): see PAPER.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.core.attack_rates import AttackRate
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.json_types import JsonObject
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import scale_for_squares

METHOD_TITLES: dict[str, Message] = {
    "A": Message("k-anonymize"),
    "B": Message("noise"),
    "C": Message("Yamaoka"),
    "D": Message("unify QI outside the cross table"),
    "E": Message("unify QI inside the cross table"),
    "F": Message("microaggregate"),
    "G": Message("swap in QI"),
    "H": Message("delete rows"),
}


@dataclass(frozen=True)
class Evidence:
    """Why a method was found; `share` of the rows, cells or classes that show it."""

    method: str
    text: Message
    share: float

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            "method": self.method,
            **METHOD_TITLES[self.method].as_json("name"),
            **self.text.as_json("evidence"),
            "share": self.share,
        }


#            A    B    C    D    E    F    G    H
EXPECTED_SYMBOLS = {
    "U1": "- △ - - - - - ×",
    "U2": "× △ - - × - - ×",
    "U3": "× △ - - × - - ×",
    "U4": "- △ - - - × × ×",
    "U5": "- △ × - - × × ×",
    "U6": "- - - - - - - ×",
    "S1": "○ × × × × × × ×",
    "S2": "○ × × ○ ○ × × ×",
    "E1": "△ × ○ △ △ × × ×",
    "E2": "△ × ○ △ △ × △ ×",
    "E3": "× △ ○ × × ○ ○ ×",
    "E4": "× △ ○ × × ○ △ ×",
    "EUC1": "△ × ○ △ △ × ○ ×",
}
SYMBOL_ORDER = {"U": "-△×", "S": "×○", "E": "×△○"}


@dataclass(frozen=True)
class Thresholds:
    """When a loss counts as large, and when an attack as better than chance.

    `harm`: share of the column's scale above which a loss is × and not △ (scale: the mean sd of
    the SA, of which a text has 1, for U1 and U2, the mean cell count for U3, 1 for U4 and U5, the
    rows for U6).
    `times`: how many times the blind guess an attack may reach and still be △.
    `paper`: the limits behind the paper's Table 13 instead, whatever the data's scale.
    """

    harm: float = 0.05
    times: float = 3.0
    paper: bool = False


ATTACK_LIMITS = (("◎", 0.0), ("○", 0.01), ("△", 0.1), ("×", float("inf")))
PAPER_LIMITS = {
    "U1": (("-", 0.0), ("×", float("inf"))),
    "U2": (("-", 0.0), ("×", float("inf"))),
    "U3": (("-", 0.0), ("△", 2.0), ("×", float("inf"))),
    "U4": (("-", 0.005), ("△", 0.1), ("×", float("inf"))),
    "U5": (("-", 0.005), ("△", float("inf"))),
    "U6": (("-", 0.0), ("×", float("inf"))),
    "S1": (("×", 2.0), ("△", 5.0), ("○", float("inf"))),
    "S2": (("×", 3.0), ("△", 10.0), ("○", float("inf"))),
}
"""The first symbol whose limit a figure is below (or at, if it is 0), as the paper's Table 13 has
them for its twelve releases; an attack's in `ATTACKS`, which 58 of its 60 cells follow."""


def paper_symbol(measure: str, value: float) -> str:
    """The symbol that the paper's Table 13 would have for a figure."""
    limits = PAPER_LIMITS.get(measure, ATTACK_LIMITS)
    return next((symbol for symbol, limit in limits if value < limit or value == limit == 0), "×")


@dataclass(frozen=True)
class Effect:
    """One row of the table: the paper's expectation beside what was measured."""

    measure: str
    expected: str
    measured: str
    value: float

    def as_json(self) -> JsonObject:
        """As plain data."""
        return dict(vars(self))


def expected_symbol(measure: str, methods: Sequence[str]) -> str:
    """The paper's symbol; for several methods the strongest effect, for none the weakest."""
    order = SYMBOL_ORDER[measure[0]]
    column = EXPECTED_SYMBOLS[measure].split()
    symbols = [column["ABCDEFGH".index(method)] for method in methods]
    return max(symbols, key=order.index) if symbols else order[0]


def compare_effects(
    case: Comparison,
    scores: Mapping[str, Score],
    rates: Mapping[str, AttackRate],
    methods: Sequence[str],
    limits: Thresholds,
) -> list[Effect]:
    """The paper's table for the methods found, beside the measured symbols."""
    table = []
    for measure in (name for name in EXPECTED_SYMBOLS if name in rates or name in scores):
        if measure in rates:
            value, symbol = rates[measure].rate, _attack_symbol(rates[measure], limits)
        else:
            value = scores[measure].value
            symbol = _measure_symbol(case, measure, value, limits)
        table.append(Effect(measure, expected_symbol(measure, methods), symbol, value))
    return table


def _measure_symbol(case: Comparison, measure: str, value: float, limits: Thresholds) -> str:
    if limits.paper:
        return paper_symbol(measure, value)
    if measure[0] == "S":
        sizes = np.bincount(equivalence_class_codes(case.original.frame, case.qi))
        before = float(sizes.min() if measure == "S1" else sizes.mean())
        return "○" if value > before * (1 + 1e-9) else "×"
    scale = _measure_scale(case, measure)
    if value <= 1e-12 * scale:
        return "-"
    return "×" if value > limits.harm * scale else "△"


def _measure_scale(case: Comparison, measure: str) -> float:
    if measure in ("U1", "U2"):
        sds = [*_standard_deviations(case.sa_original), *(1.0 for _ in case.text_sa)]
        return float(np.mean(sds)) if case.sa else 1.0
    if measure == "U3":
        return float(np.bincount(equivalence_class_codes(case.original.frame, case.cross)).mean())
    return float(case.original.rows) if measure == "U6" else 1.0


def _standard_deviations(values: np.ndarray) -> np.ndarray:
    """The standard deviation of every column, also of numbers that have no square."""
    small = scale_for_squares(values)
    changed = (small != values) & np.isfinite(values)
    size = np.where(changed, np.abs(values), 1.0).max(axis=0, initial=1.0)
    return np.asarray(np.nanstd(small, axis=0) * size)


def _attack_symbol(rate: AttackRate, limits: Thresholds) -> str:
    if limits.paper:
        return paper_symbol("E", rate.rate)
    if rate.rate < rate.baseline:
        return "◎"
    if rate.low <= rate.baseline:
        return "○"
    return "△" if rate.rate <= limits.times * rate.baseline else "×"
