"""Ways around quotas, teams and choices that clever people try."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from apps.contest.played import PASSWORD, SLUG, START, Played
from tokumei.apps.contest.services.accounts import create_account
from tokumei.apps.contest.services.administration import set_team_status
from tokumei.apps.contest.services.contest_state import OutsidePhaseError
from tokumei.apps.contest.services.contests import get_data_file
from tokumei.apps.contest.services.entries import get_entry_view, publish_release, unpublish_release
from tokumei.apps.contest.services.entry_view_builder import HIDDEN_TEAM
from tokumei.apps.contest.services.published_releases import get_public_file, list_targets
from tokumei.apps.contest.services.teams import (
    create_team,
    create_team_code,
    get_team_view,
    join_team,
    leave_team,
    make_captain,
    remove_member,
)
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.http.errors import Conflict, Forbidden

SECOND_ROUND = START + timedelta(days=11)


@pytest.fixture
def two_rounds(sqlite_home: ContestHome, tmp_path: Path) -> Iterator[Played]:
    """A contest in the first of two attack phases, with entries in every state."""
    days = (("anonymize", 0, 7), ("attack", 7, 10), ("anonymize", 10, 12), ("attack", 12, 15))
    phases = [
        {"kind": kind, "starts": START + timedelta(days=a), "ends": START + timedelta(days=b)}
        for kind, a, b in days
    ]
    played = Played.make(sqlite_home, tmp_path, phases=phases)
    yield played
    played.close()


def test_an_invitation_is_good_for_one_team(opened: Played) -> None:
    place, cat = opened.place, opened.viewers["cat"]
    create_team(place, cat, SLUG, "Cats")
    code = create_team_code(place, cat, SLUG).code
    sock = create_account(place, "sock", PASSWORD, invite=code)
    make_captain(place, cat, SLUG, sock.require_account())
    leave_team(place, cat, SLUG)
    with pytest.raises(Conflict, match="created a team"):
        create_team(place, cat, SLUG, "More cats")
    join_team(place, cat, SLUG, code)
    make_captain(place, sock, SLUG, cat.require_account())
    leave_team(place, sock, SLUG)
    with pytest.raises(Forbidden, match="by invitation"):
        create_team(place, sock, SLUG, "Socks")


def test_nobody_leaves_a_team_that_has_uploaded(opened: Played) -> None:
    place, ann = opened.place, opened.viewers["ann"]
    ants = create_team_code(place, opened.viewers["ant"], SLUG).code
    leave_team(place, ann, SLUG)
    join_team(place, ann, SLUG, ants)
    opened.submit("ant")
    with pytest.raises(Conflict, match="has already uploaded"):
        leave_team(place, ann, SLUG)
    assert get_team_view(place, ann, SLUG).name == "Ants"


def test_who_knows_a_teams_secrets_joins_no_other(opened: Played) -> None:
    place, ant, ann = opened.place, opened.viewers["ant"], opened.viewers["ann"]
    bees = create_team_code(place, opened.viewers["bee"], SLUG).code
    opened.submit("ant")
    remove_member(place, ant, SLUG, ann.require_account())
    for change in (
        lambda: join_team(place, ann, SLUG, bees),
        lambda: create_team(place, ann, SLUG, "Anns"),
    ):
        with pytest.raises(Forbidden, match="change sides"):
            change()
    assert join_team(place, ann, SLUG, create_team_code(place, ant, SLUG).code).name == "Ants"


def test_who_left_before_the_first_upload_is_free(opened: Played) -> None:
    place, ant, ann = opened.place, opened.viewers["ant"], opened.viewers["ann"]
    remove_member(place, ant, SLUG, ann.require_account())
    opened.submit("ant")
    bees = create_team_code(place, opened.viewers["bee"], SLUG).code
    assert join_team(place, ann, SLUG, bees).name == "Bees"


def test_old_codes_do_not_bring_back_who_was_sent_away(opened: Played) -> None:
    place, ant, ann = opened.place, opened.viewers["ant"], opened.viewers["ann"]
    bees = create_team_code(place, opened.viewers["bee"], SLUG).code
    ants = create_team_code(place, ant, SLUG).code
    remove_member(place, ant, SLUG, ann.require_account())
    with pytest.raises(Forbidden, match="not valid"):
        join_team(place, ann, SLUG, ants)
    assert join_team(place, ann, SLUG, bees).name == "Bees"  # others' codes go on


def test_no_choice_changes_between_anonymize_phases(two_rounds: Played) -> None:
    place, ant, entries = two_rounds.place, two_rounds.viewers["ant"], two_rounds.entries
    for change, name in ((unpublish_release, "published"), (publish_release, "scored")):
        with pytest.raises(OutsidePhaseError, match="anonymize phase is open"):
            change(place, ant, SLUG, entries[name])
        shown = get_entry_view(place, ant, SLUG, entries[name])
        assert (shown.can_publish, shown.can_unpublish) == (False, False)
    assert get_entry_view(place, ant, SLUG, entries["published"]).published


def test_an_attacked_release_stays_published(two_rounds: Played) -> None:
    place, ant, entries = two_rounds.place, two_rounds.viewers["ant"], two_rounds.entries
    two_rounds.clock.to(SECOND_ROUND)
    with pytest.raises(Conflict, match="attacked already"):
        unpublish_release(place, ant, SLUG, entries["published"])
    assert not get_entry_view(place, ant, SLUG, entries["published"]).can_unpublish
    two_rounds.changed(quotas={"published": 2})
    assert publish_release(place, ant, SLUG, entries["scored"]).can_unpublish
    assert unpublish_release(place, ant, SLUG, entries["scored"]).can_publish


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
    assert shown == [[HIDDEN_TEAM], ["Bees"]]


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
