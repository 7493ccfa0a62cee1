"""Finds the leaves of a hierarchy that a wanted value or a cell means.

height = RuleAttribute(hierarchy)
height.leaves(WantedValues(low="165", high="171"))
height.cell("[160;169]")            # the leaves that may be behind a released cell
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import SUPPRESSED_CELL, canonicalize_value, cell_bounds
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaf_lookup import NULL_LEAVES, canonicalize_text
from tokumei.tables.recommendation_rules.rule_model import WantedValues, parse_wanted

MAX_COMPARED = 20_000


class RuleAttribute:
    """A hierarchy, its names and the order of its leaves at hand."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy

    @property
    def anything(self) -> np.ndarray:
        """All leaves."""
        return np.ones(len(self.hierarchy.leaves), dtype=np.bool_)

    @cached_property
    def nodes(self) -> dict[str, list[tuple[int, int]]]:
        """Level and place of the nodes of every name, the lowest first."""
        nodes_by_name: dict[str, list[tuple[int, int]]] = {}
        for level, names in enumerate(self.hierarchy.names):
            for place, name in enumerate(canonicalize_text(names).to_list()):
                nodes_by_name.setdefault(name, []).append((level, place))
        return nodes_by_name

    @cached_property
    def order(self) -> LeafOrder | None:
        """Where the leaves lie, if they are numbers or dates."""
        return LeafOrder.of(self.hierarchy.leaves)

    def leaves(self, wanted: WantedValues) -> np.ndarray:
        """Which leaves are wanted; an InputError says what cannot be understood."""
        if wanted.text and canonicalize_value(wanted.text) in self.nodes:
            return self._leaves_of_name(wanted.text)
        if wanted.values:
            named = [self._leaves_of_name(value) for value in wanted.values]
            inside = np.asarray(np.logical_or.reduce(named))
        elif self.order is None:
            raise InputError(
                "'{wanted}' is a range, but the leaves are neither numbers nor dates", wanted=wanted
            )
        else:
            inside = self.order.between(wanted)
        if not inside.any():
            raise InputError("'{wanted}' contains no leaf", wanted=wanted)
        return inside

    def cell(self, text: str | None) -> np.ndarray:
        """Which leaves may be behind a released cell: a node, `[a;b]`, `{x;y}` or `*`.

        A name that several levels have may stand for any of its nodes.
        """
        if text is None:
            text = next((name for name in NULL_LEAVES if name in self.nodes), "")
        if (name := canonicalize_value(text)) in self.nodes:
            return np.asarray(np.any([self.under(*node) for node in self.nodes[name]], axis=0))
        return self.leaves(parse_wanted(text) or WantedValues(values=(text,)))

    def under(self, level: int, place: int) -> np.ndarray:
        """The leaves of a node."""
        return np.asarray(self.hierarchy.up[level] == place)

    def _leaves_of_name(self, value: str) -> np.ndarray:
        name = canonicalize_value(value)
        if name == SUPPRESSED_CELL:
            return self.anything
        if name not in self.nodes:
            near = self._nearest_name(name)
            message = Message("there is no '{value}' in the hierarchy", value=value)
            if near:
                message = Message(
                    "there is no '{value}' in the hierarchy; did you mean '{nearest}'?",
                    value=value,
                    nearest=near,
                )
            raise InputError(message)
        return self.under(*self.nodes[name][0])

    def _nearest_name(self, name: str) -> str | None:
        candidates = list(self.nodes)
        if len(candidates) > MAX_COMPARED:
            candidates = [node for node, places in self.nodes.items() if places[-1][0]]
        near = difflib.get_close_matches(name, candidates[:MAX_COMPARED], n=1, cutoff=0.5)
        return near[0] if near else None


_DAY_PATTERN = r"^\d{4}-\d{2}-\d{2}"
_DATE_SPAN = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
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
        low, high = cell_bounds(leaves)
        if np.isnan(low[~missing]).any() or missing.all():
            return None
        known = leaves.filter(pl.Series(~missing))
        return cls(low, high, bool(known.str.contains(_DAY_PATTERN).all()))

    def between(self, wanted: WantedValues) -> np.ndarray:
        """Which leaves lie in the range; an InputError says what is wrong with its ends."""
        first = (
            self._parse_end(wanted.low, last=wanted.open_low)
            if wanted.low is not None
            else -math.inf
        )
        last = self._parse_end(wanted.high, last=not wanted.open_high) if wanted.high else math.inf
        after = self.low > first if wanted.open_low else self.low >= first
        before = self.high < last if wanted.open_high else self.high <= last
        inside = np.asarray(after & before)
        begins = self.high > first if wanted.open_low else self.high >= first
        ends = self.low < last if wanted.open_high else self.low <= last
        if (begins & ends & ~inside).any():
            raise InputError("'{wanted}' cuts through a leaf", wanted=wanted)
        return inside

    def _parse_end(self, text: str, *, last: bool) -> float:
        """The number of an end; a year, month or day stands for its beginning or its end."""
        span = _DATE_SPAN.fullmatch(text)
        if self.dates and span:
            return _date_ordinal([int(part) for part in span.groups() if part], last=last)
        value = parse_number_or_day(text)
        # A number is no end for dates, nor a date for numbers.
        if math.isnan(value) or (re.match(_DAY_PATTERN, text) is not None) != self.dates:
            message = Message("'{text}' is not a number", text=text)
            if self.dates:
                message = Message("'{text}' is not a date", text=text)
            raise InputError(message)
        return value


def _date_ordinal(parts: list[int], *, last: bool) -> float:
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
        raise InputError("there is no date {date}", date="-".join(map(str, parts))) from None
    return after.toordinal() - _INSTANT if last else float(first.toordinal())
