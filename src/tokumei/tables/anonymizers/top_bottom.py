"""Top and bottom coding: numbers beyond a limit become the limit, or the mean of all beyond it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import polars as pl

from tokumei.core.described import format_column_names
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod


@dataclass(frozen=True)
class TopBottom(TableMethod):
    """Numbers above `top` and below `bottom` (by column) are replaced; those equal to it are not.

    With `replacement="mean"` by the mean of all cells beyond the limit, so that the column's sum
    stays; with `"limit"` by the limit.
    """

    name: ClassVar[str] = "top-bottom"
    title: ClassVar[Message] = Message("Top and bottom coding")
    sentence: ClassVar[Message] = Message(
        "Replaces numbers beyond a limit by one number for all of them."
    )
    leaves_open: ClassVar[Message] = Message(
        "Numbers within the limits and all other columns are unchanged; a mean of few cells tells "
        "their size."
    )

    top: Mapping[str, float] = field(default_factory=dict)
    bottom: Mapping[str, float] = field(default_factory=dict)
    replacement: Literal["mean", "limit"] = "mean"

    def __post_init__(self) -> None:
        for name in self.top.keys() & self.bottom.keys():
            if self.bottom[name] >= self.top[name]:
                raise UsageError(
                    "{name}: the bottom of '{column}' must be below its top",
                    name=self.name,
                    column=name,
                )

    def done(self) -> Message:
        """Which columns are cut."""
        names = tuple(dict.fromkeys([*self.top, *self.bottom]))
        return Message("Cut extreme numbers of {columns}", columns=format_column_names(names))

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Replace the cells."""
        table = step.table
        names = list(dict.fromkeys([*self.top, *self.bottom]))
        if not names:
            raise UsageError("{name}: give limits (top or bottom) of columns", name=self.name)
        table.schema.require(names, where=self.name)
        columns = [self._cut(table.frame[name]) for name in names]
        return Step(table.with_frame(table.frame.with_columns(columns)), step.link, step.claims)

    def _cut(self, cells: pl.Series) -> pl.Series:
        if not cells.dtype.is_numeric():
            raise UsageError(
                "{name}: column '{column}' is no column of numbers",
                name=self.name,
                column=cells.name,
            )
        result, none = cells, pl.Series([False]).new_from_index(0, len(cells))
        top, bottom = self.top.get(cells.name), self.bottom.get(cells.name)
        is_above = none if top is None else cells > top
        is_below = none if bottom is None else cells < bottom
        for limit, is_beyond in ((top, is_above), (bottom, is_below)):
            if limit is not None and is_beyond.any():
                result = self._replace(cells, result, is_beyond.fill_null(value=False), limit)
        return result

    def _replace(
        self, cells: pl.Series, result: pl.Series, is_beyond: pl.Series, limit: float
    ) -> pl.Series:
        """The result with one number where the cells are beyond a limit."""
        beyond = cells.filter(is_beyond).cast(pl.Float64).to_numpy()
        number = float(limit if self.replacement == "limit" else beyond.mean())
        if result.dtype.is_integer() and number.is_integer():
            number = int(number)
        choice = pl.when(pl.lit(is_beyond)).then(pl.lit(number)).otherwise(pl.lit(result))
        return pl.select(choice.alias(cells.name)).to_series()
