"""Calendar months as the periods of a history.

months = Months.spanning(rows.days)
months.of(rows.days)          # 0 for the first month, -1 outside
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import UsageError

NO_DAY = np.iinfo(np.int64).min
"""Stands where a row has no (valid) day."""


@dataclass(frozen=True)
class Months:
    """`count` months in a row; `first` counts months since January 1970."""

    first: int
    count: int

    @classmethod
    def spanning(cls, *days: np.ndarray) -> Months:
        """From the earliest month to the latest of all days (since 1970; NO_DAY is left out)."""
        given = np.concatenate(days)
        given = given[given != NO_DAY]
        if not len(given):
            raise UsageError("no row has a day", "日付のある行がありません")
        first, last = int(month_of(given.min())), int(month_of(given.max()))
        return cls(first, last - first + 1)

    def of(self, days: np.ndarray) -> np.ndarray:
        """The period of every day, counted from 0; -1 for none and outside."""
        found = month_of(days) - self.first
        inside = (days != NO_DAY) & (found >= 0) & (found < self.count)
        return np.where(inside, found, -1)

    @property
    def names(self) -> list[str]:
        """The months as text: 2010-12."""
        return [str(np.datetime64(self.first + place, "M")) for place in range(self.count)]

    def span(self, period: int) -> tuple[int, int]:
        """The first and last day of a period, since 1970."""
        months = np.array([0, 1]) + self.first + period
        first, after = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
        return int(first), int(after) - 1


def month_of(days: np.ndarray) -> np.ndarray:
    """Months since January 1970 of days since 1 January 1970 (0 where there is no day)."""
    known = np.where(days == NO_DAY, 0, days)
    months: np.ndarray = known.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return months
