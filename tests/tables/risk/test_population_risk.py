"""Tests of tokumei.tables.risk.population_risk."""

from __future__ import annotations

import numpy as np

import tokumei as tk
from tokumei.tables.risk.risk import risk


def test_the_sample_fraction_is_another_way_to_give_the_population() -> None:
    people = tk.sample_table(300, seed=1)
    by_number = risk(people, population=3000).as_json()
    assert risk(people, population=np.int64(3000)).as_json() == by_number
    assert risk(people, sample_fraction=0.1).as_json() == by_number
    assert by_number["population"]["sample_fraction"] == 0.1
