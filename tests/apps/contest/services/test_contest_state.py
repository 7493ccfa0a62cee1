"""Tests of tokumei.apps.contest.services.contest_state."""

from __future__ import annotations

import pytest

from apps.contest.played import ATTACKING, OVER, Played
from tokumei.apps.contest.services.contest_state import OutsidePhaseError


def test_attacks_outside_their_phase_are_refused(played: Played) -> None:
    played.clock.to(OVER)
    with pytest.raises(OutsidePhaseError, match="attacks closed"):
        played.attack("ant", played.entries["target"])
    played.clock.to(ATTACKING)
    with pytest.raises(OutsidePhaseError, match="submissions closed"):
        played.submit("ant")
