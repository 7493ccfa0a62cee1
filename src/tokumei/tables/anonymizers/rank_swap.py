"""Rank swapping: every number changes places with one of a similar rank (Moore 1996)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns

TRIES = 20
"""Random partners tried before the free ones are listed."""


@dataclass(frozen=True)
class RankSwap(TableMethod):
    """Swaps each value with one at most `window` · rows ranks away; the column's values stay.

    Equal values are ranked in random order; missing cells stay where they are. `columns`: default,
    the sensitive columns.
    """

    name: ClassVar[str] = "rank-swap"
    title: ClassVar[Message] = Message("Rank swapping")
    sentence: ClassVar[Message] = Message(
        "Exchanges each value with one of a similar rank, column by column."
    )
    leaves_open: ClassVar[Message] = Message(
        "Values move a little only, and all other columns not at all: whoever knows several values "
        "of a person finds the row by the nearest ones."
    )

    window: float = 0.05
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.window <= 1:
            raise UsageError(
                "{name}: window is a share of the rows, above 0 and at most 1", name=self.name
            )

    def done(self) -> Message:
        """How far values move."""
        return Message(
            "Exchange each value with one at most {share:percent} of all ranks away",
            share=self.window,
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Swap the cells, column by column."""
        table = step.table
        names = list(self.columns) or table.schema.sa
        require_columns(self.name, names, Message("sensitive (SA)"))
        table.schema.require(names, where=self.name)
        swapped = [
            swap_by_rank(table.frame[name], self.window, rng.child(name).generator)
            for name in names
        ]
        return Step(table.with_frame(table.frame.with_columns(swapped)), step.link, step.claims)


def swap_by_rank(cells: pl.Series, window: float, generator: np.random.Generator) -> pl.Series:
    """The column with its present cells swapped."""
    present = cells.is_not_null().arg_true().to_numpy()
    mixed = present[generator.permutation(len(present))]
    ranked = mixed[cells.gather(mixed).arg_sort().to_numpy()]
    partners = draw_partners(len(ranked), max(int(window * len(ranked)), 1), generator)
    sources = np.arange(len(cells))
    sources[ranked] = ranked[partners]
    return cells.gather(sources)


def draw_partners(ranks: int, reach: int, generator: np.random.Generator) -> np.ndarray:
    """A partner for every rank, both at most `reach` apart; a rank that finds none stays alone."""
    partners = np.arange(ranks)
    is_free = np.ones(ranks, dtype=bool)
    for rank in range(ranks):
        last = min(rank + reach, ranks - 1)
        if not is_free[rank] or last == rank:
            continue
        tries = generator.integers(rank + 1, last + 1, size=TRIES)
        free = tries[is_free[tries]]
        if not len(free):
            free = rank + 1 + np.flatnonzero(is_free[rank + 1 : last + 1])
            if not len(free):
                continue
            free = free[generator.integers(len(free), size=1)]
        partner = int(free[0])
        partners[[rank, partner]] = partner, rank
        is_free[[rank, partner]] = False
    return partners
