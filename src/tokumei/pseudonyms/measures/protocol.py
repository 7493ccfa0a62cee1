"""What a measure of pseudonymous histories is: the original and its release in, one score out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from tokumei.core.errors import InputError
from tokumei.core.measure import Measure, Score
from tokumei.pseudonyms.data.master import Master
from tokumei.pseudonyms.data.months import Months
from tokumei.pseudonyms.data.rows import PeriodRows
from tokumei.pseudonyms.measures.user_items import UserItems, user_items


@dataclass(frozen=True, eq=False)
class PeriodCase:
    """A history T and its release A(T), row by row: the secret side, so nothing of it is shown.

    The customers (M) are needed by the measures whose `needs` have "master".
    """

    original: PeriodRows = field(repr=False)
    released: PeriodRows = field(repr=False)
    master: Master | None = field(default=None, repr=False)
    _scores: dict[PeriodMeasure, Score] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.original.rows != self.released.rows or not self.original.rows:
            raise InputError(
                f"the original has {self.original.rows} rows and its release "
                f"{self.released.rows}; both need the same rows, at least one",
                f"元の履歴は {self.original.rows} 行、匿名加工した履歴は "
                f"{self.released.rows} 行です。同じ行数 (1 行以上) にしてください",
            )

    @cached_property
    def months(self) -> Months:
        """The periods of the original."""
        return Months.spanning(self.original.days)

    @cached_property
    def user_items(self) -> tuple[UserItems, UserItems]:
        """Who bought what, on both sides; computed once for all measures."""
        return user_items(self.original, self.released)

    def score_of(self, measure: PeriodMeasure) -> Score:
        """A measure's score, computed once: `worst` needs what stands beside it."""
        if measure not in self._scores:
            self._scores[measure] = measure.score(self)
        return self._scores[measure]


class PeriodMeasure(Measure[PeriodCase], Protocol):
    """Scores one release against its original; those that need the customers need "master"."""
