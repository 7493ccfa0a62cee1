"""Checks k over every set of m columns: any m of them together occur in at least k rows.

    KOfColumns(5, 2, ("age", "sex", "region"))

A suppressed cell (`*`) is a value like others, so that one `*` among known values shows nobody: of
the rows that fit what an attacker knows of at most m columns, those with the same cells are k.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.verification.k_anonymity import KAnonymity
from tokumei.tables.verification.protocol import (
    AT_LEAST_2,
    ParameterRequirement,
    TableClaimCheck,
    require_parameters,
)

AT_LEAST_1 = ParameterRequirement(
    lambda value: value >= 1, Message("{parameter} must be at least 1, not {value}")
)


@dataclass(frozen=True)
class KOfColumns(TableClaimCheck):
    """Counts the rows of every combination of m columns; fewer columns have more rows."""

    name: ClassVar[str] = "k-of-columns"
    title: ClassVar[Message] = Message("k over every m columns")
    sentence: ClassVar[Message] = Message(
        "Every combination of any m of the columns occurs in at least k rows."
    )
    claim: ClassVar[Message] = Message(
        "every combination of at most {m} of {columns} occurs in at least {k} rows"
    )

    k: int
    m: int
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        require_parameters(self, {"k": AT_LEAST_2, "m": AT_LEAST_1})
        if not self.columns:
            raise UsageError("name at least one column to count")

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per combination that is too rare, set by set."""
        submission.schema.require(self.columns)
        return [
            replace(fault, rule=self.name)
            for columns in combinations(self.columns, min(self.m, len(self.columns)))
            for fault in KAnonymity(self.k, columns).check(submission)
        ]
