"""What a measure of pseudonymous histories is: the original and its release in, one score out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol

from tokumei.data.periods.months import Months
from tokumei.data.periods.rows import PeriodRows
from tokumei.errors import InputError
from tokumei.measures.protocol import Goal, Score
from tokumei.text import Text


@dataclass(frozen=True, eq=False)
class PeriodCase:
    """A history T and its release A(T), row by row: the secret side, so nothing of it is shown."""

    original: PeriodRows = field(repr=False)
    released: PeriodRows = field(repr=False)

    def __post_init__(self) -> None:
        if self.original.rows != self.released.rows or not self.original.rows:
            raise InputError(
                Text(
                    f"the original has {self.original.rows} rows and its release "
                    f"{self.released.rows}; both need the same rows, at least one",
                    f"元の履歴は {self.original.rows} 行、匿名加工した履歴は "
                    f"{self.released.rows} 行です。同じ行数 (1 行以上) にしてください",
                )
            )

    @cached_property
    def months(self) -> Months:
        """The periods of the original."""
        return Months.spanning(self.original.days)


class PeriodMeasure(Protocol):
    """Scores one release against its original."""

    name: ClassVar[str]
    title: ClassVar[Text]
    goal: ClassVar[Goal]
    bounds: ClassVar[tuple[float, float]]
    unit: ClassVar[Text]

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        ...
