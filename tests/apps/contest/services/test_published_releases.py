"""Tests of tokumei.apps.contest.services.published_releases."""

from __future__ import annotations

import pytest

from apps.contest.played import ANONYMIZING, ATTACKING, SLUG, Played
from apps.contest.services.leaderboard_helpers import END
from tokumei.apps.contest.services.administration import set_team_status
from tokumei.apps.contest.services.contests import get_data_file
from tokumei.apps.contest.services.entries import get_entry_view
from tokumei.apps.contest.services.published_releases import get_public_file, list_targets
from tokumei.apps.contest.services.teams import get_team_view
from tokumei.apps.http.errors import Forbidden, NotFound


def test_a_banned_team_gets_no_files(played: Played) -> None:
    place, organiser, ant = played.place, played.viewers["organiser"], played.viewers["ant"]
    assert get_public_file(place, ant, SLUG, played.entries["target"]).path.is_file()
    ants = get_team_view(place, ant, SLUG).id
    set_team_status(place, organiser, SLUG, ants, banned=True, reason="two accounts")
    for ask in (
        lambda: list_targets(place, ant, SLUG),
        lambda: get_public_file(place, ant, SLUG, played.entries["target"]),
        lambda: get_data_file(place, ant, SLUG, "original"),
    ):
        with pytest.raises(Forbidden, match="banned: two accounts"):
            ask()


def test_without_a_choice_the_best_is_published_when_all_is_judged(opened: Played) -> None:
    place, ant = opened.place, opened.viewers["ant"]
    first = opened.scored("ant", b"first", total=0.4)
    opened.scored("ant", b"no total", total=None, safety=None)
    late = opened.submit("ant", b"late").id
    opened.clock.to(END)
    assert list_targets(place, ant, SLUG) == ()  # one is still waiting
    opened.judge(late, total=0.2)
    assert [target.id for target in list_targets(place, ant, SLUG)] == [late]
    assert get_entry_view(place, ant, SLUG, late).published
    opened.attack("bee", late)
    opened.judge(late, total=0.9, judge_version="judge-2")
    assert [target.id for target in list_targets(place, ant, SLUG)] == [late]
    assert not get_entry_view(place, ant, SLUG, first).published


def test_published_files_are_for_insiders_in_the_attack_phase(played: Played) -> None:
    place, target = played.place, played.entries["target"]
    content = get_public_file(place, played.viewers["ant"], SLUG, target).path.read_text()
    assert content == f"S of {target}\n"
    own = get_public_file(place, played.viewers["bee"], SLUG, played.entries["private"])
    assert own.path.is_file()
    for name in ("private", "attacked"):
        with pytest.raises(NotFound):
            get_public_file(place, played.viewers["ant"], SLUG, played.entries[name])
    with pytest.raises(NotFound):
        get_public_file(place, played.viewers["bee"], SLUG, played.entries["withdrawn"])
    played.clock.to(ANONYMIZING)
    with pytest.raises(NotFound):
        get_public_file(place, played.viewers["ant"], SLUG, target)
    played.clock.to(ATTACKING)
    assert [t.number for t in list_targets(place, played.viewers["organiser"], SLUG)] == [1, 1]
