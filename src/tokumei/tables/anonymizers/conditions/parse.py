"""Conditions from the command line: "l=3", "entropy-l=3", "recursive=3,2", "t=0.2", …"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.tables.anonymizers.conditions.closeness import (
    EqualCloseness,
    HierarchicalCloseness,
    OrderedCloseness,
)
from tokumei.tables.anonymizers.conditions.diversity import Alpha, DistinctL, EntropyL, RecursiveL
from tokumei.tables.anonymizers.conditions.likeness import BasicBeta, Delta, EnhancedBeta
from tokumei.tables.anonymizers.conditions.protocol import Condition

CONDITIONS: dict[str, tuple[Callable[..., Condition], tuple[type, ...]]] = {
    "l": (DistinctL, (int,)),
    "entropy-l": (EntropyL, (float,)),
    "recursive": (RecursiveL, (float, int)),
    "alpha": (Alpha, (float,)),
    "t": (EqualCloseness, (float,)),
    "t-ordered": (OrderedCloseness, (float,)),
    "t-hierarchical": (HierarchicalCloseness, (float,)),
    "beta": (BasicBeta, (float,)),
    "enhanced-beta": (EnhancedBeta, (float,)),
    "delta": (Delta, (float,)),
}
"""What each name builds, and the kinds of its numbers."""


def condition_name(text: str) -> str:
    """The name before the `=`."""
    name = text.partition("=")[0].strip()
    if name not in CONDITIONS:
        raise UnknownNameError(Text("condition", "条件"), name, CONDITIONS)
    return name


def parse_condition(text: str, *, levels: Sequence[Sequence[int]] | None = None) -> Condition:
    """The condition `name=number`; `recursive=c,l` takes two. `levels`: for t-hierarchical."""
    name = condition_name(text)
    _, equals, rest = text.partition("=")
    build, kinds = CONDITIONS[name]
    parts = rest.split(",") if equals else []
    if len(parts) != len(kinds):
        raise _wrong(text, name)
    try:
        numbers = [kind(part) for kind, part in zip(kinds, parts, strict=True)]
    except ValueError:
        raise _wrong(text, name) from None
    if name != "t-hierarchical":
        return build(*numbers)
    if levels is None:
        raise UsageError(
            "t-hierarchical needs a hierarchy of the sensitive column",
            "t-hierarchical には機密属性の階層が必要です",
        )
    return build(*numbers, tuple(tuple(level) for level in levels))


def _wrong(text: str, name: str) -> UsageError:
    kinds = CONDITIONS[name][1]
    example = ",".join("2" if kind is int else "0.5" for kind in kinds)
    whole = " (l is a whole number)" if int in kinds else ""
    whole_ja = " (l は整数)" if int in kinds else ""
    return UsageError(
        f"'{text}' is not a condition; write it like {name}={example}{whole}",
        f"'{text}' は条件ではありません。{name}={example} のように書いてください{whole_ja}",
    )
