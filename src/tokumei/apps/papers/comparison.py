"""Compares published with computed values, cell by cell, and gives a verdict per line.

    compare_block(printed, ComputedBlock([[7, 7], [11, 10]]))   # with a verdict per line

A line is `equal`, within the `rounding` of the printed digits, or of the same `form` (a check that
can fail). Otherwise it differs: by a `slip` of the paper whose right value is ours, in a way that
is `explained`, or not. What cannot be computed stands as `printed`, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from tokumei.apps.papers.agreement import (
    EXACT,
    half_last_digit,
    is_number,
    judge_cell,
    larger_difference,
)
from tokumei.apps.papers.published_values import PaperCell, PublishedBlock
from tokumei.apps.papers.verdicts import BlockVerdict, gravest_verdict
from tokumei.core.json_types import JsonObject, JsonValue
from tokumei.core.messages import Message
from tokumei.pages.curve_page import ChartPanel

Entry = TypeVar("Entry")
CellKey = tuple[int, str] | str
"""A cell by its row and column, or a whole column."""
MOST_SEEDS = 0.5
"""The share of seeds in which a form must hold, unless a check says otherwise."""


@dataclass(frozen=True)
class StatedValue:
    """A figure or word that the paper states beside the table, and ours.

    `slack`: what the rounding of the printed figures that ours is computed from may do.
    """

    name: Message
    paper: object
    computed: object
    decimals: int | None = None
    slack: float = EXACT
    corrected: object = None
    explanation: Message | None = None


@dataclass(frozen=True)
class FormCheck:
    """What must be alike though figures cannot be: the paper's form, and ours of every draw."""

    name: Message
    paper: object
    computed: Sequence[object]
    needed: float = MOST_SEEDS
    explanation: Message | None = None

    @property
    def held(self) -> int:
        """In how many draws ours has the paper's form."""
        return sum(form == self.paper for form in self.computed)

    @property
    def holds(self) -> bool:
        """Whether these are as many as must be."""
        return self.held > 0 and self.held >= self.needed * len(self.computed)


@dataclass(frozen=True, eq=False)
class ComputedBlock:
    """What was computed for a block: rows beside the printed ones, None where there is nothing.

    `slack`: what may come on top of rounding, of cells or columns that are computed from rounded
    figures; `illustrated`: ours are shown beside the printed rows and compared by `forms` alone;
    `why`: why what is only printed cannot be computed.
    """

    rows: Sequence[Sequence[PaperCell] | None] = ()
    slack: Mapping[CellKey, float] = field(default_factory=dict)
    explanations: Mapping[CellKey, Message] = field(default_factory=dict)
    illustrated: bool = False
    beside: Sequence[StatedValue] = ()
    forms: Sequence[FormCheck] = ()
    why: Message | None = None
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
    explanations: Sequence[Message] = ()

    def as_json(self) -> JsonObject:
        """As plain data."""
        explanations: list[JsonValue] = [{**message.texts()} for message in self.explanations]
        return {
            "cells": [_to_json_value(cell) for cell in self.cells],
            "computed": None
            if self.computed is None
            else [_to_json_value(cell) for cell in self.computed],
            "difference": self.difference,
            "tolerance": self.tolerance,
            "verdict": self.verdict,
            "explanations": explanations,
        }


def _to_json_value(cell: PaperCell) -> JsonValue:
    """As JSON can tell it."""
    if isinstance(cell, Message):
        return cell.show()
    if isinstance(cell, list | tuple):
        return [_to_json_value(element) for element in cell]
    return cell.isoformat() if isinstance(cell, date) else cell


@dataclass(frozen=True, eq=False)
class ComparedBlock:
    """A table or figure of a paper beside ours."""

    printed: PublishedBlock
    lines: Sequence[ComparedLine]
    note: Message | None = None
    why: Message | None = None
    needs: str | None = None
    panels: Sequence[ChartPanel] = field(default=(), repr=False)

    @property
    def verdict(self) -> BlockVerdict:
        """The gravest verdict of its lines."""
        return gravest_verdict([line.verdict for line in self.lines])

    def as_json(self) -> JsonObject:
        """As plain data."""
        slips: list[JsonValue] = [{**slip.texts()} for slip in self.printed.slips]
        return {
            "table": self.printed.id,
            "verdict": self.verdict,
            "columns": list(self.printed.columns),
            "rows": [line.as_json() for line in self.lines],
            "slips": slips,
            "why": None if self.why is None else {**self.why.texts()},
            "needs": self.needs,
        }


def compare_block(printed: PublishedBlock, computed: ComputedBlock) -> ComparedBlock:
    """Every printed row beside the computed one, then what stands beside the table, then forms."""
    rows: list[Sequence[object] | None] = list(computed.rows)
    if rows and len(rows) != len(printed.rows):
        raise ValueError(f"{printed.id}: {len(rows)} rows computed, {len(printed.rows)} printed")
    rows = rows or [None] * len(printed.rows)
    lines = [
        _compare_row(printed, row_index, computed_row, computed)
        for row_index, computed_row in enumerate(rows)
    ]
    lines += [_compare_stated_value(stated_value) for stated_value in computed.beside]
    lines += [_compare_form(form) for form in computed.forms]
    lines = lines or [ComparedLine((), None, None, "", "printed")]
    return ComparedBlock(printed, lines, computed.note, computed.why, panels=computed.panels)


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
    if computed.illustrated:
        return ComparedLine(row, list(computed_row), None, "", "printed")
    verdicts: list[BlockVerdict] = []
    widest: float | str | None = None
    limits: list[float] = []
    explanations: list[Message] = []
    for name, paper, computed_cell in zip(printed.columns, row, computed_row, strict=True):
        if computed_cell is None:
            continue
        limit = _rounding_limit(printed, name, paper) + _cell_entry(
            computed.slack, row_index, name, EXACT
        )
        explanation = _cell_entry(computed.explanations, row_index, name, None)
        verdict, difference = judge_cell(
            paper,
            computed_cell,
            limit,
            corrected=printed.corrected.get((row_index, name)),
            explained=explanation is not None,
        )
        verdicts.append(verdict)
        limits.append(limit)
        widest = larger_difference(widest, difference)
        if verdict == "explained" and explanation is not None:
            explanations.append(explanation)
    tolerance = format_tolerance(max(limits, default=EXACT))
    verdict = gravest_verdict(verdicts)
    unique = tuple(dict.fromkeys(explanations))
    return ComparedLine(row, list(computed_row), widest, tolerance, verdict, unique)


def _cell_entry(
    entries: Mapping[CellKey, Entry], row_index: int, column: str, default: Entry
) -> Entry:
    """What is said of a cell, else of its column."""
    own = entries.get((row_index, column))
    return entries.get(column, default) if own is None else own


def _rounding_limit(printed: PublishedBlock, column: str, paper: object) -> float:
    """Half of the last digit that the paper prints of a cell."""
    decimals = printed.entry.get("decimals")
    if isinstance(decimals, Mapping):
        decimals = decimals.get(column)
    return half_last_digit(paper, decimals) if is_number(paper) else EXACT


def _compare_stated_value(stated_value: StatedValue) -> ComparedLine:
    paper = stated_value.paper
    limit = stated_value.slack
    limit += half_last_digit(paper, stated_value.decimals) if is_number(paper) else EXACT
    verdict, difference = judge_cell(
        paper,
        stated_value.computed,
        limit,
        corrected=stated_value.corrected,
        explained=stated_value.explanation is not None,
    )
    explanation = stated_value.explanation if verdict == "explained" else None
    return ComparedLine(
        [stated_value.name, paper],
        [None, stated_value.computed],
        difference,
        format_tolerance(limit),
        verdict,
        () if explanation is None else (explanation,),
    )


def _compare_form(form: FormCheck) -> ComparedLine:
    counts = Message("{held:,} of {tried:,}", held=form.held, tried=len(form.computed))
    verdict: BlockVerdict = "form"
    if not form.holds:
        verdict = "differs" if form.explanation is None else "explained"
    explanation = None if form.holds else form.explanation
    return ComparedLine(
        [form.name],
        [counts],
        None,
        f"≥ {100 * form.needed:.3g} %",
        verdict,
        () if explanation is None else (explanation,),
    )


def format_tolerance(limit: float) -> str:
    """A tolerance as it is shown."""
    return "exact" if limit == EXACT else f"±{limit:.3g}"
