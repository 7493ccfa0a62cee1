"""Slack: hulls wider than needed in some classes, so that their ends prove nothing.

A random share of the classes gets a cell a step wider than its rows need; where the hull alone
would give a column's values away, always, by a random number of steps. Whoever knows the method
cannot tell any more which ends are somebody's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.core.cells import GAP, STAR, Cell, Shape, canonical
from tokumei.core.errors import UsageError
from tokumei.core.notations import number
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.ledger.hulls import Hulls

MOST_STEPS = 3
NAME = "slack"


@dataclass(frozen=True)
class Slackened(TableMethod):
    """What a method makes, with slack in a share of the classes."""

    name: ClassVar[str] = NAME
    title: ClassVar[Text] = Text("With slack", "余裕付き")
    sentence: ClassVar[Text] = Text(
        "Widens the cells of some classes by a step, so that their ends prove nothing.",
        "一部のクラスのセルを一段広げ、端の値が実在の値とは限らないようにします。",
    )
    leaves_open: ClassVar[Text] = Text(
        "Everything else that the method leaves open.", "元の手法で防げないものは防げません。"
    )

    method: TableMethod
    share: float

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise UsageError(
                f"--slack is a share above 0, up to 1, not {self.share}",
                f"--slack は 0 より大きく 1 以下の割合です ({self.share})",
            )

    def prepare(self) -> None:
        """What the method needs."""
        self.method.prepare()

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Apply the method, then widen."""
        made = self.method.change(step, rng=rng.child(self.method.name))
        qi = [name for name in made.table.schema.qi if name in step.table.schema.names]
        frame = made.table.frame
        hulls = Hulls.of_frame(frame, qi)
        known, general = hulls.known(), hulls.general()
        draw = rng.child(NAME).generator
        loose = draw.random(len(hulls.sizes)) < self.share
        widened = {
            name: _widened(
                frame[name],
                hulls,
                hulls.cells[name],
                _domain(step.table.frame[name]),
                np.flatnonzero((loose & general[name]) | (general[name] & known[name])),
                draw,
            )
            for name in qi
        }
        public = made.table.with_frame(frame.with_columns(**widened))
        return replace(made, table=public)

    def describe(self) -> list[dict[str, Any]]:
        """The method, and that there is slack."""
        return [*self.method.describe(), {"method": NAME, "share": self.share}]


def _domain(column: pl.Series) -> list[str]:
    """The values of a column, numbers and days in order."""
    texts = canonical(column).unique().drop_nulls().to_list()
    ordered = not any(np.isnan(number(text)) for text in texts)
    return sorted(texts, key=number if ordered else None)


def _widened(
    column: pl.Series,
    hulls: Hulls,
    cells: Sequence[Cell],
    domain: list[str],
    chosen: np.ndarray,
    draw: np.random.Generator,
) -> pl.Series:
    if not len(chosen):
        return column
    texts = canonical(column)
    _, first = np.unique(hulls.of, return_index=True)
    own = texts.gather(first).to_list()
    places = np.array([number(text) for text in domain])
    for one in chosen:
        wider = _wider(cells[one], domain, places, draw)
        # A set of as many values as rows would seem to tell them, and mostly would.
        if len(cells[one].members) + 1 != hulls.sizes[one]:
            own[one] = wider
    return pl.Series(column.name, own, dtype=pl.String).gather(hulls.of)


def _wider(cell: Cell, domain: list[str], places: np.ndarray, draw: np.random.Generator) -> str:
    if cell.shape is Shape.SET:
        others = [text for text in domain if text not in cell.members]
        if not others:
            return STAR
        known = [member for member in cell.members if member is not None]
        members = sorted([*known, others[int(draw.integers(len(others)))]])
        return _braced(cell, ";".join(members))
    if cell.shape is not Shape.INTERVAL:
        return STAR
    low, high = (int(np.searchsorted(places, end)) for end in (cell.low, cell.high))
    steps = draw.integers(1, MOST_STEPS + 1, size=2)
    down, up = low - int(steps[0]), high + int(steps[1])
    if down < 0 or up >= len(domain):
        return STAR
    wider = f"[{domain[down]};{domain[up]}]"
    return _braced(cell, wider) if cell.members else wider


def _braced(cell: Cell, known: str) -> str:
    """A set, with a gap before the others if the cell has one."""
    return "{" + (f"{GAP};" if None in cell.members else "") + known + "}"
