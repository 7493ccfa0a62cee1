"""The scoreboard and profiles against loops over keys."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given

from pseudonyms.attackers.scoring_helpers import everything
from support.small_sides import small_sides
from tokumei.pseudonyms.attackers.scoreboard import SCORED_KEYS, ScoreboardAttack


def alive_in(sides):
    alive = np.zeros((sides.months, sides.pseudonyms), dtype=bool)
    alive[sides.public.month, sides.public.owner] = True
    return alive


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
