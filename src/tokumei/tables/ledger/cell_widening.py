"""Widens the cells of some classes, so that their ends reveal nothing.

A random share of the classes gets a cell a step wider than its rows need; where the hull alone
would give a column's values away, always, by a random number of steps. Whoever knows the method
cannot tell any more which ends are somebody's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import (
    MISSING_SIGN,
    SUPPRESSED_CELL,
    Cell,
    CellShape,
    canonicalize_column,
)
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.ledger.tight_cell_disclosure import ClassHulls

MAX_STEPS = 3
METHOD_NAME = "slack"


@dataclass(frozen=True)
class CellWidening(TableMethod):
    """What a method makes, with slack in a share of the classes."""

    name: ClassVar[str] = METHOD_NAME
    title: ClassVar[Message] = Message("With slack")
    sentence: ClassVar[Message] = Message(
        "Widens the cells of some classes by a step, so that their ends prove nothing."
    )
    leaves_open: ClassVar[Message] = Message("Everything else that the method leaves open.")

    method: TableMethod
    share: float

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise UsageError("--slack is a share above 0, up to 1, not {share}", share=self.share)

    def prepare(self) -> None:
        """What the method needs."""
        self.method.prepare()

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Apply the method, then widen."""
        changed = self.method.change(step, rng=rng.child(self.method.name))
        qi = [name for name in changed.table.schema.qi if name in step.table.schema.names]
        frame = changed.table.frame
        hulls = ClassHulls.of_frame(frame, qi)
        known, general = hulls.known(), hulls.general()
        draw = rng.child(METHOD_NAME).generator
        is_widened = draw.random(len(hulls.sizes)) < self.share
        widened = {
            name: _widen_column(
                frame[name],
                hulls,
                hulls.cells[name],
                _sorted_domain(step.table.frame[name]),
                np.flatnonzero((is_widened & general[name]) | (general[name] & known[name])),
                draw,
            )
            for name in qi
        }
        public = changed.table.with_frame(frame.with_columns(**widened))
        return replace(changed, table=public)

    def describe(self) -> list[dict[str, object]]:
        """The method, and that there is slack."""
        return [*self.method.describe(), {"method": METHOD_NAME, "share": self.share}]


def _sorted_domain(column: pl.Series) -> list[str]:
    """The values of a column, numbers and days in order."""
    texts = canonicalize_column(column).unique().drop_nulls().to_list()
    ordered = not any(np.isnan(parse_number_or_day(text)) for text in texts)
    return sorted(texts, key=parse_number_or_day if ordered else None)


def _widen_column(
    column: pl.Series,
    hulls: ClassHulls,
    cells: Sequence[Cell],
    domain: list[str],
    chosen: np.ndarray,
    draw: np.random.Generator,
) -> pl.Series:
    if not len(chosen):
        return column
    texts = canonicalize_column(column)
    _, first = np.unique(hulls.of, return_index=True)
    class_texts = texts.gather(first).to_list()
    positions = np.array([parse_number_or_day(text) for text in domain])
    for class_number in chosen:
        wider = _widen_cell(cells[class_number], domain, positions, draw)
        # A set of as many values as rows would seem to tell them, and mostly would.
        if len(cells[class_number].members) + 1 != hulls.sizes[class_number]:
            class_texts[class_number] = wider
    return pl.Series(column.name, class_texts, dtype=pl.String).gather(hulls.of)


def _widen_cell(
    cell: Cell, domain: list[str], positions: np.ndarray, draw: np.random.Generator
) -> str:
    if cell.shape is CellShape.SET:
        others = [text for text in domain if text not in cell.members]
        if not others:
            return SUPPRESSED_CELL
        present = [member for member in cell.members if member is not None]
        members = sorted([*present, others[int(draw.integers(len(others)))]])
        return _format_set(cell, ";".join(members))
    if cell.shape is not CellShape.INTERVAL:
        return SUPPRESSED_CELL
    low, high = (int(np.searchsorted(positions, end)) for end in (cell.low, cell.high))
    steps = draw.integers(1, MAX_STEPS + 1, size=2)
    down, up = low - int(steps[0]), high + int(steps[1])
    if down < 0 or up >= len(domain):
        return SUPPRESSED_CELL
    wider = f"[{domain[down]};{domain[up]}]"
    return _format_set(cell, wider) if cell.members else wider


def _format_set(cell: Cell, members_text: str) -> str:
    """A set, with a gap before the others if the cell has one."""
    return "{" + (f"{MISSING_SIGN};" if None in cell.members else "") + members_text + "}"
