"""Draws an attacker's knowledge: some rows of some people, coarse and partly false.

    known = PartialKnowledge(alpha=0.25, prefix={"item": 2}).of(rows, rng=Randomness(1))

The contest's knowledge is a share α of the rows with the first two characters of their items. All
else is DEL, so that row i is still row i of the original.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.noise import (
    add_noise,
    coarsen_rows,
    require_coarse_steps,
    require_noise,
    round_half_up,
)
from tokumei.pseudonyms.data.purchase_text_cells import (
    NO_DAY,
    PERIOD_COLUMNS,
    PeriodRows,
    to_month_numbers,
)

FACT_COLUMNS = PERIOD_COLUMNS[1:]
_SEARCH_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


@dataclass(frozen=True)
class PartialKnowledge:
    """Which rows are known, and how well.

    `alpha`: the share of the rows, halves rounded up; or `points`: so many rows of each person.
    `people`: the share of the customers anything is known of. `first`, `last`: months 2011-01.
    `prefix`: characters left of a cell, by column. `coarse`: {"day": "month" or "week", "time":
    "hour", "price": step, "quantity": step}. `noise`: {"price": share, "quantity": pieces, "day":
    days, "time": minutes}. `wrong`: the share of the known rows whose facts are someone else's.
    """

    alpha: float | None = None
    points: int | None = None
    people: float = 1.0
    first: str | None = None
    last: str | None = None
    prefix: Mapping[str, int] = field(default_factory=dict)
    coarse: Mapping[str, str | float] = field(default_factory=dict)
    noise: Mapping[str, float] = field(default_factory=dict)
    wrong: float = 0.0

    def __post_init__(self) -> None:
        if self.alpha is not None and self.points is not None:
            raise UsageError("give either alpha or points")
        for name in ("alpha", "people", "wrong"):
            require_figure(0 <= (getattr(self, name) or 0) <= 1, name, Message("0 to 1"))
        require_figure(self.points is None or self.points >= 1, "points", Message("1 or more"))
        for column, length in self.prefix.items():
            if column not in FACT_COLUMNS:
                raise UnknownNameError(Message("column"), column, FACT_COLUMNS, where="prefix")
            require_figure(length >= 1, f"prefix: {column}", Message("1 or more"))
        require_coarse_steps(self.coarse)
        require_noise(self.noise)

    def of(self, rows: PeriodRows, *, rng: Randomness) -> PeriodRows:
        """The rows as the attacker knows them, the others DEL."""
        rng = rng.child("knowledge")
        knowable = np.flatnonzero(self._knowable_rows(rows, rng.child("people")))
        chosen = np.sort(self._draw_rows(rows, knowable, rng))
        known = self._mix_in_mistakes(rows, chosen, knowable, rng.child("wrong"))
        known = coarsen_rows(add_noise(known, self.noise, rng.child("noise")), self.coarse)
        cells = known.cells.with_columns(
            pl.col(column).str.head(length) for column, length in self.prefix.items()
        )
        unknown = np.ones(rows.rows, dtype=bool)
        unknown[chosen] = False
        blank = rows.with_deleted(unknown).cells
        return PeriodRows(
            blank.with_columns(blank[name].scatter(chosen, cells[name]) for name in PERIOD_COLUMNS)
        )

    def _knowable_rows(self, rows: PeriodRows, rng: Randomness) -> np.ndarray:
        """Which rows may be known at all: of people one knows of, in the window."""
        number = round_half_up(self.people, len(rows.people))
        is_known = np.zeros(len(rows.people), dtype=bool)
        is_known[rng.permutation(len(rows.people))[:number]] = True
        knowable: np.ndarray = rows.kept & is_known[rows.person]
        if self.first is None and self.last is None:
            return knowable
        month = to_month_numbers(rows.days)
        low = -np.inf if self.first is None else _parse_month(self.first)
        high = np.inf if self.last is None else _parse_month(self.last)
        knowable &= (rows.days != NO_DAY) & (low <= month) & (month <= high)
        return knowable

    def _draw_rows(self, rows: PeriodRows, knowable: np.ndarray, rng: Randomness) -> np.ndarray:
        """Drawn anew for every share: what is known at 25 % tells nothing of 50 %."""
        if self.points is None:
            alpha = 1.0 if self.alpha is None else self.alpha
            order = rng.child("rows", str(alpha)).permutation(len(knowable))
            return np.asarray(knowable[order[: round_half_up(alpha, len(knowable))]])
        order = knowable[rng.child("points", self.points).permutation(len(knowable))]
        order = order[np.argsort(rows.person[order], kind="stable")]
        counts = np.bincount(rows.person[order])
        place = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.asarray(order[place < self.points])

    def _mix_in_mistakes(
        self, rows: PeriodRows, chosen: np.ndarray, knowable: np.ndarray, rng: Randomness
    ) -> PeriodRows:
        """The chosen rows, some of them with the facts of a random row of another person."""
        number = round_half_up(self.wrong, len(chosen))
        bad = rng.child("rows").permutation(len(chosen))[:number]
        chance = rng.child("facts").generator.random(number)
        source = chosen.copy()
        source[bad] = _rows_of_others(rows.person, knowable, chosen[bad], chance)
        facts = rows.take(source).cells
        return PeriodRows(facts.with_columns(rows.cells["customer"].gather(chosen)))


def _rows_of_others(
    person: np.ndarray, knowable: np.ndarray, rows: np.ndarray, chance: np.ndarray
) -> np.ndarray:
    """For every row one of the able rows that are not of its person."""
    ordered = knowable[np.argsort(person[knowable], kind="stable")]
    start, end = (np.searchsorted(person[ordered], person[rows], side) for side in _SEARCH_SIDES)
    others = len(ordered) - (end - start)
    if not others.all():
        raise UsageError("wrong facts need at least two people")
    place = (chance * others).astype(np.int64)
    return np.asarray(ordered[np.where(place < start, place, place + end - start)])


def _parse_month(text: str) -> int:
    """Months since 1970 of a month such as 2011-01."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}", text):
            return int(np.datetime64(text, "M").astype(np.int64))
    except ValueError:
        pass
    raise UsageError("a month is written 2011-01, not '{text}'", text=text)


_KNOWLEDGE_LABEL = Message("knowledge")


def require_figure(
    holds: bool, name: str, allowed: Message, where: Message = _KNOWLEDGE_LABEL
) -> None:
    """Fail, naming the parameter and what it may be, unless it holds."""
    if not holds:
        raise UsageError(
            "{where}: '{name}' must be {allowed}", where=where, name=name, allowed=allowed
        )
