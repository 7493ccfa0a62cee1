"""What each attack answers, on releases small enough to see the answer."""

import numpy as np
import polars as pl
import pytest

from histories.attackers.history_attacks_helpers import ALL, KNOWN, RNG, public
from support.attacked_histories import hide_items, random_history
from tokumei.core.randomness import Randomness


@pytest.mark.parametrize("attack", ALL)
def test_an_empty_file_gets_no_answer(attack):
    guess = attack.attack(public(), KNOWN, rng=RNG)
    assert guess.frame().schema == {"pid": pl.String, "cid": pl.String}
    assert guess.frame().is_empty()
    assert len(guess.confidence) == 0


@pytest.mark.parametrize("attack", ALL)
def test_deleted_rows_are_no_pseudonym_and_strange_cells_no_error(attack):
    rows = public(["*"] * 5, ["7", "soon", "{}", "cheap", "few"], ["*"] * 5)
    guess = attack.attack(rows, KNOWN, rng=RNG)
    assert guess.pseudonyms.to_list() == ["7"]
    assert attack.attack(rows.head(1), KNOWN, rng=RNG).frame().is_empty()


@pytest.mark.parametrize("attack", ALL)
def test_the_same_seed_gives_the_same_answer(attack):
    known = random_history()
    rows = hide_items(known, largest=10, keep=0.5, seed=1).public
    one, two = (attack.attack(rows, known, rng=Randomness(5)) for _ in range(2))
    assert one.frame().equals(two.frame())
    assert np.array_equal(one.confidence, two.confidence)
