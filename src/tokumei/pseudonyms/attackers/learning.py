"""The rounds of the likelihood attack: gains → answers → a better model of the release's noise.

learned = learn(sides, rates, rng=rng)
learned.evidence, learned.linked, learned.answer
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from tokumei.core.randomness import Randomness
from tokumei.kernels.evidence import MonthRows, Rates, find_gains
from tokumei.pseudonyms.attackers.evidence import (
    Answer,
    Evidence,
    Linked,
    answer_months,
    other_months,
)
from tokumei.pseudonyms.attackers.mixture import Model, month_rows, row_weights
from tokumei.pseudonyms.attackers.sides import Side, Sides

ROUNDS = 3
FEW_ROWS = 10
"""Known rows of each customer that choose the pseudonyms to look at closely."""


@dataclass(frozen=True, eq=False)
class Learned:
    """The last round: gains alone, with other months, the answer they give, and the model."""

    evidence: Evidence
    linked: Linked
    answer: Answer
    model: Model


def learn(sides: Sides, rates: Rates, *, rng: Randomness) -> Learned:
    """Three rounds; the first looks at a few rows of everybody only."""
    months = {
        month: month_rows(sides, month) for month in range(sides.months) if _both(sides, month)
    }
    model = Model.start(rates)
    found = _round(sides, months, model, exact=False, rng=rng)
    for _ in range(ROUNDS - 1):
        model = model.learned(sides, months, _sure_pairs(sides, found.answer)).told(rates)
        found = _round(sides, months, model, exact=True, rng=rng)
    return found


def _both(sides: Sides, month: int) -> bool:
    """Whether there is anything to compare."""
    rows = sides.known.rows(month), sides.public.rows(month)
    return all(part.stop > part.start for part in rows)


def _round(
    sides: Sides, months: Mapping[int, MonthRows], model: Model, *, exact: bool, rng: Randomness
) -> Learned:
    gains = [_gains(sides, months.get(month), month, model, exact) for month in range(sides.months)]
    rows, heard = _rows(sides.public, sides.pseudonyms), _rows(sides.known, sides.people) > 0
    none = np.array([_none(sides, month, model.rates) for month in range(sides.months)])
    evidence = Evidence(gains, rows, heard, none)
    answer = answer_months(gains, evidence, rng=rng)
    linked = other_months(evidence, answer)
    if linked.values is not gains:
        answer = answer_months(linked.values, evidence, rng=rng)
    return Learned(evidence, linked, answer, model)


def _gains(
    sides: Sides, rows: MonthRows | None, month: int, model: Model, exact: bool
) -> csr_array:
    """One month's gains, customers × pseudonyms."""
    shape = (sides.people, sides.pseudonyms)
    if rows is None:
        return csr_array(shape)
    weights = row_weights(rows, model.shares, model.same_item)
    best, gain = find_gains(weights, rows, model.rates, FEW_ROWS, exact)
    who = sides.known.group_owner[sides.known.groups(month)]
    name = sides.public.group_owner[sides.public.groups(month)]
    people = np.repeat(who, best.shape[1])
    return csr_array((gain.ravel(), (people, name[best].ravel())), shape=shape)


def _none(sides: Sides, month: int, rates: Rates) -> np.ndarray:
    """What it counts to have no pseudonym: the rows not known are all deleted like the known ones.

    That is against being any of the pseudonyms that the customers heard of leave free.
    """
    groups = sides.known.groups(month)
    rows = np.diff(sides.known.start[groups.start : groups.stop + 1])
    unknown = rows * (1 - rates.known) / rates.known
    pseudonyms = sides.public.groups(month)
    none = np.zeros(sides.people)
    free = max(pseudonyms.stop - pseudonyms.start - len(rows), 0)
    none[sides.known.group_owner[groups]] = np.log(free + 1) + unknown * np.log(rates.deleted)
    return none


def _rows(side: Side, owners: int) -> np.ndarray:
    """How many rows each owner has in each month (months × owners)."""
    counts = np.bincount(side.month * owners + side.owner, minlength=side.months * owners)
    return counts.reshape(side.months, owners)


def _sure_pairs(sides: Sides, answer: Answer) -> np.ndarray:
    """Month, known group and public group of the sure answers about customers heard of."""
    who, month = np.nonzero(answer.sure)
    name = answer.chosen[who, month]
    known, heard = _find_group(sides.known, month, who, sides.people)
    public, _ = _find_group(sides.public, month, name, sides.pseudonyms)
    return np.asarray(np.column_stack([month, known, public])[heard])


def _find_group(
    side: Side, month: np.ndarray, owner: np.ndarray, owners: int
) -> tuple[np.ndarray, np.ndarray]:
    """The groups of these owners in these months, and whether there is one."""
    keys = side.month[side.start[:-1]] * owners + side.group_owner
    wanted = month * owners + owner
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return place, keys[place] == wanted
