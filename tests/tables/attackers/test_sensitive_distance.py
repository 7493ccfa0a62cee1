"""Tests of tokumei.tables.attackers.sensitive_distance."""

from __future__ import annotations

import numpy as np

from tables.attackers.missing_values_helpers import NOBODY
from tokumei.tables.attackers.sensitive_distance import standard_deviations


def test_gaps_do_not_change_the_scale_of_a_column() -> None:
    holes = np.array([[1.0, 5.0], [NOBODY, 5.0], [3.0, NOBODY]])
    assert standard_deviations(holes).tolist() == [1.0, 1.0]
    assert standard_deviations(np.array([[NOBODY], [NOBODY]])).tolist() == [1.0]
