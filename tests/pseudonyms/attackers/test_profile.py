"""Tests of tokumei.pseudonyms.attackers.profile."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given

from pseudonyms.attackers.scoring_helpers import everything
from support.small_contests import contest, release, run
from support.small_sides import small_sides
from tokumei.kernels.match_likelihood import PRICE, QUANTITY
from tokumei.pseudonyms.attackers.best import BestPseudonymAttack
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.data.purchase_text_cells import Months
from tokumei.pseudonyms.measures.reidentification import GuessClaims


def test_months_without_known_rows_are_answered_by_profile():
    rows = contest(seed=10, people=20, items=200)
    early = Months.spanning(rows.days).of(rows.days) < 2
    released = release(rows, lifetime=2)
    late = released.with_deleted(early)
    guess, truth = run(BestPseudonymAttack(), rows, late, rows.with_deleted(~early))
    profile, _ = run(Profile(), rows, late, rows.with_deleted(~early))
    assert np.array_equal(guess.table.codes, profile.table.codes)
    assert GuessClaims.of_table(guess.table, truth).right.mean() > 0.6


def profiles(side, columns, item):
    found = defaultdict(Counter)
    for row, owner in enumerate(side.owner):
        key = (side.item[row],) * item + tuple(side.values[c, row] for c in columns)
        found[owner][key] += 1
    return found


@given(sides=small_sides())
def test_profiles_are_cosines(sides):
    expected = np.zeros((sides.people, sides.pseudonyms))
    features = [(1, (), 1), (0.5, (QUANTITY,), 1), (0.2, (PRICE,), 0), (0.2, (QUANTITY,), 0)]
    for weight, columns, item in features:
        told = profiles(sides.known, columns, item)
        shown = profiles(sides.public, columns, item)
        owners = Counter(key for side in (told, shown) for own in side.values() for key in own)
        everybody = len(told) + len(shown)

        def vector(own, owners=owners, everybody=everybody):
            raw = {
                k: math.log1p(n) * math.sqrt(math.log(everybody / owners[k]))
                for k, n in own.items()
            }
            length = math.sqrt(sum(v * v for v in raw.values())) or 1.0
            return {k: v / length for k, v in raw.items()}

        for who, mine in told.items():
            for name, theirs in shown.items():
                left, right = vector(mine), vector(theirs)
                shared = sum(left[k] * right[k] for k in left.keys() & right.keys())
                expected[who, name] += weight * shared
    alive = np.ones((sides.months, sides.pseudonyms), dtype=bool)
    assert everything(Profile().scores(sides, alive), sides) == pytest.approx(expected, abs=1e-9)
