"""Tests of tokumei.apps.contest.services.entry_view_builder."""

from __future__ import annotations

from apps.contest.played import SLUG, Played
from tokumei.apps.contest.services.administration import set_team_status
from tokumei.apps.contest.services.entries import get_entry_view
from tokumei.apps.contest.services.teams import get_team_view


def test_a_hidden_attacker_has_no_name(played: Played) -> None:
    place, organiser = played.place, played.viewers["organiser"]
    bees = get_team_view(place, played.viewers["bee"], SLUG).id
    set_team_status(place, organiser, SLUG, bees, hidden=True, reason="a test")
    shown = [
        [
            line.attacker
            for line in get_entry_view(place, who, SLUG, played.entries["published"]).attacked
        ]
        for who in (played.viewers["ant"], organiser)
    ]
    assert shown == [[None], ["Bees"]]
