"""What a recommendation rule is: boxes of wanted values.

    rule = Rule("magazine", (Box({"sex": Wanted(values=("男性",))}),))
    Wanted(low="165", high="171")       # a range, either end may be open (None)

An attribute that a box does not name may have any value. A rule targets whoever lies in one of its
boxes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Wanted:
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
class Box:
    """What is wanted of each attribute, all at once; with the lines they were read from."""

    wanted: Mapping[str, Wanted]
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """A recommendation and the boxes of those it is meant for."""

    name: str
    boxes: tuple[Box, ...]
