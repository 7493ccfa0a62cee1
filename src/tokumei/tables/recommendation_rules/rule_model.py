"""A recommendation rule: boxes of wanted values, and their notation.

    rule = RecommendationRule("magazine", (RuleBox({"sex": WantedValues(values=("男性",))}),))
    WantedValues(low="165", high="171")       # a range, either end may be open (None)
    parse_wanted("男性")                  # a name: a leaf, or a node above leaves
    parse_wanted("{男性;女性}")           # any of some names
    parse_wanted("[165;171]")             # a range with both ends
    parse_wanted("<=170")                 # open-ended; also ≤ >= ≥ < >
    parse_wanted("*")                     # None: anything

An attribute that a box does not name may have any value. A rule targets whoever lies in one of its
boxes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.generalized_cells import SUPPRESSED_CELL


@dataclass(frozen=True)
class WantedValues:
    """Values of one attribute: any of some names, or a range; `open_*`: without the end itself.

    `text`: as it was written; if that is the name of a node (`<=50K`), the node is meant.
    """

    values: tuple[str, ...] = ()
    low: str | None = None
    high: str | None = None
    open_low: bool = False
    open_high: bool = False
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        if self.values:
            return ", ".join(self.values)
        low = f"{'>' if self.open_low else '>='}{self.low}" if self.low is not None else ""
        high = f"{'<' if self.open_high else '<='}{self.high}" if self.high is not None else ""
        return " ".join(part for part in (low, high) if part)


@dataclass(frozen=True)
class RuleBox:
    """What is wanted of each attribute, all at once; with the lines they were read from."""

    wanted: Mapping[str, WantedValues]
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class RecommendationRule:
    """A recommendation and the boxes of those it is meant for."""

    name: str
    boxes: tuple[RuleBox, ...]


_COMPARISON = re.compile(r"(<=|>=|≤|≥|<|>)\s*(.+)")
_MONTH_PATTERN = re.compile(r"\d{4}-\d{1,2}")


def parse_wanted(text: str) -> WantedValues | None:
    """What a cell asks for; None for an empty cell or `*`."""
    text = text.strip()
    if text in ("", SUPPRESSED_CELL):
        return None
    if compared := _COMPARISON.fullmatch(text):
        sign, end = compared[1], compared[2].strip()
        if sign in ("<", "<=", "≤"):
            return WantedValues(high=end, open_high=sign == "<", text=text)
        return WantedValues(low=end, open_low=sign == ">", text=text)
    members = tuple(part.strip() for part in text[1:-1].split(";"))
    if text[0] == "{" and text[-1] == "}" and all(members):
        return WantedValues(values=members, text=text)
    if (
        text[0] == "["
        and text[-1] == "]"
        and len(members) == 2
        and all(map(_is_range_end, members))
    ):
        return WantedValues(low=members[0], high=members[1], text=text)
    return WantedValues(values=(text,))


def _is_range_end(text: str) -> bool:
    return not math.isnan(parse_number_or_day(text)) or _MONTH_PATTERN.fullmatch(text) is not None
