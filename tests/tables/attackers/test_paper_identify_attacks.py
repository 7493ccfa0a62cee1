"""Tests of tokumei.tables.attackers.paper_identify_attacks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.paper_identify_attacks import RankOrderAttack
from tokumei.tables.data.guess import ABSTAIN, Knowledge
from tokumei.tables.data.table import Table


def test_more_released_than_known_rows_leave_ranks_without_answer() -> None:
    """Sorting by chance: three equal rows share two ranks, so each abstains a third of the time."""
    known = Table.of(pl.DataFrame({"s": [1, 2]}), qi=[], sa=["s"])
    released = Table.of(pl.DataFrame({"s": [5] * 3000}), qi=[], sa=["s"])
    guess = RankOrderAttack().attack(released, Knowledge(known), rng=Randomness(1))
    chance = guess.chance_of(np.zeros(3000, dtype=np.int64))
    assert chance == pytest.approx(1 / 3000)
    answers = guess.draw(np.random.default_rng(2))
    assert (answers != ABSTAIN).sum() < 15
