"""What an attacker knows of a history: some rows, some people, roughly, and not all of it true.

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
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.pseudonyms.data.noise import coarsened, half_up, noisy, require_coarse, require_noise
from tokumei.pseudonyms.data.rows import NO_DAY, PERIOD_COLUMNS, PeriodRows, month_of

FACTS = PERIOD_COLUMNS[1:]
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


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
            raise UsageError(
                "give either alpha or points", "alpha と points はどちらか一方だけです"
            )
        for name in ("alpha", "people", "wrong"):
            require_figure(0 <= (getattr(self, name) or 0) <= 1, name, Text("0 to 1", "0〜1"))
        require_figure(
            self.points is None or self.points >= 1, "points", Text("1 or more", "1 以上")
        )
        for column, length in self.prefix.items():
            if column not in FACTS:
                raise UnknownNameError(Text("column", "列"), column, FACTS, where="prefix")
            require_figure(length >= 1, f"prefix {column}", Text("1 or more", "1 以上"))
        require_coarse(self.coarse)
        require_noise(self.noise)

    def of(self, rows: PeriodRows, *, rng: Randomness) -> PeriodRows:
        """The rows as the attacker knows them, the others DEL."""
        rng = rng.child("knowledge")
        able = np.flatnonzero(self._able(rows, rng.child("people")))
        chosen = np.sort(self._drawn(rows, able, rng))
        known = self._mistaken(rows, chosen, able, rng.child("wrong"))
        known = coarsened(noisy(known, self.noise, rng.child("noise")), self.coarse)
        cells = known.cells.with_columns(
            pl.col(column).str.head(length) for column, length in self.prefix.items()
        )
        unknown = np.ones(rows.rows, dtype=bool)
        unknown[chosen] = False
        blank = rows.with_deleted(unknown).cells
        return PeriodRows(
            blank.with_columns(blank[name].scatter(chosen, cells[name]) for name in PERIOD_COLUMNS)
        )

    def _able(self, rows: PeriodRows, rng: Randomness) -> np.ndarray:
        """Which rows may be known at all: of people one knows of, in the window."""
        number = half_up(self.people, len(rows.people))
        known = np.zeros(len(rows.people), dtype=bool)
        known[rng.permutation(len(rows.people))[:number]] = True
        able: np.ndarray = rows.kept & known[rows.person]
        if self.first is None and self.last is None:
            return able
        month = month_of(rows.days)
        low = -np.inf if self.first is None else _month(self.first)
        high = np.inf if self.last is None else _month(self.last)
        able &= (rows.days != NO_DAY) & (low <= month) & (month <= high)
        return able

    def _drawn(self, rows: PeriodRows, able: np.ndarray, rng: Randomness) -> np.ndarray:
        """Drawn anew for every share: what is known at 25 % tells nothing of 50 %."""
        if self.points is None:
            alpha = 1.0 if self.alpha is None else self.alpha
            order = rng.child("rows", str(alpha)).permutation(len(able))
            return np.asarray(able[order[: half_up(alpha, len(able))]])
        order = able[rng.child("points", self.points).permutation(len(able))]
        order = order[np.argsort(rows.person[order], kind="stable")]
        counts = np.bincount(rows.person[order])
        place = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.asarray(order[place < self.points])

    def _mistaken(
        self, rows: PeriodRows, chosen: np.ndarray, able: np.ndarray, rng: Randomness
    ) -> PeriodRows:
        """The chosen rows, some of them with the facts of a random row of another person."""
        number = half_up(self.wrong, len(chosen))
        bad = rng.child("rows").permutation(len(chosen))[:number]
        chance = rng.child("facts").generator.random(number)
        source = chosen.copy()
        source[bad] = _of_others(rows.person, able, chosen[bad], chance)
        facts = rows.take(source).cells
        return PeriodRows(facts.with_columns(rows.cells["customer"].gather(chosen)))


def _of_others(
    person: np.ndarray, able: np.ndarray, rows: np.ndarray, chance: np.ndarray
) -> np.ndarray:
    """For every row one of the able rows that are not of its person."""
    ordered = able[np.argsort(person[able], kind="stable")]
    start, end = (np.searchsorted(person[ordered], person[rows], side) for side in _SIDES)
    others = len(ordered) - (end - start)
    if not others.all():
        raise UsageError(
            "wrong facts need at least two people", "誤った知識には 2 人以上が必要です"
        )
    place = (chance * others).astype(np.int64)
    return np.asarray(ordered[np.where(place < start, place, place + end - start)])


def _month(text: str) -> int:
    """Months since 1970 of a month such as 2011-01."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}", text):
            return int(np.datetime64(text, "M").astype(np.int64))
    except ValueError:
        pass
    raise UsageError(
        f"a month is written 2011-01, not '{text}'", f"月は 2011-01 と書きます ('{text}')"
    )


_KNOWLEDGE = Text("knowledge", "知識")


def require_figure(holds: bool, name: str, allowed: Text, where: Text = _KNOWLEDGE) -> None:
    """Fail, naming the parameter and what it may be, unless it holds."""
    if not holds:
        raise UsageError(
            f"{where.en}: '{name}' must be {allowed.en}",
            f"{where.ja}: '{name}' は {allowed.ja} でなければなりません",
        )
