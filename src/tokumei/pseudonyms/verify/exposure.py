"""`pseudonym-exposure`: no pseudonym of a public file tells more than claimed.

PseudonymExposure(by="rows", bound=40).check(release.public.cells)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, cell_fault
from tokumei.pseudonyms.verify.protocol import PeriodRule
from tokumei.pseudonyms.verify.public_rows import public_months

_ROUNDING = 1e-9
_TOLD = {
    "rows": Text("a number of rows", "行数"),
    "items": Text("a number of different items", "商品の種類"),
    "risk": Text("a risk of being recognised", "特定リスク"),
}


@dataclass(frozen=True)
class PseudonymExposure(PeriodRule):
    """A pseudonym that lives longer than one month stays within the bound.

    `rows` and `items` count its rows and different items. `risk` is the chance that someone who
    knows each (item, month) with chance `known` knows one that no other pseudonym has.
    """

    name: ClassVar[str] = "pseudonym-exposure"
    title: ClassVar[Text] = Text("Exposure of pseudonyms", "仮名の露出")
    sentence: ClassVar[Text] = Text(
        "No pseudonym that is used for several months tells more than a bound allows.",
        "複数の月に使われる仮名から分かることは、定めた上限を超えません。",
    )

    by: Literal["rows", "items", "risk"]
    bound: float
    known: float = 0.25

    def __post_init__(self) -> None:
        if self.bound < 0 or not 0 < self.known <= 1:
            raise UsageError(
                "bound must be 0 or more, known above 0 and at most 1",
                "bound は 0 以上、known は 0 より大きく 1 以下でなければなりません",
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        what = _TOLD[self.by]
        return Text(
            f"no pseudonym that is used for several months has {what.en} above {self.bound:g}",
            f"複数の月に使われる仮名の{what.ja}は、どれも {self.bound:g} 以下である",
        )

    def check(self, submission: pl.DataFrame, *, source: object = None) -> list[Fault]:
        """One fault per pseudonym beyond the bound, at its first row."""
        rows = public_months(submission)
        told = {"rows": pl.len(), "items": pl.col("item").n_unique()}
        if self.by == "risk":
            alone = pl.col("customer").n_unique().over("item", "month") == 1
            points = pl.struct("item", "month").filter(pl.col("alone")).n_unique()
            rows = rows.with_columns(alone=alone)
            told["risk"] = 1.0 - pl.lit(1.0 - self.known).pow(points)
        figures = pl.col(ROW).min(), told[self.by].alias("told"), pl.col("month").n_unique()
        people = rows.group_by("customer").agg(*figures).sort(ROW)
        beyond = people.filter((pl.col("told") > self.bound + _ROUNDING) & (pl.col("month") > 1))
        return [self._fault(*found) for found in beyond.iter_rows()]

    def _fault(self, pseudonym: str, row: int, told: float, months: int) -> Fault:
        wrong = Text(
            f"is used for {months} months with {self.by} {told:.6g}; the claim allows "
            f"{self.bound:.6g}",
            f"は {months} か月使われ、{self.by} が {told:.6g} です。"
            f"主張では {self.bound:.6g} までです",
        )
        return cell_fault(row, "customer", pseudonym, rule=self.name, wrong=wrong)
