"""Checks limits of the re-identification risk: highest, average, share of rows above it.

    HighestRisk(0.1, ("age", "sex"))               # max 1 / |class| ≤ 0.1
    AverageRisk(0.05, ("age", "sex"))              # classes / rows ≤ 0.05
    RecordsAtRisk(0.2, 0.05, ("age", "sex"))       # at most 5 % of the rows with 1 / |class| > 0.2

The risk of a row is that of the prosecutor, who knows that somebody is in the file: 1 / |class|.
Rows whose cells are all suppressed are a class like others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.errors import UsageError, Violation
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.verification.class_check_base import (
    SIZE_COLUMN,
    TOLERANCE,
    first_row_line,
    format_class_vector,
    small_classes,
)
from tokumei.tables.verification.protocol import (
    ParameterRequirement,
    TableClaimCheck,
    require_parameters,
)

ALL_SIZES = 2**62
"""More rows than any class has."""
RISK_REQUIREMENT = ParameterRequirement(
    lambda value: 0 < value < 1, Message("{parameter} must be above 0 and below 1, not {value}")
)
SHARE_REQUIREMENT = ParameterRequirement(
    lambda value: 0 <= value < 1, Message("{parameter} must be at least 0 and below 1, not {value}")
)


class RiskClaimCheck(TableClaimCheck):
    """Base of the limits: counts the rows of every class."""

    demands: ClassVar = {"risk": RISK_REQUIREMENT}

    def __post_init__(self) -> None:
        require_parameters(self, self.demands)
        if not self.columns:
            raise UsageError("name at least one column to count")

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """What breaks the limit, the smallest class first."""
        submission.schema.require(self.columns)
        return list(self.violations(small_classes(submission.frame, self.columns, ALL_SIZES)))

    def violations(self, classes: pl.DataFrame) -> Iterator[Violation]:
        """The violations of all classes of a file, ordered by size."""
        raise NotImplementedError


@dataclass(frozen=True)
class HighestRisk(RiskClaimCheck):
    """No row is found with a chance above the limit: 1 / |class| ≤ risk."""

    name: ClassVar[str] = "highest-risk"
    title: ClassVar[Message] = Message("highest risk")
    sentence: ClassVar[Message] = Message("No row is found with a chance above a limit.")
    claim: ClassVar[Message] = Message(
        "whoever knows {columns} of somebody in the file finds the row with a chance of at most "
        "{risk}"
    )

    risk: float
    columns: tuple[str, ...]

    def figures(self) -> dict[str, str]:
        """The risk as a percentage."""
        return {"risk": format_percent(self.risk)}

    def violations(self, classes: pl.DataFrame) -> Iterator[Violation]:
        """One per class that is too small."""
        least = 1 / (self.risk * (1 + TOLERANCE))
        for row in classes.filter(pl.col(SIZE_COLUMN) < least).iter_rows(named=True):
            size = int(row[SIZE_COLUMN])
            message = Message(
                "a row of the class ({vector}) is found with a chance of 1/{size}; at most "
                "{risk:g} allowed",
                vector=format_class_vector(row, self.columns),
                size=size,
                risk=self.risk,
            )
            yield Violation(rule=self.name, line=first_row_line(row), message=message)


@dataclass(frozen=True)
class AverageRisk(RiskClaimCheck):
    """Whoever links all rows gets at most this share of them right: classes / rows ≤ risk."""

    name: ClassVar[str] = "average-risk"
    title: ClassVar[Message] = Message("average risk")
    sentence: ClassVar[Message] = Message(
        "Whoever links all rows gets at most a given share of them right."
    )
    claim: ClassVar[Message] = Message(
        "whoever links all rows by {columns} gets at most {risk} of them right on average"
    )

    risk: float
    columns: tuple[str, ...]

    def figures(self) -> dict[str, str]:
        """The risk as a percentage."""
        return {"risk": format_percent(self.risk)}

    def violations(self, classes: pl.DataFrame) -> Iterator[Violation]:
        """One if there are too many classes."""
        rows = int(classes[SIZE_COLUMN].sum())
        if classes.height > rows * self.risk * (1 + TOLERANCE):
            message = Message(
                "{rows:,} rows are in {classes:,} classes, an average risk of {average:.6g}; at "
                "most {risk:g} allowed",
                rows=rows,
                classes=classes.height,
                average=classes.height / rows,
                risk=self.risk,
            )
            yield Violation(rule=self.name, message=message)


@dataclass(frozen=True)
class RecordsAtRisk(RiskClaimCheck):
    """At most the share of all rows has a risk above the threshold."""

    name: ClassVar[str] = "records-at-risk"
    title: ClassVar[Message] = Message("records at risk")
    sentence: ClassVar[Message] = Message(
        "At most a given share of the rows is found with a chance above a threshold."
    )
    demands: ClassVar = {"threshold": RISK_REQUIREMENT, "share": SHARE_REQUIREMENT}
    claim: ClassVar[Message] = Message(
        "at most {share} of the rows are found by {columns} with a chance above {threshold}"
    )

    threshold: float
    share: float
    columns: tuple[str, ...]

    def figures(self) -> dict[str, str]:
        """Threshold and share as percentages."""
        return {"threshold": format_percent(self.threshold), "share": format_percent(self.share)}

    def violations(self, classes: pl.DataFrame) -> Iterator[Violation]:
        """One if too many rows are in small classes."""
        least = 1 / (self.threshold * (1 + TOLERANCE))
        at_risk = int(classes.filter(pl.col(SIZE_COLUMN) < least)[SIZE_COLUMN].sum())
        rows = int(classes[SIZE_COLUMN].sum())
        if at_risk > rows * self.share * (1 + TOLERANCE):
            message = Message(
                "{at_risk:,} of {rows:,} rows have a risk above {threshold:g}; at most a share of "
                "{share:g} allowed",
                at_risk=at_risk,
                rows=rows,
                threshold=self.threshold,
                share=self.share,
            )
            yield Violation(rule=self.name, message=message)
