"""Which formats a contest may have: those that kinds of data bring judges for.

contest_format("table").judge.files          # ("original",)

A kind without a judge of its own can be played with the basic one, in any of its formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.core.errors import UnknownNameError
from tokumei.core.judging import FormatJudge
from tokumei.core.kind import Kind
from tokumei.core.lazy import load
from tokumei.core.text import Text
from tokumei.kinds import all_kinds

BASIC = "tokumei.basic.judge:BasicJudge"


@dataclass(frozen=True)
class ContestFormat:
    """A format, the kind of data it belongs to, and where its judge stands."""

    name: str
    kind: Kind
    home: str

    @property
    def judge(self) -> type[FormatJudge[Any, Any]]:
        """The judge's class, imported when first needed."""
        found: type[FormatJudge[Any, Any]] = load(self.home)
        return found


def contest_formats() -> dict[str, ContestFormat]:
    """All of them by name, sorted; of two kinds with one name, the first has it."""
    found: dict[str, ContestFormat] = {}
    for kind in all_kinds():
        homes = kind.judges or dict.fromkeys(kind.formats.names(), BASIC)
        for name, home in homes.items():
            found.setdefault(name, ContestFormat(name, kind, home))
    return dict(sorted(found.items()))


def contest_format(name: str) -> ContestFormat:
    """The format of this name."""
    found = contest_formats()
    if name not in found:
        raise UnknownNameError(Text("format", "形式"), name, found)
    return found[name]
