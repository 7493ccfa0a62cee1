"""Organisers of one contest, people who left, drafts and archives."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from apps.contest.played import PASSWORD, SLUG, Played, contest_zip
from tokumei.apps.contest.services.accounts import (
    create_account,
    create_invite,
    list_invites,
    revoke_invite,
)
from tokumei.apps.contest.services.administration import list_teams
from tokumei.apps.contest.services.authentication import log_in, viewer_from_token
from tokumei.apps.contest.services.contest_settings import set_stage
from tokumei.apps.contest.services.contests import create_contest, list_contests
from tokumei.apps.contest.services.context import VISITOR, Viewer
from tokumei.apps.contest.services.monitoring import read_audit_log
from tokumei.apps.contest.services.organiser_roles import (
    add_organiser,
    close_account,
    close_account_by_name,
    list_organisers,
    remove_organiser,
    with_contest_rights,
)
from tokumei.apps.contest.services.passwords import create_reset_code
from tokumei.apps.contest.services.teams import (
    create_team,
    create_team_code,
    get_team_view,
    make_captain,
)
from tokumei.apps.contest.store.tables import AuditRecord, UserAccount
from tokumei.apps.http.errors import (
    Conflict,
    Forbidden,
    NotFound,
    Unauthorized,
    UnprocessableContent,
)


def test_an_organiser_of_one_contest_does_nothing_on_the_server(opened: Played, tmp_path) -> None:
    place, people = opened.place, opened.viewers
    with pytest.raises(Forbidden):
        list_teams(place, with_contest_rights(place, people["cat"], SLUG), SLUG)
    add_organiser(place, people["organiser"], SLUG, "Cat")
    cat = with_contest_rights(place, people["cat"], SLUG)
    assert (cat.organiser, cat.only) == (True, SLUG)
    assert not with_contest_rights(place, people["cat"], "another").organiser
    assert len(list_teams(place, cat, SLUG)) == 2
    with pytest.raises(Forbidden):
        create_contest(place, cat, contest_zip(tmp_path, slug="own"))
    with pytest.raises(Forbidden):
        create_invite(place, cat, "organiser")
    with pytest.raises(Forbidden):
        close_account_by_name(place, cat, "bee")
    with pytest.raises(Forbidden):
        create_team(place, cat, SLUG, "Cats")
    server_wide = create_invite(place, people["organiser"], "organiser")
    assert server_wide.id not in {one.id for one in list_invites(place, cat, SLUG)}
    with pytest.raises(NotFound):
        revoke_invite(place, cat, server_wide.id)
    assert all(row.action != "login" for row in read_audit_log(place, cat, SLUG, rows=1000).rows)
    with pytest.raises(NotFound):
        create_reset_code(place, cat, SLUG, "cat")
    assert create_reset_code(place, cat, SLUG, "bee").name == "bee"


def test_roles_come_by_code_and_end(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    code = create_invite(place, organiser, "organiser", slug=SLUG).code
    dora = create_account(place, "Dora", PASSWORD, invite=code)
    assert not dora.organiser
    assert with_contest_rights(place, dora, SLUG).only == SLUG
    assert [(one.name, one.server) for one in list_organisers(place, organiser, SLUG)] == [
        ("Dora", False),
        ("Olga", True),
    ]
    with pytest.raises(Conflict):
        add_organiser(place, organiser, SLUG, "Dora")
    with pytest.raises(Conflict):
        add_organiser(place, organiser, SLUG, "ant")
    scoped = with_contest_rights(place, dora, SLUG)
    with pytest.raises(Forbidden):
        remove_organiser(place, scoped, SLUG, organiser.account_id or 0)
    with pytest.raises(Conflict):
        remove_organiser(place, organiser, SLUG, organiser.account_id or 0)
    remove_organiser(place, organiser, SLUG, dora.account_id or 0)
    assert not with_contest_rights(place, dora, SLUG).organiser
    with pytest.raises(NotFound):
        remove_organiser(place, organiser, SLUG, dora.account_id or 0)


def test_who_left_has_no_name_and_no_way_in(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    with pytest.raises(Forbidden):
        close_account(place, people["cat"], "not that one")
    with pytest.raises(Conflict):
        close_account(place, people["ant"], PASSWORD)  # a captain whose team goes on
    make_captain(place, people["ant"], SLUG, people["ann"].account_id or 0)
    close_account(place, people["ant"], PASSWORD)
    with pytest.raises(Unauthorized):
        log_in(place, "ant", PASSWORD)
    with pytest.raises(Unauthorized):
        viewer_from_token(place, opened.tokens["ant"])
    with place.read() as session:
        row = session.get_one(UserAccount, people["ant"].account_id)
        assert (row.name, row.password, row.disabled) == (f"left-{row.id}", "", True)
        assert not session.scalars(select(UserAccount).where(UserAccount.name == "ant")).all()
    assert create_account(place, "ant", PASSWORD, invite=_code(opened)).name == "ant"
    with pytest.raises(Conflict):
        close_account(place, people["organiser"], PASSWORD)  # the last one
    close_account_by_name(place, people["organiser"], "bee")
    with pytest.raises(NotFound):
        close_account_by_name(place, people["organiser"], "bee")


def test_a_team_goes_on_when_its_captain_is_gone(opened: Played) -> None:
    """Whoever does not come back names nobody: the organiser closes the account all the same."""
    place, people = opened.place, opened.viewers
    close_account_by_name(place, people["organiser"], "ant")
    mine = get_team_view(place, people["ann"], SLUG)
    assert [one.name for one in mine.members if one.captain] == ["ann"]
    assert mine.i_am_captain
    assert create_team_code(place, people["ann"], SLUG).code
    rows = read_audit_log(place, people["organiser"], SLUG).rows
    assert ("team.captain", "Olga", "Ants · ann") in [(r.action, r.by, r.about) for r in rows]


def test_the_log_forgets_the_name_of_who_left(opened: Played) -> None:
    """It speaks of people by number, and shows the names of today."""
    place, people = opened.place, opened.viewers
    add_organiser(place, people["organiser"], SLUG, "cat")
    shown = [row.about for row in read_audit_log(place, people["organiser"], SLUG).rows]
    assert shown.count("cat") == 2  # registered, made an organiser
    close_account(place, people["cat"], PASSWORD)
    left = f"left-{people['cat'].account_id}"
    rows = read_audit_log(place, people["organiser"], SLUG).rows
    assert [row.about for row in rows].count(left) == 3
    mine = read_audit_log(place, people["organiser"], SLUG, who=left).rows
    assert {row.action for row in mine} >= {"register", "account.close"}
    with place.read() as session:
        assert "cat" not in {row.subject for row in session.scalars(select(AuditRecord))}


def _code(opened: Played) -> str:
    return create_invite(opened.place, opened.viewers["organiser"], "register", slug=SLUG).code


def test_a_draft_is_seen_by_organisers_alone(opened: Played, tmp_path) -> None:
    place, people = opened.place, opened.viewers
    organiser = people["organiser"]
    create_contest(place, organiser, contest_zip(tmp_path, slug="next"), draft=True)

    def listed(viewer: Viewer) -> list[str]:
        return [one.slug for one in list_contests(place, viewer)]

    assert set(listed(organiser)) == {"next", SLUG}
    assert listed(people["ant"]) == listed(VISITOR) == [SLUG]
    for viewer in (people["ant"], VISITOR):
        with pytest.raises(NotFound):
            with_contest_rights(place, viewer, "next")
    add_organiser(place, organiser, "next", "cat")
    assert set(listed(people["cat"])) == {"next", SLUG}
    set_stage(place, organiser, "next", "open", reason="ready")
    assert with_contest_rights(place, VISITOR, "next") == VISITOR


def test_nothing_is_taken_by_drafts_and_archives(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    opened.submit("ant")
    with pytest.raises(Conflict):
        set_stage(place, people["organiser"], SLUG, "draft", reason="too early")
    set_stage(place, people["organiser"], SLUG, "archived", reason="it is over")
    with pytest.raises(Forbidden):
        opened.submit("ant", b"later")
    with pytest.raises(Forbidden):
        create_team(place, people["cat"], SLUG, "Cats")
    with pytest.raises(UnprocessableContent):
        set_stage(place, people["organiser"], SLUG, "archived", reason="again")
    with pytest.raises(Forbidden):
        set_stage(place, people["ant"], SLUG, "open", reason="please")
    set_stage(place, people["organiser"], SLUG, "open", reason="a mistake")
    assert opened.submit("ant", b"later").state == "queued"
