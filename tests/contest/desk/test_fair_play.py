"""Ways around quotas, teams and choices that clever people try."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from contest.played import PASSWORD, SLUG, START, Played
from tokumei.contest.desk.accounts import register
from tokumei.contest.desk.console import set_team
from tokumei.contest.desk.contests import data_file
from tokumei.contest.desk.entries import entry_of, publish, unpublish
from tokumei.contest.desk.entry_rows import HIDDEN_TEAM
from tokumei.contest.desk.moment import Late
from tokumei.contest.desk.published import public_file, targets
from tokumei.contest.desk.teams import (
    create_team,
    join_team,
    leave_team,
    make_captain,
    my_team,
    new_team_code,
    remove_member,
)
from tokumei.contest.store.home import Home
from tokumei.http.refusals import Conflict, NotAllowed

SECOND_ROUND = START + timedelta(days=11)


@pytest.fixture
def two_rounds(sqlite_home: Home, tmp_path: Path) -> Iterator[Played]:
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
    code = new_team_code(place, cat, SLUG).code
    sock = register(place, "sock", PASSWORD, invite=code)
    make_captain(place, cat, SLUG, sock.require_account())
    leave_team(place, cat, SLUG)
    with pytest.raises(Conflict, match="created a team"):
        create_team(place, cat, SLUG, "More cats")
    join_team(place, cat, SLUG, code)
    make_captain(place, sock, SLUG, cat.require_account())
    leave_team(place, sock, SLUG)
    with pytest.raises(NotAllowed, match="by invitation"):
        create_team(place, sock, SLUG, "Socks")


def test_nobody_leaves_a_team_that_has_uploaded(opened: Played) -> None:
    place, ann = opened.place, opened.viewers["ann"]
    ants = new_team_code(place, opened.viewers["ant"], SLUG).code
    leave_team(place, ann, SLUG)
    join_team(place, ann, SLUG, ants)
    opened.submit("ant")
    with pytest.raises(Conflict, match="has already uploaded"):
        leave_team(place, ann, SLUG)
    assert my_team(place, ann, SLUG).name == "Ants"


def test_who_knows_a_teams_secrets_joins_no_other(opened: Played) -> None:
    place, ant, ann = opened.place, opened.viewers["ant"], opened.viewers["ann"]
    bees = new_team_code(place, opened.viewers["bee"], SLUG).code
    opened.submit("ant")
    remove_member(place, ant, SLUG, ann.require_account())
    for change in (
        lambda: join_team(place, ann, SLUG, bees),
        lambda: create_team(place, ann, SLUG, "Anns"),
    ):
        with pytest.raises(NotAllowed, match="change sides"):
            change()
    assert join_team(place, ann, SLUG, new_team_code(place, ant, SLUG).code).name == "Ants"


def test_who_left_before_the_first_upload_is_free(opened: Played) -> None:
    place, ant, ann = opened.place, opened.viewers["ant"], opened.viewers["ann"]
    remove_member(place, ant, SLUG, ann.require_account())
    opened.submit("ant")
    bees = new_team_code(place, opened.viewers["bee"], SLUG).code
    assert join_team(place, ann, SLUG, bees).name == "Bees"


def test_old_codes_do_not_bring_back_who_was_sent_away(opened: Played) -> None:
    place, ant, ann = opened.place, opened.viewers["ant"], opened.viewers["ann"]
    bees = new_team_code(place, opened.viewers["bee"], SLUG).code
    ants = new_team_code(place, ant, SLUG).code
    remove_member(place, ant, SLUG, ann.require_account())
    with pytest.raises(NotAllowed, match="not valid"):
        join_team(place, ann, SLUG, ants)
    assert join_team(place, ann, SLUG, bees).name == "Bees"  # others' codes go on


def test_no_choice_changes_between_anonymize_phases(two_rounds: Played) -> None:
    place, ant, entries = two_rounds.place, two_rounds.viewers["ant"], two_rounds.entries
    for change, name in ((unpublish, "published"), (publish, "scored")):
        with pytest.raises(Late, match="anonymize phase is open"):
            change(place, ant, SLUG, entries[name])
        shown = entry_of(place, ant, SLUG, entries[name])
        assert (shown.can_publish, shown.can_unpublish) == (False, False)
    assert entry_of(place, ant, SLUG, entries["published"]).published


def test_an_attacked_release_stays_published(two_rounds: Played) -> None:
    place, ant, entries = two_rounds.place, two_rounds.viewers["ant"], two_rounds.entries
    two_rounds.clock.to(SECOND_ROUND)
    with pytest.raises(Conflict, match="attacked already"):
        unpublish(place, ant, SLUG, entries["published"])
    assert not entry_of(place, ant, SLUG, entries["published"]).can_unpublish
    two_rounds.changed(quotas={"published": 2})
    assert publish(place, ant, SLUG, entries["scored"]).can_unpublish
    assert unpublish(place, ant, SLUG, entries["scored"]).can_publish


def test_a_hidden_attacker_has_no_name(played: Played) -> None:
    place, organiser = played.place, played.viewers["organiser"]
    bees = my_team(place, played.viewers["bee"], SLUG).id
    set_team(place, organiser, SLUG, bees, hidden=True, reason="a test")
    shown = [
        [line.attacker for line in entry_of(place, who, SLUG, played.entries["published"]).attacked]
        for who in (played.viewers["ant"], organiser)
    ]
    assert shown == [[HIDDEN_TEAM], ["Bees"]]


def test_a_banned_team_gets_no_files(played: Played) -> None:
    place, organiser, ant = played.place, played.viewers["organiser"], played.viewers["ant"]
    assert public_file(place, ant, SLUG, played.entries["target"]).path.is_file()
    ants = my_team(place, ant, SLUG).id
    set_team(place, organiser, SLUG, ants, banned=True, reason="two accounts")
    for ask in (
        lambda: targets(place, ant, SLUG),
        lambda: public_file(place, ant, SLUG, played.entries["target"]),
        lambda: data_file(place, ant, SLUG, "original"),
    ):
        with pytest.raises(NotAllowed, match="banned: two accounts"):
            ask()
