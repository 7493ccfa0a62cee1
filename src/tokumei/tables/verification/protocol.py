"""Protocol of claim checks for tables, and what their parameters must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import ClassVar, NamedTuple, Protocol

from tokumei.core import described
from tokumei.core.described import MAX_NAMED_COLUMNS, format_column_names
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table


class TableClaimCheck(described.ClaimCheck[Table], Protocol):
    """A property that a released table has or has not."""

    columns: tuple[str, ...]
    """The columns that it is about."""
    claim: ClassVar[Message] = Message.verbatim("")
    """The property in words; fields: the parameters, and what `figures` gives instead of some."""

    def words(self, most: int = MAX_NAMED_COLUMNS) -> Message:
        """The claim with its parameters; more columns than `most` are counted, not listed."""
        columns = format_column_names(self.columns, most=most)
        sensitive = format_column_names(getattr(self, "sensitive", ()), most=most)
        figures = {**vars(self), **self.figures()}
        return self.claim.fill(**{**figures, "columns": columns, "sensitive": sensitive})

    def figures(self) -> dict[str, str]:
        """Parameters as people read them, for the words."""
        return {}


class ParameterRequirement(NamedTuple):
    """What a parameter must be, so that the rule proves something."""

    holds: Callable[[float], bool]
    sentence: Message
    """Says so; fields: the `parameter` and the `value` that it has not."""


AT_LEAST_2 = ParameterRequirement(
    lambda value: value >= 2, Message("{parameter} must be at least 2, not {value}")
)
ABOVE_0 = ParameterRequirement(
    lambda value: 0 < value < inf, Message("{parameter} must be a number above 0, not {value}")
)


def require_parameters(rule: TableClaimCheck, demands: Mapping[str, ParameterRequirement]) -> None:
    """Fail if a parameter would make the rule prove nothing."""
    for name, requirement in demands.items():
        value = getattr(rule, name)
        if not requirement.holds(value):
            raise UsageError(requirement.sentence.fill(parameter=name, value=value))
