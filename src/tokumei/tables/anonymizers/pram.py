"""PRAM: post-randomization of categories, with the distribution of each column kept on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns


@dataclass(frozen=True)
class Pram(TableMethod):
    """Each cell keeps its value with probability `keep`; otherwise it is drawn anew.

    With `invariant`, from the column's own distribution p: R = keep·I + (1 − keep)·1pᵀ has pR = p,
    so that frequencies stay as they are on average. Without, from all values alike.
    A missing cell is a value like others. `columns`: default, the sensitive columns.
    """

    name: ClassVar[str] = "pram"
    title: ClassVar[Message] = Message("PRAM (post-randomization)")
    sentence: ClassVar[Message] = Message(
        "Replaces cells at random by other values of their column, with known probabilities."
    )
    leaves_open: ClassVar[Message] = Message(
        "Most cells are unchanged, all other columns too: whoever knows several values of a person "
        "still finds the row."
    )

    keep: float = 0.8
    invariant: bool = True
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.keep <= 1:
            raise UsageError("{name}: keep must lie between 0 and 1", name=self.name)

    def done(self) -> Message:
        """How many cells are drawn anew."""
        return Message("Draw {share:percent} of the cells anew", share=1 - self.keep)

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Redraw cells, column by column."""
        table = step.table
        names = list(self.columns) or table.schema.sa
        require_columns(self.name, names, Message("sensitive (SA)"))
        table.schema.require(names, where=self.name)
        redrawn = [self._redraw(table.frame[name], rng.child(name).generator) for name in names]
        return Step(table.with_frame(table.frame.with_columns(redrawn)), step.link, step.claims)

    def _redraw(self, cells: pl.Series, generator: np.random.Generator) -> pl.Series:
        is_redrawn = generator.random(len(cells)) >= self.keep
        if self.invariant:  # a random row's value has the column's distribution
            sources = generator.integers(len(cells), size=len(cells))
        else:
            values = cells.is_first_distinct().arg_true().to_numpy()
            sources = generator.choice(values, size=len(cells))
        return cells.gather(np.where(is_redrawn, sources, np.arange(len(cells))))


def transition_matrix(shares: np.ndarray, keep: float, *, invariant: bool) -> np.ndarray:
    """R: in row i the probabilities of every value for a cell with value i."""
    target = shares if invariant else np.full(len(shares), 1 / len(shares))
    return np.asarray(keep * np.eye(len(shares)) + (1 - keep) * target[None, :])
