"""Tests of tokumei.apps.contest.services.entry_views."""

from __future__ import annotations

from datetime import timedelta

import pytest

from apps.contest.played import OVER, SLUG, Played
from apps.contest.services.leaderboard_helpers import END
from apps.contest.web.figures_and_charts_helpers import WHEN
from tokumei.apps.contest.services.administration import change_phase
from tokumei.apps.contest.services.entries import get_entry_view
from tokumei.apps.contest.services.entry_views import AttackResultView
from tokumei.apps.contest.web.formatting import found


def test_an_extended_phase_extends_the_delay(played: Played) -> None:
    played.changed(feedback="delayed")
    later = OVER + timedelta(days=1)
    organiser = played.viewers["organiser"]
    change_phase(played.place, organiser, SLUG, 1, starts=END, ends=later, reason="more time")
    played.clock.to(OVER)
    attack = get_entry_view(played.place, played.viewers["ant"], SLUG, played.entries["attack"])
    assert attack.found == AttackResultView(until=later)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (None, "–"),
        (AttackResultView(value=0.25), "0.2500"),
        (AttackResultView(low=0.05, high=0.1), "0.05–0.1"),
        (AttackResultView(until=WHEN), "later"),
    ],
)
def test_what_an_attack_found_is_told_as_far_as_it_may_be(told, shown):
    assert shown in str(found(told))
