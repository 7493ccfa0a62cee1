"""D and E: set chosen quasi-identifiers to one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.cells import is_general
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.data.comparison import CROSS_DEFAULT


@dataclass(frozen=True)
class Unify(TableMethod):
    """Every row gets the same value in `columns`: `value`, or the most frequent plain one.

    D in the paper when the utility's cross table does not use the columns, E when it does.
    Without `columns`: every QI after the first six, which the cross table does not use.
    """

    name: ClassVar[str] = "unify"
    title: ClassVar[Text] = Text("Unify columns", "値の統一")
    sentence: ClassVar[Text] = Text(
        "Gives every row the same value in the chosen columns.",
        "選んだ列の値をすべての行で同じにします。",
    )
    leaves_open: ClassVar[Text] = Text(
        "All other columns are unchanged: whoever knows them finds the row.",
        "そのほかの列は元のままです。それを知る人は行を特定できます。",
    )

    columns: tuple[str, ...] = ()
    value: str | int | float | None = None

    def done(self) -> Text:
        """Which columns get which value."""
        usual = Text("every quasi-identifier after the sixth", "7 番目以降のすべての準識別子")
        where, to = columns_text(self.columns, usual), Text("the most frequent value", "最も多い値")
        if self.value is not None:
            to = Text(f"“{self.value}”", f"「{self.value}」")
        return Text(f"Set {where.en} to {to.en}", f"{where.ja}を{to.ja}にそろえる")

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Overwrite the columns."""
        table = step.table
        names = self.columns or tuple(table.schema.qi[CROSS_DEFAULT:])
        if not names:
            raise UsageError(
                "unify: name the columns (there are no QI after the first six)",
                "unify: 列を指定してください (7 番目以降の準識別子がありません)",
            )
        table.schema.require(names, where="unify")
        ones = (
            mode(table.frame[name]) if self.value is None else pl.Series(name, [self.value])
            for name in names
        )
        new = [one.new_from_index(0, table.rows) for one in ones]
        claim = Claim("constant", {"columns": list(names)})
        changed = table.with_frame(table.frame.with_columns(new))
        return Step(changed, step.link, (*step.claims, claim))


def mode(series: pl.Series) -> pl.Series:
    """The most frequent value as a series of one; plain values before generalized cells."""
    plain = series.filter(~is_general(series) & series.is_not_null())
    counted = (plain if len(plain) else series).value_counts(name="tokumei_count")
    name = series.name
    best = counted.sort(["tokumei_count", name], descending=[True, False]).head(1)
    return best[name]
