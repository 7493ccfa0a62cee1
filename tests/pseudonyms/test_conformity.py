"""What is singular: groups against loops, planted rows that matter, random rows that do not."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from tokumei.core.json_types import as_json_text
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms import sample_periods
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.conformity import _build_effect, measure_singular_effects, singular_groups

HISTORY = sample_periods(1500, seed=3)


def test_groups_are_found_by_looking_at_every_row() -> None:
    groups = singular_groups(HISTORY.rows)
    times = Counter(HISTORY.rows.cells["item"])
    once = [times[item] == 1 for item in HISTORY.rows.cells["item"]]
    assert groups["bought-once"].tolist() == once
    prices = HISTORY.rows.prices
    middle, sd = sum(prices) / len(prices), float(np.std(prices))
    assert groups["price"].tolist() == [abs(price - middle) > 4 * sd for price in prices]


@pytest.mark.long
def test_the_rows_that_carry_the_attack_matter_and_random_ones_do_not() -> None:
    """The control: a few rows by lot. Against it: all rows of half of the customers."""
    made = Pseudonyms(lifetime=1).anonymize(HISTORY, rng=Randomness(1))
    rows = HISTORY.rows.rows
    few = np.zeros(rows, dtype=bool)
    few[np.random.default_rng(0).permutation(rows)[:5]] = True
    groups = {
        "by lot": few,
        "half": HISTORY.person % 2 == 0,
        "none": np.zeros(rows, dtype=bool),
    }
    found = measure_singular_effects(
        HISTORY.rows,
        made.rows,
        HISTORY.master.customers,
        alpha=0.5,
        attack="scoreboard",
        rng=Randomness(1),
        groups=groups,
    )
    by_lot, half, none = found
    assert not by_lot.matters
    assert by_lot.low <= 0 <= by_lot.high
    assert half.matters
    assert half.after < 0.7 * half.before
    assert (none.rows, none.low, none.high) == (0, 0, 0)


def test_the_figures_of_an_effect_are_plain_data() -> None:
    before, after = np.array([3, 2, 1]), np.array([1, 1, 0])
    effect = _build_effect("once", Message("a"), 3, "best", before, after, 6)
    assert json.loads(as_json_text(effect.as_json()))["matters"] is True
