from __future__ import annotations

import pytest

from fuzz.races import try_kills, try_races


def test_two_writers_at_once_leave_the_set_of_one() -> None:
    assert try_races(10) == []


@pytest.mark.long
def test_a_writer_that_is_killed_leaves_no_mixed_set() -> None:
    assert try_kills(20, seed=1) == []
