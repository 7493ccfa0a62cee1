"""D and E: sets chosen quasi-identifiers to one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.described import format_column_names
from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import is_generalized
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.data.comparison import CROSS_DEFAULT


@dataclass(frozen=True)
class Unify(TableMethod):
    """Every row gets the same value in `columns`: `value`, or the most frequent plain one.

    D in the paper when the utility's cross table does not use the columns, E when it does.
    Without `columns`: every QI after the first six, which the cross table does not use.
    """

    name: ClassVar[str] = "unify"
    title: ClassVar[Message] = Message("Unify columns")
    sentence: ClassVar[Message] = Message("Gives every row the same value in the chosen columns.")
    leaves_open: ClassVar[Message] = Message(
        "All other columns are unchanged: anyone who knows them can find the row."
    )

    columns: tuple[str, ...] = ()
    value: str | int | float | None = None

    def done(self) -> Message:
        """Which columns get which value."""
        usual = Message("every quasi-identifier after the sixth")
        columns = format_column_names(self.columns, usual)
        if self.value is None:
            return Message("Set {columns} to the most frequent value", columns=columns)
        return Message("Set {columns} to “{to}”", columns=columns, to=self.value)

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Overwrite the columns."""
        table = step.table
        names = self.columns or tuple(table.schema.qi[CROSS_DEFAULT:])
        if not names:
            raise UsageError("unify: name the columns (there are no QI after the first six)")
        table.schema.require(names, where="unify")
        unified_values = (
            most_frequent_value(table.frame[name])
            if self.value is None
            else pl.Series(name, [self.value])
            for name in names
        )
        new_columns = [
            unified_value.new_from_index(0, table.rows) for unified_value in unified_values
        ]
        claim = Claim("constant", {"columns": list(names)})
        changed = table.with_frame(table.frame.with_columns(new_columns))
        return Step(changed, step.link, (*step.claims, claim))


def most_frequent_value(series: pl.Series) -> pl.Series:
    """The most frequent value as a series of one; plain values before generalized cells."""
    plain_values = series.filter(~is_generalized(series) & series.is_not_null())
    value_counts = (plain_values if len(plain_values) else series).value_counts(
        name="tokumei_count"
    )
    name = series.name
    top_row = value_counts.sort(["tokumei_count", name], descending=[True, False]).head(1)
    return top_row[name]
