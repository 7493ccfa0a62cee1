"""Ways around quotas, teams and choices that clever people try."""

from __future__ import annotations

import pytest

from apps.contest.played import PASSWORD, SLUG, Played
from tokumei.apps.contest.services.accounts import create_account
from tokumei.apps.contest.services.teams import (
    create_team,
    create_team_code,
    get_team_view,
    join_team,
    leave_team,
    make_captain,
    remove_member,
)
from tokumei.apps.http.errors import Conflict, Forbidden


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
        with pytest.raises(Forbidden, match="change teams"):
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
