"""The likelihood attack on purchase histories, by its own probabilities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.assessment.attacker_figures import SURE
from tokumei.assessment.opened_purchases import CUSTOMER, OpenedPurchases, PersonChances
from tokumei.core.generalized_cells import SUPPRESSED_CELL, canonicalize_column, positions_in
from tokumei.histories.attackers.consistent import log_likelihoods
from tokumei.histories.attackers.protocol import match_probabilities
from tokumei.histories.attackers.released_rows import distinct_released_rows, parse_public_rows
from tokumei.histories.data.history import COLUMNS, History

MAX_PAIRS = 25_000_000
"""More pairs of a pseudonym and a customer take too long and too much memory."""
ISO_DAY = re.compile(r"(\d{4})-0?(\d{1,2})-0?(\d{1,2})")


@dataclass(frozen=True, eq=False)
class LikelihoodOfHistories:
    """Weighs how well every published row fits every customer, and matches one to one."""

    source: History
    code: str = "likelihood"

    def attack(
        self, opened: OpenedPurchases, known: np.ndarray, columns: Sequence[str]
    ) -> PersonChances | None:
        """The probability of the truth, and whether the attack is sure of it or of another."""
        history = self.source.take(np.flatnonzero(known))
        if opened.owners * len(history.customers) > MAX_PAIRS or not history.rows:
            return None
        released = distinct_released_rows(
            parse_public_rows(public_rows(opened, columns, self.source), history)
        )
        chances = match_probabilities(log_likelihoods(released, history))
        owner = released.pseudonyms.cast(pl.Int64).to_numpy()
        person = opened.person_of_owner[owner]
        true = positions_in(self._customers(opened), history.customers)[person]
        right = np.zeros(opened.people)
        places = np.arange(len(owner))
        own = np.where(true >= 0, chances[places, np.maximum(true, 0)], 0.0)
        right[person] = own
        top = chances.max(axis=1, initial=0.0)
        sure, wrong = (np.zeros(opened.people, dtype=bool) for _ in range(2))
        sure[person] = own >= SURE
        wrong[person] = (top >= SURE) & (own < SURE)
        return PersonChances(np.minimum(right, 1.0), sure, wrong)

    def _customers(self, opened: OpenedPurchases) -> pl.Series:
        """The customer of every released person."""
        first = np.zeros(opened.people, dtype=np.int64)
        first[opened.rows.released_people] = opened.link
        return self.source.frame[CUSTOMER].gather(first)


def public_rows(opened: OpenedPurchases, columns: Sequence[str], source: History) -> pl.DataFrame:
    """The released cells as text; what is not known of purchases is `*`."""
    frame = opened.rows.released.frame
    star = pl.repeat(SUPPRESSED_CELL, frame.height, eager=True)
    cells = {
        name: contest_days(canonicalize_column(frame[name]), source.like.get(name, name))
        if name in columns and name in frame.columns
        else star.alias(name)
        for name in (*COLUMNS[1:], *source.like)
    }
    owner = pl.Series(CUSTOMER, opened.owner).cast(pl.String)
    return pl.DataFrame([owner, *(cell.alias(name) for name, cell in cells.items())])


def contest_days(cells: pl.Series, like: str) -> pl.Series:
    """Days as files of histories write them: 2011/1/31."""
    if like != "day":
        return cells
    distinct = cells.unique()
    spelled = [ISO_DAY.sub(r"\1/\2/\3", text) for text in distinct.to_list()]
    return cells.replace_strict(distinct, spelled, return_dtype=pl.String)
