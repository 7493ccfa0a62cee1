"""Where the leaves of a hierarchy lie on a line, if they are numbers, bands or dates.

order = LeafOrder.of(hierarchy.leaves)
order.between(Wanted(low="1977", high="1979"))      # all days of the three years
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import polars as pl

from tokumei.core.cells import bounds, number
from tokumei.core.errors import InputError
from tokumei.core.text import Text
from tokumei.tables.hierarchies.leaves import NULL_LEAVES
from tokumei.tables.rules.rules import Wanted

_DAY = r"^\d{4}-\d{2}-\d{2}"
_SPAN = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_INSTANT = 1e-9
"""Less than any time between two moments, in days."""


@dataclass(frozen=True, eq=False)
class LeafOrder:
    """The lowest and highest number of each leaf (NaN: a leaf for missing values)."""

    low: np.ndarray
    high: np.ndarray
    dates: bool

    @classmethod
    def of(cls, leaves: pl.Series) -> LeafOrder | None:
        """None if some leaf is neither a number nor a date."""
        missing = leaves.is_in(NULL_LEAVES).to_numpy()
        low, high = bounds(leaves)
        if np.isnan(low[~missing]).any() or missing.all():
            return None
        known = leaves.filter(pl.Series(~missing))
        return cls(low, high, bool(known.str.contains(_DAY).all()))

    def between(self, wanted: Wanted) -> np.ndarray:
        """Which leaves lie in the range; an InputError says what is wrong with its ends."""
        first = self._end(wanted.low, last=wanted.open_low) if wanted.low is not None else -math.inf
        last = self._end(wanted.high, last=not wanted.open_high) if wanted.high else math.inf
        after = self.low > first if wanted.open_low else self.low >= first
        before = self.high < last if wanted.open_high else self.high <= last
        inside = np.asarray(after & before)
        begins = self.high > first if wanted.open_low else self.high >= first
        ends = self.low < last if wanted.open_high else self.low <= last
        if (begins & ends & ~inside).any():
            raise InputError(f"'{wanted}' cuts through a leaf", f"'{wanted}' は葉を途中で切ります")
        return inside

    def _end(self, text: str, *, last: bool) -> float:
        """The number of an end; a year, month or day stands for its beginning or its end."""
        span = _SPAN.fullmatch(text)
        if self.dates and span:
            return _moment([int(part) for part in span.groups() if part], last=last)
        found = number(text)
        # A number is no end for dates, nor a date for numbers.
        if math.isnan(found) or (re.match(_DAY, text) is not None) != self.dates:
            kind = Text("a date", "日付") if self.dates else Text("a number", "数値")
            raise InputError(f"'{text}' is not {kind.en}", f"'{text}' は{kind.ja}ではない")
        return found


def _moment(parts: list[int], *, last: bool) -> float:
    """The beginning or the end of a year, month or day, as an ordinal."""
    year, month, day = (*parts, *[1] * (3 - len(parts)))
    try:
        first = date(year, month, day)
        after = {
            1: lambda: date(year + 1, 1, 1),
            2: lambda: date(year + month // 12, month % 12 + 1, 1),
            3: lambda: first + timedelta(days=1),
        }[len(parts)]()
    except (ValueError, OverflowError):
        written = "-".join(map(str, parts))
        raise InputError(f"there is no date {written}", f"{written} という日付はない") from None
    return after.toordinal() - _INSTANT if last else float(first.toordinal())
