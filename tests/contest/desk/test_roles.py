"""Organisers of one contest, people who left, drafts and archives."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from contest.played import PASSWORD, SLUG, Played, contest_zip
from tokumei.contest.desk.accounts import end_invite, invites, new_invite, register
from tokumei.contest.desk.console import all_teams
from tokumei.contest.desk.contests import contests, create_contest
from tokumei.contest.desk.logins import log_in, viewer_of_token
from tokumei.contest.desk.passwords import new_reset
from tokumei.contest.desk.place import VISITOR, Viewer
from tokumei.contest.desk.roles import (
    add_organiser,
    close_account,
    close_account_of,
    entering,
    organisers,
    remove_organiser,
)
from tokumei.contest.desk.settings import set_stage
from tokumei.contest.desk.teams import create_team, make_captain, my_team, new_team_code
from tokumei.contest.desk.watch import audit
from tokumei.contest.store.tables import Account, Audit
from tokumei.http.refusals import Conflict, LogInFirst, NotAllowed, NotFound, Wrong


def test_an_organiser_of_one_contest_does_nothing_on_the_server(opened: Played, tmp_path) -> None:
    place, people = opened.place, opened.viewers
    with pytest.raises(NotAllowed):
        all_teams(place, entering(place, people["cat"], SLUG), SLUG)
    add_organiser(place, people["organiser"], SLUG, "Cat")
    cat = entering(place, people["cat"], SLUG)
    assert (cat.organiser, cat.only) == (True, SLUG)
    assert not entering(place, people["cat"], "another").organiser
    assert len(all_teams(place, cat, SLUG)) == 2
    with pytest.raises(NotAllowed):
        create_contest(place, cat, contest_zip(tmp_path, slug="own"))
    with pytest.raises(NotAllowed):
        new_invite(place, cat, "organiser")
    with pytest.raises(NotAllowed):
        close_account_of(place, cat, "bee")
    with pytest.raises(NotAllowed):
        create_team(place, cat, SLUG, "Cats")
    server_wide = new_invite(place, people["organiser"], "organiser")
    assert server_wide.id not in {one.id for one in invites(place, cat, SLUG)}
    with pytest.raises(NotFound):
        end_invite(place, cat, server_wide.id)
    assert all(row.action != "login" for row in audit(place, cat, SLUG, rows=1000).rows)
    with pytest.raises(NotFound):
        new_reset(place, cat, SLUG, "cat")
    assert new_reset(place, cat, SLUG, "bee").name == "bee"


def test_roles_come_by_code_and_end(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    code = new_invite(place, organiser, "organiser", slug=SLUG).code
    dora = register(place, "Dora", PASSWORD, invite=code)
    assert not dora.organiser
    assert entering(place, dora, SLUG).only == SLUG
    assert [(one.name, one.server) for one in organisers(place, organiser, SLUG)] == [
        ("Dora", False),
        ("Olga", True),
    ]
    with pytest.raises(Conflict):
        add_organiser(place, organiser, SLUG, "Dora")
    with pytest.raises(Conflict):
        add_organiser(place, organiser, SLUG, "ant")
    scoped = entering(place, dora, SLUG)
    with pytest.raises(NotAllowed):
        remove_organiser(place, scoped, SLUG, organiser.account_id or 0)
    with pytest.raises(Conflict):
        remove_organiser(place, organiser, SLUG, organiser.account_id or 0)
    remove_organiser(place, organiser, SLUG, dora.account_id or 0)
    assert not entering(place, dora, SLUG).organiser
    with pytest.raises(NotFound):
        remove_organiser(place, organiser, SLUG, dora.account_id or 0)


def test_who_left_has_no_name_and_no_way_in(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    with pytest.raises(NotAllowed):
        close_account(place, people["cat"], "not that one")
    with pytest.raises(Conflict):
        close_account(place, people["ant"], PASSWORD)  # a captain whose team goes on
    make_captain(place, people["ant"], SLUG, people["ann"].account_id or 0)
    close_account(place, people["ant"], PASSWORD)
    with pytest.raises(LogInFirst):
        log_in(place, "ant", PASSWORD)
    with pytest.raises(LogInFirst):
        viewer_of_token(place, opened.tokens["ant"])
    with place.read() as session:
        row = session.get_one(Account, people["ant"].account_id)
        assert (row.name, row.password, row.disabled) == (f"left-{row.id}", "", True)
        assert not session.scalars(select(Account).where(Account.name == "ant")).all()
    assert register(place, "ant", PASSWORD, invite=_code(opened)).name == "ant"
    with pytest.raises(Conflict):
        close_account(place, people["organiser"], PASSWORD)  # the last one
    close_account_of(place, people["organiser"], "bee")
    with pytest.raises(NotFound):
        close_account_of(place, people["organiser"], "bee")


def test_a_team_goes_on_when_its_captain_is_gone(opened: Played) -> None:
    """Whoever does not come back names nobody: the organiser closes the account all the same."""
    place, people = opened.place, opened.viewers
    close_account_of(place, people["organiser"], "ant")
    mine = my_team(place, people["ann"], SLUG)
    assert [one.name for one in mine.members if one.captain] == ["ann"]
    assert mine.i_am_captain
    assert new_team_code(place, people["ann"], SLUG).code
    rows = audit(place, people["organiser"], SLUG).rows
    assert ("team.captain", "Olga", "Ants · ann") in [(r.action, r.by, r.about) for r in rows]


def test_the_log_forgets_the_name_of_who_left(opened: Played) -> None:
    """It speaks of people by number, and shows the names of today."""
    place, people = opened.place, opened.viewers
    add_organiser(place, people["organiser"], SLUG, "cat")
    shown = [row.about for row in audit(place, people["organiser"], SLUG).rows]
    assert shown.count("cat") == 2  # registered, made an organiser
    close_account(place, people["cat"], PASSWORD)
    left = f"left-{people['cat'].account_id}"
    rows = audit(place, people["organiser"], SLUG).rows
    assert [row.about for row in rows].count(left) == 3
    mine = audit(place, people["organiser"], SLUG, who=left).rows
    assert {row.action for row in mine} >= {"register", "account.close"}
    with place.read() as session:
        assert "cat" not in {row.subject for row in session.scalars(select(Audit))}


def _code(opened: Played) -> str:
    return new_invite(opened.place, opened.viewers["organiser"], "register", slug=SLUG).code


def test_a_draft_is_seen_by_organisers_alone(opened: Played, tmp_path) -> None:
    place, people = opened.place, opened.viewers
    organiser = people["organiser"]
    create_contest(place, organiser, contest_zip(tmp_path, slug="next"), draft=True)

    def listed(viewer: Viewer) -> list[str]:
        return [one.slug for one in contests(place, viewer)]

    assert set(listed(organiser)) == {"next", SLUG}
    assert listed(people["ant"]) == listed(VISITOR) == [SLUG]
    for viewer in (people["ant"], VISITOR):
        with pytest.raises(NotFound):
            entering(place, viewer, "next")
    add_organiser(place, organiser, "next", "cat")
    assert set(listed(people["cat"])) == {"next", SLUG}
    set_stage(place, organiser, "next", "open", reason="ready")
    assert entering(place, VISITOR, "next") == VISITOR


def test_nothing_is_taken_by_drafts_and_archives(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    opened.submit("ant")
    with pytest.raises(Conflict):
        set_stage(place, people["organiser"], SLUG, "draft", reason="too early")
    set_stage(place, people["organiser"], SLUG, "archived", reason="it is over")
    with pytest.raises(NotAllowed):
        opened.submit("ant", b"later")
    with pytest.raises(NotAllowed):
        create_team(place, people["cat"], SLUG, "Cats")
    with pytest.raises(Wrong):
        set_stage(place, people["organiser"], SLUG, "archived", reason="again")
    with pytest.raises(NotAllowed):
        set_stage(place, people["ant"], SLUG, "open", reason="please")
    set_stage(place, people["organiser"], SLUG, "open", reason="a mistake")
    assert opened.submit("ant", b"later").state == "queued"


def test_contests_are_listed_running_coming_ended_archived(opened: Played, tmp_path) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    later = {"kind": "anonymize", "starts": "2026-08-01T00:00:00Z", "ends": "2026-08-02T00:00:00Z"}
    soon = {"kind": "anonymize", "starts": "2026-07-01T00:00:00Z", "ends": "2026-07-03T00:00:00Z"}
    for slug, phase in (("short", soon), ("away", soon), ("coming", later)):
        create_contest(place, organiser, contest_zip(tmp_path, slug=slug, phases=[phase]))
    set_stage(place, organiser, "away", "archived", reason="done")
    opened.clock.forward(days=3)
    listed = [one.slug for one in contests(place, VISITOR)]
    assert listed == [SLUG, "coming", "short", "away"]
