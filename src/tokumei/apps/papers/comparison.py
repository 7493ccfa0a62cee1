"""Compares published with computed values, cell by cell, and gives a verdict per line.

    compare_block(printed, ComputedBlock([[7, 7], [11, 10]]))   # with a verdict per line

A line is `equal`, `within` its tolerance, a `slip` of the paper (then ours is the right value), a
`twin` (computed on a reconstruction, look-alike data or fresh draws: never a reproduction), or it
`differs`. What cannot be computed stands as `printed`; what waits for real data says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeGuard

from tokumei.apps.papers.published_values import PaperCell, PublishedBlock
from tokumei.core.json_types import JsonObject, JsonValue
from tokumei.core.messages import Message
from tokumei.pages.curve_page import ChartPanel

BlockVerdict = Literal["equal", "within", "slip", "twin", "differs", "printed", "waiting"]
VERDICT_ORDER: tuple[BlockVerdict, ...] = (
    "printed",
    "waiting",
    "equal",
    "within",
    "twin",
    "slip",
    "differs",
)
VERDICT_LABELS: dict[BlockVerdict, Message] = {
    "equal": Message("equal"),
    "within": Message("within"),
    "slip": Message("slip"),
    "twin": Message("twin"),
    "differs": Message("differs"),
    "printed": Message("printed"),
    "waiting": Message("needs data"),
}
EXACT = 0.0
ROUNDING_ERROR = 1e-9
FORM_ONLY = None
"""The tolerance of what is compared in form only: figures are shown, and no difference counts."""
Tolerance = float | None | Mapping[str, float | None]


@dataclass(frozen=True)
class StatedValue:
    """Something that the paper states beside the table, and ours."""

    name: Message
    paper: object
    computed: object
    tolerance: float | None = EXACT
    corrected: object = None


@dataclass(frozen=True, eq=False)
class ComputedBlock:
    """What was computed for a block: rows beside the printed ones, None where there is nothing.

    `twin`: not on the paper's data. `form`: tolerance None, no difference counts.
    """

    rows: Sequence[Sequence[PaperCell] | None] = ()
    tolerance: Tolerance = EXACT
    twin: bool = False
    beside: Sequence[StatedValue] = ()
    note: Message | None = None
    panels: Sequence[ChartPanel] = ()


@dataclass(frozen=True)
class ComparedLine:
    """One line of a block."""

    cells: Sequence[object]
    computed: Sequence[object] | None
    difference: float | str | None
    tolerance: str
    verdict: BlockVerdict

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            "cells": [_to_json_value(cell) for cell in self.cells],
            "computed": None
            if self.computed is None
            else [_to_json_value(cell) for cell in self.computed],
            "difference": self.difference,
            "tolerance": self.tolerance,
            "verdict": self.verdict,
        }


def _to_json_value(cell: PaperCell) -> JsonValue:
    """As JSON can tell it."""
    if isinstance(cell, Message):
        return cell.show()
    return cell.isoformat() if isinstance(cell, date) else cell


@dataclass(frozen=True, eq=False)
class ComparedBlock:
    """A table or figure of a paper beside ours."""

    printed: PublishedBlock
    lines: Sequence[ComparedLine]
    note: Message | None = None
    needs: str | None = None
    panels: Sequence[ChartPanel] = field(default=(), repr=False)

    @property
    def verdict(self) -> BlockVerdict:
        """The gravest verdict of its lines."""
        return max(
            (line.verdict for line in self.lines), key=VERDICT_ORDER.index, default="printed"
        )

    def as_json(self) -> JsonObject:
        """As plain data."""
        slips: list[JsonValue] = [{**slip.texts()} for slip in self.printed.slips]
        return {
            "table": self.printed.id,
            "verdict": self.verdict,
            "columns": list(self.printed.columns),
            "rows": [line.as_json() for line in self.lines],
            "slips": slips,
            "needs": self.needs,
        }


def compare_block(printed: PublishedBlock, computed: ComputedBlock) -> ComparedBlock:
    """The block: every printed row beside the computed one, then what stands beside the table."""
    rows: list[Sequence[object] | None] = list(computed.rows)
    if rows and len(rows) != len(printed.rows):
        raise ValueError(f"{printed.id}: {len(rows)} rows computed, {len(printed.rows)} printed")
    rows = rows or [None] * len(printed.rows)
    lines = [
        _compare_row(printed, row_index, computed_row, computed)
        for row_index, computed_row in enumerate(rows)
    ] + [_compare_stated_value(stated_value, computed.twin) for stated_value in computed.beside]
    return ComparedBlock(printed, lines, computed.note, panels=computed.panels)


def block_awaiting_data(printed: PublishedBlock, needs: str) -> ComparedBlock:
    """The block as printed, and which data it needs."""
    lines = [ComparedLine(row, None, None, "", "waiting") for row in printed.rows]
    return ComparedBlock(
        printed, lines or [ComparedLine((), None, None, "", "waiting")], needs=needs
    )


def _compare_row(
    printed: PublishedBlock,
    row_index: int,
    computed_row: Sequence[object] | None,
    computed: ComputedBlock,
) -> ComparedLine:
    row = printed.rows[row_index]
    if computed_row is None:
        return ComparedLine(row, None, None, "", "printed")
    verdicts: list[BlockVerdict] = []
    widest: float | str | None = None
    tolerances: list[str] = []
    for name, paper, computed_cell in zip(printed.columns, row, computed_row, strict=True):
        if computed_cell is None:
            continue
        limit = column_tolerance(computed.tolerance, name)
        corrected = printed.corrected.get((row_index, name))
        verdict, difference = judge_cell(
            paper, computed_cell, limit, twin=computed.twin, corrected=corrected
        )
        verdicts.append(verdict)
        tolerances.append(format_tolerance(limit))
        widest = _larger_difference(widest, difference)
    verdict = max(verdicts, key=VERDICT_ORDER.index, default="printed")
    exact = format_tolerance(EXACT)
    limits = [tolerance for tolerance in dict.fromkeys(tolerances) if tolerance != exact] or [exact]
    return ComparedLine(row, list(computed_row), widest, " / ".join(limits), verdict)


def _compare_stated_value(stated_value: StatedValue, twin: bool) -> ComparedLine:
    verdict, difference = judge_cell(
        stated_value.paper,
        stated_value.computed,
        stated_value.tolerance,
        twin=twin,
        corrected=stated_value.corrected,
    )
    return ComparedLine(
        [stated_value.name, stated_value.paper],
        [None, stated_value.computed],
        difference,
        format_tolerance(stated_value.tolerance),
        verdict,
    )


def column_tolerance(tolerance: Tolerance, column: str) -> float | None:
    """The tolerance of a column."""
    return tolerance.get(column, EXACT) if isinstance(tolerance, Mapping) else tolerance


def format_tolerance(limit: float | None) -> str:
    """A tolerance as it is shown."""
    if limit is None:
        return "form"
    return "exact" if limit == EXACT else f"±{limit:.3g}"


def judge_cell(
    paper: object,
    computed: object,
    limit: float | None,
    *,
    twin: bool = False,
    corrected: object = None,
) -> tuple[BlockVerdict, float | str | None]:
    """The verdict on one cell, and by how much ours differs."""
    difference = _cell_difference(paper, computed)
    if limit is None:
        return "twin", difference
    if _agree_within(paper, computed, limit):
        exact = not difference
        return ("twin" if twin else "equal" if exact else "within"), difference
    if corrected is not None and _agree_within(corrected, computed, limit):
        return "slip", difference
    return "differs", difference


def _agree_within(paper: object, computed: object, limit: float) -> bool:
    if _is_number(paper) and _is_number(computed):
        return bool(abs(computed - paper) <= limit + ROUNDING_ERROR)
    return bool(_to_comparable(paper) == _to_comparable(computed))


def _cell_difference(paper: object, computed: object) -> float | str | None:
    if isinstance(paper, list) and isinstance(computed, list) and len(paper) == len(computed):
        widest: float | str | None = 0.0
        for published_cell, computed_cell in zip(paper, computed, strict=True):
            widest = _larger_difference(widest, _cell_difference(published_cell, computed_cell))
        return widest
    if _is_number(paper) and _is_number(computed):
        return float(computed - paper) if abs(computed - paper) > ROUNDING_ERROR else 0.0
    return 0.0 if _to_comparable(paper) == _to_comparable(computed) else "≠"


def _larger_difference(old: float | str | None, new: float | str | None) -> float | str | None:
    if isinstance(old, str) or isinstance(new, str):
        return "≠"
    return max(
        (difference for difference in (old, new) if difference is not None), key=abs, default=None
    )


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _to_comparable(value: object) -> object:
    return list(map(_to_comparable, value)) if isinstance(value, list | tuple) else str(value)
