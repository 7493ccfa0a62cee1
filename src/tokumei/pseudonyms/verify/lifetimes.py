"""What releases under pseudonyms claim: how long a pseudonym is used, and how much one tells.

PseudonymLifetime(periods=3).check(release.public.cells)
PseudonymExposure(by="rows", bound=40).check(release.public.cells)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.core.words import Rule
from tokumei.files.contest_faults import ROW, cell_fault, require_columns
from tokumei.pseudonyms.data.rows import DELETED


class PeriodRule(Rule[pl.DataFrame], Protocol):
    """A property that the public rows under pseudonyms have or have not."""


def public_months(submission: pl.DataFrame) -> pl.DataFrame:
    """Customer, item, row and month (counted from the year 0) of every row that has a day."""
    require_columns(submission, ("customer", "day", "item"))
    day = pl.col("day").str.strptime(pl.Date, "%Y/%m/%d", strict=False)
    month = (day.dt.year().cast(pl.Int64) * 12 + day.dt.month() - 1).alias("month")
    rows = submission.select("customer", "item", month).with_row_index(ROW)
    return rows.filter((pl.col("customer") != DELETED) & pl.col("month").is_not_null())


@dataclass(frozen=True)
class PseudonymLifetime(PeriodRule):
    """From its first month to its last, a pseudonym lives at most `periods` months."""

    name: ClassVar[str] = "pseudonym-lifetime"
    title: ClassVar[Text] = Text("Lifetime of pseudonyms", "仮名の有効期間")
    sentence: ClassVar[Text] = Text(
        "No pseudonym is used for longer than the given number of months.",
        "どの仮名も、定めた月数を超えて使われません。",
    )

    periods: int

    def __post_init__(self) -> None:
        if self.periods < 1:
            raise UsageError(
                f"periods must be at least 1, not {self.periods}",
                f"periods は 1 以上でなければなりません ({self.periods})",
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        return Text(
            f"no pseudonym is used for more than {self.periods} month(s)",
            f"どの仮名も使われるのは {self.periods} か月以内である",
        )

    def check(self, submission: pl.DataFrame, *, source: object = None) -> list[Fault]:
        """One fault per pseudonym that lives longer, where it is first beyond its time."""
        rows = public_months(submission)
        born = pl.col("month").min().over("customer")
        late = rows.with_columns(age=pl.col("month") - born + 1)
        late = late.filter(pl.col("age") > self.periods)
        first = late.group_by("customer").agg(pl.col(ROW).min(), pl.col("age").max()).sort(ROW)
        return [self._fault(*found) for found in first.iter_rows()]

    def _fault(self, pseudonym: str, row: int, age: int) -> Fault:
        wrong = Text(
            f"is used for {age} months; the claim allows {self.periods}",
            f"は {age} か月使われています。主張では {self.periods} か月までです",
        )
        return cell_fault(row, "customer", pseudonym, rule=self.name, wrong=wrong)


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
