"""The scoreboard and profiles against loops over keys."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given

from support.small_sides import small_sides
from tokumei.kernels.match_likelihood import PRICE, QUANTITY
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.attackers.scoreboard import SCORED_KEYS, ScoreboardAttack


def alive_in(sides):
    alive = np.zeros((sides.months, sides.pseudonyms), dtype=bool)
    alive[sides.public.month, sides.public.owner] = True
    return alive


def everything(scores, sides):
    return scores.table(np.arange(sides.people), np.arange(sides.pseudonyms))


def keys(side, bands):
    found = defaultdict(set)
    for row, owner in enumerate(side.owner):
        key = [side.month[row], side.item[row]]
        for column, width, offset in bands:
            value = side.values[column, row]
            key.append(math.floor((value + offset) / width) if width else round(value, 6))
        found[owner].add(tuple(key))
    return found


@given(sides=small_sides())
def test_shared_keys_count_by_rarity(sides):
    alive = alive_in(sides)
    expected = np.zeros((sides.people, sides.pseudonyms))
    for weight, bands in SCORED_KEYS:
        shown, told = keys(sides.public, bands), keys(sides.known, bands)
        holders = Counter(key for owned in shown.values() for key in owned)
        for who, mine in told.items():
            for name, theirs in shown.items():
                for key in mine & theirs:
                    expected[who, name] += weight * math.log(alive[key[0]].sum() / holders[key])
    assert everything(ScoreboardAttack().scores(sides, alive), sides) == pytest.approx(expected)


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
