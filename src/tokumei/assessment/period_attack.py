"""The attacks on pseudonyms over time, by their own probabilities.

Whoever attacks names one pseudonym per person and month; a person counts as guessed right if the
surest of these answers is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.assessment.attacker_figures import SURE
from tokumei.assessment.history_attack import contest_days
from tokumei.assessment.opened_purchases import CUSTOMER, OpenedPurchases, PersonChances
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.best import BestPseudonymAttack
from tokumei.pseudonyms.attackers.challenge import ChallengeAttacker, PeriodChallenge
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows

MAX_PAIRS = 6_000_000
"""More pairs of a pseudonym and a customer take too long."""
UNKNOWN_CELLS = {"invoice": "0", "time": "0:00", "item": "0", "price": "1", "quantity": "1"}
"""The same on both sides where a column is not known."""


@dataclass(frozen=True, eq=False)
class BestOfPeriods:
    """The best of all attacks on pseudonyms, knowing some rows of all customers."""

    source: PeriodHistory
    code: str = "best"

    def attack(
        self, opened: OpenedPurchases, known: np.ndarray, columns: Sequence[str]
    ) -> PersonChances | None:
        """Whom the attack names, and how sure it is."""
        customers = self.source.master.customers
        if opened.owners * len(customers) > MAX_PAIRS or not known.any():
            return None
        names = [name for name in columns if name in opened.rows.released.frame.columns]
        known_rows = _mask(self.source.rows.with_deleted(~known), names, self.source.rows.days)
        public = released_rows(opened, names)
        return _count(opened, self.source, public, known_rows, BestPseudonymAttack())


@dataclass(frozen=True, eq=False)
class ProfileOfPeriods:
    """Knows the first half of the months, and finds people by their habits in the second."""

    source: PeriodHistory
    code: str = "profile"

    def attack(
        self, opened: OpenedPurchases, known: np.ndarray, columns: Sequence[str]
    ) -> PersonChances | None:
        """Whom the attack names, and how sure it is."""
        half = self.source.months.count // 2
        later = self.source.period[opened.link] >= half
        if not half or not later.any() or "item" not in columns:
            return None
        names = [name for name in columns if name in opened.rows.released.frame.columns]
        earlier = self.source.rows.with_deleted((self.source.period >= half) | ~known)
        public = released_rows(opened, names).take(later)
        if len(public.people) * len(self.source.master.customers) > MAX_PAIRS:
            return None
        known_rows = _mask(earlier, names, self.source.rows.days)
        return _count(opened, self.source, public, known_rows, Profile())


def released_rows(opened: OpenedPurchases, columns: Sequence[str]) -> PeriodRows:
    """The released rows as text, under numbers for pseudonyms; what is not known is the same."""
    frame = opened.rows.released.frame
    cells = {
        CUSTOMER: pl.Series(CUSTOMER, opened.owner).cast(pl.String),
        "invoice": pl.repeat("0", frame.height, eager=True),
    }
    for name in PERIOD_COLUMNS[2:]:
        if name in columns:
            cells[name] = _spell(frame[name], name)
        elif name != "day":
            cells[name] = pl.repeat(UNKNOWN_CELLS[name], frame.height, eager=True)
    days = first_of_month(opened.month[opened.link])
    cells["day"] = cells["day"] if "day" in cells and _are_days(cells["day"]) else days
    return PeriodRows(pl.DataFrame([cells[name].alias(name) for name in PERIOD_COLUMNS]))


def _spell(cells: pl.Series, name: str) -> pl.Series:
    if name == "time" and cells.dtype.is_integer():
        minutes = cells.to_frame("m").select(
            pl.format("{}:{}", pl.col("m") // 60, (pl.col("m") % 60).cast(pl.String).str.zfill(2))
        )
        return minutes.to_series()
    return contest_days(cells.cast(pl.String), name)


def _are_days(cells: pl.Series) -> bool:
    return bool(cells.str.contains(r"^\d{4}/\d{1,2}/\d{1,2}$").all())


def first_of_month(months: np.ndarray) -> pl.Series:
    """Days as text; months are counted from the year 0."""
    return pl.Series("day", [f"{month // 12}/{month % 12 + 1}/1" for month in months.tolist()])


def _mask(rows: PeriodRows, columns: Sequence[str], days: np.ndarray) -> PeriodRows:
    """Known rows without what is not known; the month always is."""
    date = pl.Series("date", days).cast(pl.Int32).cast(pl.Date)
    changed = {name: pl.lit(cell) for name, cell in UNKNOWN_CELLS.items() if name not in columns}
    if "day" not in columns:
        changed["day"] = pl.lit(date.dt.strftime("%Y/%-m/1"))
    kept = pl.Series(rows.kept)
    return PeriodRows(
        rows.cells.with_columns(
            pl.when(kept).then(cell).otherwise(pl.col(name)).alias(name)
            for name, cell in changed.items()
        )
    )


def _count(
    opened: OpenedPurchases,
    source: PeriodHistory,
    public: PeriodRows,
    known: PeriodRows,
    attack: ChallengeAttacker,
) -> PersonChances:
    challenge = PeriodChallenge(public, known, source.master.customers, source.months)
    guess = attack.answer(challenge, rng=Randomness(0))
    return _chances(opened, guess, source)


def _chances(opened: OpenedPurchases, guess: PeriodGuess, source: PeriodHistory) -> PersonChances:
    """By released person: whether the surest answer is right, and which sure ones are."""
    names = guess.table.pseudonyms.cast(pl.Int64).to_numpy()
    owner = np.append(names, -1)[guess.table.codes]
    person_of_owner = np.append(opened.person_of_owner, -1)
    first = np.zeros(opened.people, dtype=np.int64)
    first[opened.rows.released_people] = opened.link
    row = source.person[first]
    named = person_of_owner[owner[row]]
    is_right = (owner[row] >= 0) & (named == np.arange(opened.people)[:, None])
    confidence = np.where(owner[row] >= 0, guess.confidence[row], -1.0)
    surest = confidence.argmax(axis=1)
    sure = confidence >= SURE
    return PersonChances(
        is_right[np.arange(opened.people), surest].astype(np.float64),
        (sure & is_right).any(axis=1),
        (sure & ~is_right).any(axis=1),
    )
