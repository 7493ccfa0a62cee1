from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.contest.played import OVER, SLUG, START, Played
from tokumei.apps.contest.services import administration, monitoring, rejudging
from tokumei.apps.contest.services.accounts import create_invite, revoke_invite
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.context import VISITOR, Viewer
from tokumei.apps.contest.services.entries import cancel_entry, get_entry_view
from tokumei.apps.contest.services.export import export_contest
from tokumei.apps.contest.services.monitoring import read_audit_log, read_queue
from tokumei.apps.contest.services.published_releases import get_public_file, get_target_view
from tokumei.apps.contest.services.teams import remove_member
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.http.errors import (
    Conflict,
    Forbidden,
    NotFound,
    Unauthorized,
    UnprocessableContent,
)

END = START + timedelta(days=7)


ACTS: dict[str, Callable[[Played, Viewer], Any]] = {
    "queue": lambda p, v: read_queue(p.place, v, SLUG),
    "teams": lambda p, v: administration.list_teams(p.place, v, SLUG),
    "entries": lambda p, v: administration.list_entries(p.place, v, SLUG),
    "set": lambda p, v: administration.set_team_status(
        p.place, v, SLUG, 1, hidden=True, reason="x"
    ),
    "withdraw": lambda p, v: administration.withdraw_entry(
        p.place, v, SLUG, p.entries["scored"], "x"
    ),
    "restore": lambda p, v: administration.restore_entry(
        p.place, v, SLUG, p.entries["scored"], "x"
    ),
    "retry": lambda p, v: administration.retry_job(p.place, v, SLUG, 1),
    "judge": lambda p, v: monitoring.read_judge_state(p.place, v, SLUG),
    "put back": lambda p, v: monitoring.restore_contest_files(p.place, v, SLUG),
    "use": lambda p, v: monitoring.adopt_contest_files(p.place, v, SLUG),
    "phase": lambda p, v: _phase(p, v, 0, START, END),
    "rejudge": lambda p, v: rejudging.start_rejudging(p.place, v, SLUG),
    "recheck": lambda p, v: rejudging.start_rechecking(p.place, v, SLUG),
    "runs": lambda p, v: rejudging.list_runs(p.place, v, SLUG),
    "run": lambda p, v: rejudging.get_run_diff(p.place, v, SLUG, "a" * 20),
    "apply": lambda p, v: rejudging.apply_run(p.place, v, SLUG, "a" * 20),
    "audit": lambda p, v: read_audit_log(p.place, v, SLUG),
    "export": lambda p, v: export_contest(p.place, v, SLUG),
    "invite": lambda p, v: create_invite(p.place, v, "organiser"),
}


def _phase(
    played: Played, viewer: Viewer, number: int, starts: datetime, ends: datetime
) -> ContestView:
    return administration.change_phase(
        played.place, viewer, SLUG, number, starts=starts, ends=ends, reason="more time"
    )


def test_the_desk_itself_lets_only_organisers_act(played: Played) -> None:
    for act in ACTS.values():
        with pytest.raises(Unauthorized):
            act(played, VISITOR)
        for who in ("ant", "cat"):
            with pytest.raises(Forbidden):
                act(played, played.viewers[who])


MADE_UP = ["\x00", "\ud800", "a' OR 1=1 --", "x" * 9999, "é" * 20, ""]


def test_made_up_identifiers_are_not_found(opened_both: Played) -> None:
    for made_up in MADE_UP:
        _require_not_found(opened_both, made_up)


def _require_not_found(opened_both: Played, made_up: str) -> None:
    place, organiser = opened_both.place, opened_both.viewers["organiser"]
    ant = opened_both.viewers["ant"]
    for act in (
        lambda: get_contest_view(place, ant, made_up),
        lambda: get_entry_view(place, ant, SLUG, made_up),
        lambda: cancel_entry(place, ant, SLUG, made_up),
        lambda: get_public_file(place, ant, SLUG, made_up),
        lambda: get_target_view(place, ant, SLUG, made_up),
        lambda: opened_both.attack("ant", made_up),
        lambda: administration.withdraw_entry(place, organiser, SLUG, made_up, "x"),
        lambda: rejudging.get_run_diff(place, organiser, SLUG, made_up),
        lambda: administration.set_team_status(place, organiser, SLUG, 10**30, reason="x"),
        lambda: revoke_invite(place, organiser, -(10**30)),
        lambda: remove_member(place, ant, SLUG, 2**31),
        lambda: read_audit_log(place, organiser, SLUG, before=2**63),
    ):
        with pytest.raises(NotFound):
            act()


def test_phases_move_but_do_not_overlap(played: Played) -> None:
    organiser = played.viewers["organiser"]
    with pytest.raises(Conflict, match="overlap"):
        _phase(played, organiser, 0, START, END + timedelta(minutes=1))
    with pytest.raises(UnprocessableContent, match="after it starts"):
        _phase(played, organiser, 1, OVER, OVER)
    with pytest.raises(UnprocessableContent, match="zone"):
        _phase(played, organiser, 1, OVER.replace(tzinfo=None), OVER)
    with pytest.raises(NotFound):
        _phase(played, organiser, 2, OVER, OVER + timedelta(days=1))
    view = _phase(played, organiser, 1, END, OVER + timedelta(days=3))
    assert view.phases[1].ends == OVER + timedelta(days=3)
    assert (view.phases[1].changed, view.phases[1].reason) == (True, "more time")
    played.clock.to(OVER + timedelta(days=2))
    assert played.attack("ant", played.entries["target"]).state == "queued"
    logged = read_audit_log(played.place, organiser, SLUG).rows
    assert "phase.change" in [row.action for row in logged]


def test_a_withdrawn_entry_tells_why(played: Played) -> None:
    organiser, ant = played.viewers["organiser"], played.viewers["ant"]
    entry = get_entry_view(played.place, ant, SLUG, played.entries["withdrawn"])
    assert entry.reason is not None
    assert entry.reason.show("en") == "copied"
    assert entry.steps[-1].state == "withdrawn"
    for reason in ("", "  \n\u200b"):
        with pytest.raises(UnprocessableContent, match="reason"):
            administration.withdraw_entry(
                played.place, organiser, SLUG, played.entries["scored"], reason
            )
    with pytest.raises(Conflict):
        administration.withdraw_entry(
            played.place, organiser, SLUG, played.entries["withdrawn"], "again"
        )
    waiting = administration.withdraw_entry(
        played.place, organiser, SLUG, played.entries["queued"], "no"
    )
    assert waiting.state == "withdrawn"
    assert waiting.id not in [job.entry for job in read_queue(played.place, organiser, SLUG).jobs]
