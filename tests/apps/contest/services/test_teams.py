from __future__ import annotations

import pytest

from apps.contest.played import PASSWORD, SLUG, Played, contest_zip
from tokumei.apps.contest.services.accounts import create_account, create_invite, list_invites
from tokumei.apps.contest.services.contests import create_contest
from tokumei.apps.contest.services.teams import (
    create_team,
    create_team_code,
    get_team_view,
    join_team,
    leave_team,
    make_captain,
    remove_member,
    rename_team,
)
from tokumei.apps.http.errors import Conflict, Forbidden, NotFound, UnprocessableContent


def test_a_teams_code_registers_and_joins_in_one_step(opened: Played) -> None:
    place, ant = opened.place, opened.viewers["ant"]
    code = create_team_code(place, ant, SLUG, uses=1).code
    dog = create_account(place, "dog", PASSWORD, invite=code)
    assert get_team_view(place, dog, SLUG).name == "Ants"
    with pytest.raises(Forbidden, match="used up"):
        join_team(place, opened.viewers["cat"], SLUG, code)


def test_teams_have_names_of_their_own(opened: Played) -> None:
    place, cat = opened.place, opened.viewers["cat"]
    for name in ("ants", "ＡＮＴＳ", "Аnts", "A n t s"):
        with pytest.raises(Conflict, match="looks like"):
            create_team(place, cat, SLUG, name)
    assert create_team(place, cat, SLUG, "Cats").i_am_captain
    with pytest.raises(Conflict, match="in a team"):
        create_team(place, cat, SLUG, "More cats")
    with pytest.raises(Conflict):
        rename_team(place, cat, SLUG, "bees")
    assert rename_team(place, cat, SLUG, "CATS").name == "CATS"


def test_organisers_do_not_compete(opened: Played) -> None:
    organiser = opened.viewers["organiser"]
    code = create_team_code(opened.place, opened.viewers["ant"], SLUG).code
    for act in (
        lambda: create_team(opened.place, organiser, SLUG, "Judges"),
        lambda: join_team(opened.place, organiser, SLUG, code),
    ):
        with pytest.raises(Forbidden, match="organisers see"):
            act()


def test_only_captains_rule(opened: Played) -> None:
    place, ant, ann = opened.place, opened.viewers["ant"], opened.viewers["ann"]
    for act in (
        lambda: create_team_code(place, ann, SLUG),
        lambda: rename_team(place, ann, SLUG, "Anns"),
        lambda: make_captain(place, ann, SLUG, ann.account_id or 0),
        lambda: remove_member(place, ann, SLUG, ant.account_id or 0),
    ):
        with pytest.raises(Forbidden, match="captain"):
            act()
    with pytest.raises(Conflict, match="captain cannot leave"):
        leave_team(place, ant, SLUG)
    make_captain(place, ant, SLUG, ann.account_id or 0)
    leave_team(place, ant, SLUG)
    assert [member.name for member in get_team_view(place, ann, SLUG).members] == ["ann"]
    with pytest.raises(NotFound):
        remove_member(place, ann, SLUG, opened.viewers["bee"].account_id or 0)


def test_a_team_can_be_full(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    source = contest_zip(opened.place.home.path, slug="small", quotas={"members": 1})
    create_contest(place, organiser, source)
    code = create_invite(place, organiser, "register", slug="small").code
    create_team(place, opened.viewers["cat"], "small", "Cats", code=code)
    team_code = create_team_code(place, opened.viewers["cat"], "small").code
    with pytest.raises(Conflict, match="full"):
        join_team(place, opened.viewers["bee"], "small", team_code)


def test_an_invitation_is_to_one_contest(opened: Played) -> None:
    place, organiser, cat = opened.place, opened.viewers["organiser"], opened.viewers["cat"]
    create_contest(place, organiser, contest_zip(place.home.path, slug="other"))
    ours = create_invite(place, organiser, "register", slug=SLUG).code
    for code in (None, ours, "AAAA-BBBB-CCCC-DDDD"):
        with pytest.raises(Forbidden):
            create_team(place, cat, "other", "Cats", code=code)
    ants = create_team_code(place, opened.viewers["ant"], SLUG).code
    with pytest.raises(Forbidden, match="another contest"):
        join_team(place, cat, "other", ants)
    everywhere = create_invite(place, organiser, "register").code
    assert create_team(place, cat, "other", "Cats", code=everywhere).name == "Cats"
    used = [invite for invite in list_invites(place, organiser, "other") if "cat" in invite.used_by]
    assert [invite.contest for invite in used] == [None]


def test_open_registration_needs_no_code(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    create_contest(place, organiser, contest_zip(place.home.path, slug="open", registration="open"))
    elk = create_account(place, "elk", PASSWORD)
    assert create_team(place, elk, "open", "Elks").name == "Elks"
    with pytest.raises(Forbidden, match="by invitation"):
        create_team(place, elk, SLUG, "Elks")


@pytest.mark.parametrize(("uses", "days"), [(0, 1), (1, 0), (10_001, 1)])
def test_codes_have_bounds(opened: Played, uses: int, days: int) -> None:
    with pytest.raises(UnprocessableContent):
        create_invite(opened.place, opened.viewers["organiser"], "register", uses=uses, days=days)
