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
    claim: ClassVar[Message] = Message("", "")
    """The property in words; fields: the parameters, and what `figures` gives instead of some."""

    def words(self, most: int = MAX_NAMED_COLUMNS) -> Message:
        """The claim with its parameters; more columns than `most` are counted, not listed."""
        columns = format_column_names(self.columns, most=most)
        sensitive = format_column_names(getattr(self, "sensitive", ()), most=most)
        figures = {**vars(self), **self.figures()}
        return Message(
            self.claim.en.format(**{**figures, "columns": columns.en, "sensitive": sensitive.en}),
            self.claim.ja.format(**{**figures, "columns": columns.ja, "sensitive": sensitive.ja}),
        )

    def figures(self) -> dict[str, str]:
        """Parameters as people read them, for the words."""
        return {}


class ParameterRequirement(NamedTuple):
    """What a parameter must be, so that the rule proves something."""

    holds: Callable[[float], bool]
    words: Message


AT_LEAST_2 = ParameterRequirement(lambda value: value >= 2, Message("at least 2", " 2 以上"))
ABOVE_0 = ParameterRequirement(
    lambda value: 0 < value < inf, Message("a number above 0", " 0 より大きい数")
)


def require_parameters(rule: TableClaimCheck, demands: Mapping[str, ParameterRequirement]) -> None:
    """Fail if a parameter would make the rule prove nothing."""
    for name, requirement in demands.items():
        value = getattr(rule, name)
        if not requirement.holds(value):
            raise UsageError(
                f"{name} must be {requirement.words.en}, not {value}",
                f"{name} は{requirement.words.ja}でなければなりません ({value})",
            )
