"""`pseudonym-lifetime`: no pseudonym of a public file is used longer than claimed.

PseudonymLifetime(periods=3).check(release.public.cells)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, cell_fault
from tokumei.pseudonyms.verify.protocol import PeriodRule
from tokumei.pseudonyms.verify.public_rows import public_months


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
