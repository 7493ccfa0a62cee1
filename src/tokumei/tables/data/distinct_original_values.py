"""The different values of an original column, as text, in order and as numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day


@dataclass(frozen=True, eq=False)
class OriginalValues:
    """The values of a column, looked at when they are first needed."""

    name: str
    find: Callable[[], pl.Series]

    @cached_property
    def values(self) -> pl.Series:
        """The different values as canonical text; of a column sorted, missing first."""
        return self.find()

    @cached_property
    def places(self) -> dict[str | None, int]:
        """The place of every value."""
        return {value: place for place, value in enumerate(self.values.to_list())}

    @cached_property
    def numbers(self) -> np.ndarray:
        """The values as numbers or days; NaN for the others."""
        return np.array([math.nan if v is None else parse_number_or_day(v) for v in self.places])

    @cached_property
    def ordered(self) -> bool:
        """Whether all values are numbers or dates."""
        known = self.numbers[self.values.is_not_null().to_numpy()]
        return not np.isnan(known).any()

    @cached_property
    def has_whole_numbers(self) -> bool:
        """Whether all numbers are whole and none is a time of day."""
        known = self.numbers[~np.isnan(self.numbers)]
        has_times = any(value is not None and "T" in value for value in self.places)
        return bool((known == np.round(known)).all()) and not has_times

    @cached_property
    def holds_dates(self) -> bool:
        """Whether the values are dates."""
        first = next((value for value in self.places if value is not None), "")
        return self.ordered and "-" in first[1:]
