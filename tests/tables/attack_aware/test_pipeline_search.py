"""Tests of tokumei.tables.attack_aware.pipeline_search."""

from __future__ import annotations

import pytest

from tables.attack_aware_helpers import PEOPLE
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.attack_aware.pipeline_search import PipelineSearch


def test_bounds_that_nothing_keeps_are_told_with_the_nearest() -> None:
    search = PipelineSearch(PEOPLE, {"S1": 121.0, "U5": 0.0}, ("E1",), Randomness(1))
    with pytest.raises(UsageError, match="keeps all bounds; the nearest has S1"):
        search.best()
