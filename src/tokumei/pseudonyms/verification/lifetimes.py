"""Checks claims about the lifetime and the exposure of pseudonyms.

PseudonymLifetime(periods=3).check(release.public.cells)
PseudonymExposure(by="rows", bound=40).check(release.public.cells)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import polars as pl

from tokumei.core.described import ClaimCheck
from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message
from tokumei.files.contest_violations import ROW_COLUMN, contest_cell_violation, require_columns
from tokumei.pseudonyms.data.purchase_text_cells import DELETED


class PeriodClaimCheck(ClaimCheck[pl.DataFrame], Protocol):
    """A property that the public rows under pseudonyms have or have not."""


def rows_with_months(submission: pl.DataFrame) -> pl.DataFrame:
    """Customer, item, row and month (counted from the year 0) of every row that has a day."""
    require_columns(submission, ("customer", "day", "item"))
    day = pl.col("day").str.strptime(pl.Date, "%Y/%m/%d", strict=False)
    month = (day.dt.year().cast(pl.Int64) * 12 + day.dt.month() - 1).alias("month")
    rows = submission.select("customer", "item", month).with_row_index(ROW_COLUMN)
    return rows.filter((pl.col("customer") != DELETED) & pl.col("month").is_not_null())


@dataclass(frozen=True)
class PseudonymLifetime(PeriodClaimCheck):
    """From its first month to its last, a pseudonym lives at most `periods` months."""

    name: ClassVar[str] = "pseudonym-lifetime"
    title: ClassVar[Message] = Message("Lifetime of pseudonyms", "仮名の有効期間")
    sentence: ClassVar[Message] = Message(
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

    def words(self) -> Message:
        """The claim with its parameters."""
        return Message(
            f"no pseudonym is used for more than {self.periods} month(s)",
            f"どの仮名も使われるのは {self.periods} か月以内である",
        )

    def check(self, submission: pl.DataFrame, *, source: object = None) -> list[Violation]:
        """One fault per pseudonym that lives longer, where it is first beyond its time."""
        rows = rows_with_months(submission)
        born = pl.col("month").min().over("customer")
        late = rows.with_columns(age=pl.col("month") - born + 1)
        late = late.filter(pl.col("age") > self.periods)
        first = (
            late.group_by("customer")
            .agg(pl.col(ROW_COLUMN).min(), pl.col("age").max())
            .sort(ROW_COLUMN)
        )
        return [self._lifetime_violation(*late_row) for late_row in first.iter_rows()]

    def _lifetime_violation(self, pseudonym: str, row: int, age: int) -> Violation:
        message = Message(
            f"is used for {age} months; the claim allows {self.periods}",
            f"は {age} か月使われています。主張では {self.periods} か月までです",
        )
        return contest_cell_violation(row, "customer", pseudonym, rule=self.name, wrong=message)


_ROUNDING = 1e-9
_EXPOSURE_TITLES = {
    "rows": Message("a number of rows", "行数"),
    "items": Message("a number of different items", "商品の種類"),
    "risk": Message("a risk of being recognised", "特定リスク"),
}


@dataclass(frozen=True)
class PseudonymExposure(PeriodClaimCheck):
    """A pseudonym that lives longer than one month stays within the bound.

    `rows` and `items` count its rows and different items. `risk` is the chance that someone who
    knows each (item, month) with chance `known` knows one that no other pseudonym has.
    """

    name: ClassVar[str] = "pseudonym-exposure"
    title: ClassVar[Message] = Message("Exposure of pseudonyms", "仮名の露出")
    sentence: ClassVar[Message] = Message(
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

    def words(self) -> Message:
        """The claim with its parameters."""
        exposure_title = _EXPOSURE_TITLES[self.by]
        return Message(
            f"no pseudonym that is used for several months has {exposure_title.en} above "
            f"{self.bound:g}",
            f"複数の月に使われる仮名の{exposure_title.ja}は、どれも {self.bound:g} 以下である",
        )

    def check(self, submission: pl.DataFrame, *, source: object = None) -> list[Violation]:
        """One fault per pseudonym beyond the bound, at its first row."""
        rows = rows_with_months(submission)
        exposures = {"rows": pl.len(), "items": pl.col("item").n_unique()}
        if self.by == "risk":
            alone = pl.col("customer").n_unique().over("item", "month") == 1
            points = pl.struct("item", "month").filter(pl.col("alone")).n_unique()
            rows = rows.with_columns(alone=alone)
            exposures["risk"] = 1.0 - pl.lit(1.0 - self.known).pow(points)
        figures = (
            pl.col(ROW_COLUMN).min(),
            exposures[self.by].alias("told"),
            pl.col("month").n_unique(),
        )
        people = rows.group_by("customer").agg(*figures).sort(ROW_COLUMN)
        beyond = people.filter((pl.col("told") > self.bound + _ROUNDING) & (pl.col("month") > 1))
        return [self._exposure_violation(*exposed_row) for exposed_row in beyond.iter_rows()]

    def _exposure_violation(
        self, pseudonym: str, row: int, exposure: float, months: int
    ) -> Violation:
        message = Message(
            f"is used for {months} months with {self.by} {exposure:.6g}; the claim allows "
            f"{self.bound:.6g}",
            f"は {months} か月使われ、{self.by} が {exposure:.6g} です。"
            f"主張では {self.bound:.6g} までです",
        )
        return contest_cell_violation(row, "customer", pseudonym, rule=self.name, wrong=message)
