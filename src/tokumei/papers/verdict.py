"""Paper beside computed, cell by cell, and what to think of it.

    compare(printed, Found([[7, 7], [11, 10]]))     # a Block with a verdict per line

A line is `equal`, `within` its tolerance, a `slip` of the paper (then ours is the right value), a
`twin` (computed on a reconstruction, look-alike data or fresh draws: never a reproduction), or it
`differs`. What cannot be computed stands as `printed`; what waits for real data says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from tokumei.core.text import Text
from tokumei.papers.printed import Printed
from tokumei.report.curve_page import Panel

Verdict = Literal["equal", "within", "slip", "twin", "differs", "printed", "waiting"]
ORDER: tuple[Verdict, ...] = ("printed", "waiting", "equal", "within", "twin", "slip", "differs")
WORDS: dict[Verdict, Text] = {
    "equal": Text("equal", "一致"),
    "within": Text("within", "許容内"),
    "slip": Text("slip", "論文の誤記"),
    "twin": Text("twin", "再構成"),
    "differs": Text("differs", "不一致"),
    "printed": Text("printed", "掲載のみ"),
    "waiting": Text("needs data", "要データ"),
}
EXACT = 0.0
ROUNDING = 1e-9
FORM = None
"""The tolerance of what is compared in form only: figures are shown, and no difference counts."""
Tolerance = float | None | Mapping[str, float | None]


@dataclass(frozen=True)
class Beside:
    """Something that the paper states beside the table, and ours."""

    name: Text
    paper: Any
    computed: Any
    tolerance: float | None = EXACT
    corrected: Any = None


@dataclass(frozen=True, eq=False)
class Found:
    """What was computed for a block: rows beside the printed ones, None where there is nothing.

    `twin`: not on the paper's data. `form`: tolerance None, no difference counts.
    """

    rows: Sequence[Sequence[Any] | None] = ()
    tolerance: Tolerance = EXACT
    twin: bool = False
    beside: Sequence[Beside] = ()
    note: Text | None = None
    panels: Sequence[Panel] = ()


@dataclass(frozen=True)
class Line:
    """One line of a block."""

    cells: Sequence[Any]
    computed: Sequence[Any] | None
    difference: float | str | None
    tolerance: str
    verdict: Verdict

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "cells": [_as_data(cell) for cell in self.cells],
            "computed": self.computed and [_as_data(cell) for cell in self.computed],
            "difference": self.difference,
            "tolerance": self.tolerance,
            "verdict": self.verdict,
        }


def _as_data(cell: Any) -> Any:
    """As JSON can tell it."""
    if isinstance(cell, Text):
        return cell.show()
    return cell.isoformat() if isinstance(cell, date) else cell


@dataclass(frozen=True, eq=False)
class Block:
    """A table or figure of a paper beside ours."""

    printed: Printed
    lines: Sequence[Line]
    note: Text | None = None
    needs: str | None = None
    panels: Sequence[Panel] = field(default=(), repr=False)

    @property
    def verdict(self) -> Verdict:
        """The gravest verdict of its lines."""
        return max((line.verdict for line in self.lines), key=ORDER.index, default="printed")

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        slips = [{"en": slip.en, "ja": slip.ja} for slip in self.printed.slips]
        return {
            "table": self.printed.id,
            "verdict": self.verdict,
            "columns": list(self.printed.columns),
            "rows": [line.as_json() for line in self.lines],
            "slips": slips,
            "needs": self.needs,
        }


def compare(printed: Printed, found: Found) -> Block:
    """The block: every printed row beside the computed one, then what stands beside the table."""
    rows: list[Sequence[Any] | None] = list(found.rows)
    if rows and len(rows) != len(printed.rows):
        raise ValueError(f"{printed.id}: {len(rows)} rows computed, {len(printed.rows)} printed")
    rows = rows or [None] * len(printed.rows)
    lines = [_line(printed, place, mine, found) for place, mine in enumerate(rows)] + [
        _beside(one, found.twin) for one in found.beside
    ]
    return Block(printed, lines, found.note, panels=found.panels)


def waiting(printed: Printed, needs: str) -> Block:
    """The block as printed, and which data it needs."""
    lines = [Line(row, None, None, "", "waiting") for row in printed.rows]
    return Block(printed, lines or [Line((), None, None, "", "waiting")], needs=needs)


def _line(printed: Printed, place: int, mine: Sequence[Any] | None, found: Found) -> Line:
    row = printed.rows[place]
    if mine is None:
        return Line(row, None, None, "", "printed")
    verdicts: list[Verdict] = []
    widest: float | str | None = None
    told: list[str] = []
    for name, paper, ours in zip(printed.columns, row, mine, strict=True):
        if ours is None:
            continue
        limit = tolerance_of(found.tolerance, name)
        right = printed.corrected.get((place, name))
        verdict, difference = judge(paper, ours, limit, twin=found.twin, corrected=right)
        verdicts.append(verdict)
        told.append(limit_words(limit))
        widest = _wider(widest, difference)
    verdict = max(verdicts, key=ORDER.index, default="printed")
    exact = limit_words(EXACT)
    limits = [one for one in dict.fromkeys(told) if one != exact] or [exact]
    return Line(row, list(mine), widest, " / ".join(limits), verdict)


def _beside(one: Beside, twin: bool) -> Line:
    verdict, difference = judge(
        one.paper, one.computed, one.tolerance, twin=twin, corrected=one.corrected
    )
    return Line(
        [one.name, one.paper], [None, one.computed], difference, limit_words(one.tolerance), verdict
    )


def tolerance_of(given: Tolerance, column: str) -> float | None:
    """The tolerance of a column."""
    return given.get(column, EXACT) if isinstance(given, Mapping) else given


def limit_words(limit: float | None) -> str:
    """A tolerance as it is shown."""
    if limit is None:
        return "form"
    return "exact" if limit == EXACT else f"±{limit:.3g}"


def judge(
    paper: Any, ours: Any, limit: float | None, *, twin: bool = False, corrected: Any = None
) -> tuple[Verdict, float | str | None]:
    """The verdict on one cell, and by how much ours differs."""
    difference = _difference(paper, ours)
    if limit is None:
        return "twin", difference
    if _agrees(paper, ours, limit):
        exact = not difference
        return ("twin" if twin else "equal" if exact else "within"), difference
    if corrected is not None and _agrees(corrected, ours, limit):
        return "slip", difference
    return "differs", difference


def _agrees(paper: Any, ours: Any, limit: float) -> bool:
    if _number(paper) and _number(ours):
        return bool(abs(ours - paper) <= limit + ROUNDING)
    return bool(_plain(paper) == _plain(ours))


def _difference(paper: Any, ours: Any) -> float | str | None:
    if isinstance(paper, list) and isinstance(ours, list) and len(paper) == len(ours):
        widest: float | str | None = 0.0
        for one, other in zip(paper, ours, strict=True):
            widest = _wider(widest, _difference(one, other))
        return widest
    if _number(paper) and _number(ours):
        return float(ours - paper) if abs(ours - paper) > ROUNDING else 0.0
    return 0.0 if _plain(paper) == _plain(ours) else "≠"


def _wider(old: float | str | None, new: float | str | None) -> float | str | None:
    if isinstance(old, str) or isinstance(new, str):
        return "≠"
    return max((x for x in (old, new) if x is not None), key=abs, default=None)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    return list(map(_plain, value)) if isinstance(value, list | tuple) else str(value)
