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
    title: ClassVar[Message] = Message("Lifetime of pseudonyms")
    sentence: ClassVar[Message] = Message(
        "No pseudonym is used for longer than the given number of months."
    )

    periods: int

    def __post_init__(self) -> None:
        if self.periods < 1:
            raise UsageError("periods must be at least 1, not {periods}", periods=self.periods)

    def words(self) -> Message:
        """The claim with its parameters."""
        return Message(
            "no pseudonym is used for more than one month",
            plural="no pseudonym is used for more than {count} months",
            count=self.periods,
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
        message = Message("'{cell}' is used for {age} months; the claim allows {periods}").fill(
            age=age, periods=self.periods
        )
        return contest_cell_violation(row, "customer", pseudonym, rule=self.name, wrong=message)


_ROUNDING = 1e-9
_EXPOSURE_CLAIMS = {
    "rows": Message("no pseudonym that is used for several months has more than {bound:g} rows"),
    "items": Message(
        "no pseudonym that is used for several months has more than {bound:g} different items"
    ),
    "risk": Message(
        "no pseudonym that is used for several months has a risk of being recognised above "
        "{bound:g}"
    ),
}


@dataclass(frozen=True)
class PseudonymExposure(PeriodClaimCheck):
    """A pseudonym that lives longer than one month stays within the bound.

    `rows` and `items` count its rows and different items. `risk` is the chance that someone who
    knows each (item, month) with chance `known` knows one that no other pseudonym has.
    """

    name: ClassVar[str] = "pseudonym-exposure"
    title: ClassVar[Message] = Message("Exposure of pseudonyms")
    sentence: ClassVar[Message] = Message(
        "No pseudonym that is used for several months reveals more than a bound allows."
    )

    by: Literal["rows", "items", "risk"]
    bound: float
    known: float = 0.25

    def __post_init__(self) -> None:
        if self.bound < 0 or not 0 < self.known <= 1:
            raise UsageError("bound must be 0 or more, known above 0 and at most 1")

    def words(self) -> Message:
        """The claim with its parameters."""
        return _EXPOSURE_CLAIMS[self.by].fill(bound=self.bound)

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
            "'{cell}' is used for {months} months with {by} {exposure:.6g}; the claim allows "
            "{bound:.6g}"
        ).fill(months=months, by=self.by, exposure=exposure, bound=self.bound)
        return contest_cell_violation(row, "customer", pseudonym, rule=self.name, wrong=message)
