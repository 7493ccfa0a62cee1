from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import select

from apps.contest.played import FAULTS, OVER, PASSWORD, SLUG, START, Played
from tokumei.apps.contest.services import administration, monitoring, rejudging
from tokumei.apps.contest.services.accounts import create_account, create_invite, revoke_invite
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.context import VISITOR, Viewer
from tokumei.apps.contest.services.entries import cancel_entry, get_entry_view
from tokumei.apps.contest.services.export import export_contest, to_csv_text
from tokumei.apps.contest.services.leaderboard import build_leaderboard
from tokumei.apps.contest.services.monitoring import read_audit_log, read_queue
from tokumei.apps.contest.services.news import answer_question, ask_question
from tokumei.apps.contest.services.published_releases import get_public_file, get_target_view
from tokumei.apps.contest.services.teams import remove_member
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.contest.store.tables import EntryScore
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
    assert entry.reason.en == "copied"
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


def _answer(utility: float | None, safety: float, **more: Any) -> dict[str, Any]:
    return {
        "accepted": True,
        "judge_version": "judge-2",
        "utility": utility,
        "safety": safety,
        "total": utility,
        "unsafe": False,
        "figures": {},
        "faults": [],
        "fault_total": 0,
    } | more


def test_a_rejudgement_changes_nothing_until_it_is_applied(played: Played) -> None:
    place, organiser, ids = played.place, played.viewers["organiser"], played.entries
    run = rejudging.start_rejudging(place, organiser, SLUG).run
    before = build_leaderboard(place, VISITOR, SLUG)
    with pytest.raises(Conflict):
        rejudging.apply_run(place, organiser, SLUG, run)
    same = _answer(0.3, 0.2)
    results = {name: same for name in ("target", "private", "scored", "failed")} | {
        "published": _answer(0.05, 0.1),
        "attack": _answer(None, 0.3),
        "attacked": _answer(None, 0.2),
    }
    played.rejudged(run, {ids[name]: result for name, result in results.items()})
    diff = rejudging.get_run_diff(place, organiser, SLUG, run)
    assert (diff.ready, diff.total, diff.applied) == (True, 7, False)
    row = next(row for row in diff.rows if row.entry == ids["published"])
    assert row.old is not None
    assert row.new is not None
    assert (row.old.utility, row.new.utility, row.changed) == (0.2, 0.05, True)
    assert [(r.team, r.old, r.new) for r in diff.ranks] == [("Ants", 2, 1), ("Bees", 1, 2)]
    assert build_leaderboard(place, VISITOR, SLUG) == before
    assert rejudging.apply_run(place, organiser, SLUG, run).applied
    assert [row.team for row in build_leaderboard(place, VISITOR, SLUG).rows] == ["Ants", "Bees"]
    with place.read() as session:
        kept = session.scalars(
            select(EntryScore).where(EntryScore.entry_id == ids["published"])
        ).all()
    assert sorted((score.judge_version, score.current) for score in kept) == [
        ("judge-1", False),
        ("judge-2", True),
    ]
    with pytest.raises(Conflict):
        rejudging.apply_run(place, organiser, SLUG, run)


def test_a_recheck_lists_what_now_breaks_rules(played: Played) -> None:
    place, organiser, ids = played.place, played.viewers["organiser"], played.entries
    run = rejudging.start_rechecking(place, organiser, SLUG).run
    scored = ("target", "private", "scored", "published", "attack", "attacked")
    results = {ids[name]: _answer(None, 0.0) for name in scored}
    results[ids["scored"]] = _answer(None, 0.0, accepted=False, fault_total=2)
    played.rejudged(run, results)
    diff = rejudging.get_run_diff(place, organiser, SLUG, run)
    assert [row.entry for row in diff.rows if row.now_rejected] == [ids["scored"]]
    with pytest.raises(Conflict):
        rejudging.apply_run(place, organiser, SLUG, run)
    assert [
        (one.run, one.kind, one.done) for one in rejudging.list_runs(place, organiser, SLUG)
    ] == [(run, "recheck", 6)]


def test_the_audit_log_is_read_page_by_page(played: Played) -> None:
    organiser = played.viewers["organiser"]
    seen: list[int] = []
    before = None
    while True:
        page = read_audit_log(played.place, organiser, SLUG, before=before, rows=7)
        seen += [row.id for row in page.rows]
        before = page.before
        if before is None:
            break
    assert seen == sorted(seen, reverse=True)
    assert seen == [row.id for row in read_audit_log(played.place, organiser, SLUG, rows=1000).rows]


def test_the_audit_log_names_uploads_by_team_and_file(played: Played) -> None:
    rows = read_audit_log(played.place, played.viewers["organiser"], SLUG, rows=1000).rows
    about = {row.subject: row.about for row in rows if row.action.startswith("entry.")}
    assert about[played.entries["queued"]] == "Ants · secret queued"
    assert about[played.entries["target"]] == "Bees · A.csv"
    assert set(played.entries.values()) <= set(about)


def test_an_export_names_the_people_of_its_contest_alone(opened: Played) -> None:
    """An organiser of one contest does not learn who else has an account here."""
    place, organiser = opened.place, opened.viewers["organiser"]
    code = create_invite(place, organiser, "register").code
    create_account(place, "stranger", PASSWORD, invite=code)
    asked = ask_question(place, opened.viewers["cat"], SLUG, "May we delete rows?")
    answer_question(place, organiser, SLUG, asked.id, {"en": "Yes.", "ja": "はい。"}, public=True)
    with ZipFile(export_contest(place, organiser, SLUG).path) as archive:
        people = archive.read("accounts.csv").decode("utf-8-sig")
        said = list(csv.DictReader(io.StringIO(archive.read("news.csv").decode("utf-8-sig"))))
    names = {row["name"] for row in csv.DictReader(io.StringIO(people))}
    assert names == {"Olga", "ant", "ann", "bee", "cat"}
    assert "delete rows" in said[0]["words"]
    assert "はい" in said[0]["answer"]


def test_an_export_holds_everything_but_secrets(played: Played) -> None:
    download = export_contest(played.place, played.viewers["organiser"], SLUG)
    with ZipFile(download.path) as archive:
        names = set(archive.namelist())
        public = archive.read(f"public/{played.entries['target']}.csv").decode()
        entries = archive.read("entries.csv").decode("utf-8-sig")
        faults = archive.read("faults.csv").decode("utf-8-sig")
        times = archive.read("steps.csv").decode("utf-8-sig")
        everything = b"".join(archive.read(name) for name in names)
    assert {"leaderboard.csv", "matrix.csv", "teams.csv", "scores.csv", "steps.csv"} <= names
    assert public == f"S of {played.entries['target']}\n"
    assert {row["id"] for row in csv.DictReader(io.StringIO(entries))} == set(
        played.entries.values()
    )
    assert f"public/{played.entries['private']}.csv" not in names
    assert b"argon2" not in everything
    rejected = {played.entries["rejected"], played.entries["attack rejected"]}
    rows = list(csv.DictReader(io.StringIO(faults)))
    assert len(rows) == 2 * len(FAULTS)
    assert {row["entry"] for row in rows} == rejected
    assert all(row["message_en"] and row["message_ja"] for row in rows)
    assert "faults" not in entries.splitlines()[0].split(",")
    assert all(
        datetime.fromisoformat(row["at"]).tzinfo for row in csv.DictReader(io.StringIO(times))
    )


@given(st.lists(st.lists(st.text(max_size=8) | st.floats(allow_nan=False), min_size=1, max_size=4)))
@example([["=1+1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a"]])
def test_no_exported_cell_is_a_formula(rows: list[list[Any]]) -> None:
    header = [str(value) for row in rows for value in row]
    text = to_csv_text(["first", *header], rows).removeprefix("\ufeff")
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert len(read) == 1 + len(rows)
    for cells, row in zip(read, [["first", *header], *rows], strict=True):
        for cell, value in zip(cells, row, strict=True):
            if isinstance(value, str):
                assert not cell.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t"))
                assert cell.removeprefix("'") == value.removeprefix("'")
