"""What organisers watch and take home: the judge's queue, the audit log, everything in one zip.

    download = export_contest(place, organiser, "cup")

Tables are CSV in UTF-8, times with their zone; cells that a spreadsheet would take for a formula
begin with '. Uploads and the truth are not in it: the pages' process cannot read them.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.board import leaderboard, matrix
from tokumei.contest.desk.console import all_teams
from tokumei.contest.desk.console_views import AuditPage, AuditView, JobView, QueueView
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.moment import Moment, changing, looking
from tokumei.contest.desk.names import new_id, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import published
from tokumei.contest.desk.views import Download, View
from tokumei.contest.jobs.causes import told
from tokumei.contest.store.database import aware
from tokumei.contest.store.tables import Account, Audit, Base, Entry, Job, Score, Step, Team

MOST_ROWS = 1000
FAILED_SHOWN = 50
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
Cells = Iterable[Sequence[Any]]


def queue(place: Place, viewer: Viewer, slug: str) -> QueueView:
    """What is judged, what waits, and what failed lately."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        open_jobs = _jobs(session, moment, ("running", "queued"))
        failed = _jobs(session, moment, ("failed",))[-FAILED_SHOWN:]
    ordered = sorted(open_jobs, key=lambda row: _order(row[0]))
    waiting = [job.id for job, _, _ in ordered if job.state == "queued"]
    places = {job_id: number for number, job_id in enumerate(waiting, start=1)}
    return QueueView(
        waiting=len(waiting),
        running=len(open_jobs) - len(waiting),
        jobs=tuple(_job_view(*row, places.get(row[0].id)) for row in ordered[:MOST_ROWS]),
        failed=tuple(_job_view(*row, None) for row in reversed(failed)),
    )


def audit(
    place: Place, viewer: Viewer, slug: str, *, before: int | None = None, rows: int = 200
) -> AuditPage:
    """The log of this contest and of the server, the newest first."""
    viewer.require_organiser()
    most = max(1, min(rows, MOST_ROWS))
    with looking(place, slug) as (session, moment):
        query = (
            select(Audit, Account.name)
            .outerjoin(Account, Account.id == Audit.account_id)
            .where(or_(Audit.contest_id == moment.id, Audit.contest_id.is_(None)))
            .order_by(Audit.id.desc())
            .limit(most + 1)
        )
        if before is not None:
            query = query.where(Audit.id < require_number(before))
        found = session.execute(query).all()
    views = tuple(AuditView.of(row, by=name) for row, name in found[:most])
    return AuditPage(rows=views, before=views[-1].id if len(found) > most else None)


def _jobs(session: Session, moment: Moment, states: tuple[str, ...]) -> list[tuple[Job, str, str]]:
    query = (
        select(Job, Entry.state, Team.name)
        .join(Entry, Entry.id == Job.entry_id)
        .join(Team, Team.id == Entry.team_id)
        .where(Entry.contest_id == moment.id, Job.state.in_(states))
        .order_by(Job.id)
    )
    return [(job, state, team) for job, state, team in session.execute(query)]


def _order(job: Job) -> tuple[bool, bool, int]:
    """What runs, then what waits; re-judgements wait longest."""
    return job.state == "queued", job.run != "", job.id


def _job_view(job: Job, entry_state: str, team: str, position: int | None) -> JobView:
    return JobView.of(
        job,
        entry=job.entry_id,
        team=team,
        entry_state=entry_state,
        position=position,
        error=told(job.error),
    )


def export_contest(place: Place, viewer: Viewer, slug: str) -> Download:
    """A zip below the home's scratch folder; whoever sends it removes it (organisers)."""
    viewer.require_organiser()
    path = place.home.path / "scratch" / f"export-{new_id()}.zip"
    with changing(place, viewer, slug) as (session, moment, log):
        log("export", slug)
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("contest.json", json.dumps(moment.row.spec, ensure_ascii=False, indent=2))
        _write_views(archive, place, viewer, slug)
        with place.read() as session:
            _write_tables(archive, session, moment)
            for release in published(session, moment):
                sha256 = session.get_one(Entry, release.entry).public_sha256
                if sha256 is not None:
                    archive.write(place.home.files.path(sha256), f"public/{release.entry}.csv")
    return Download(path, f"{slug}.zip")


def csv_text(header: Sequence[str], rows: Cells) -> str:
    """A table that spreadsheets open, without formulas."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_cell(name) for name in header])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return "\ufeff" + out.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return aware(value).isoformat()
    if isinstance(value, dict | list | tuple):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULA):
        return "'" + value
    return value


def _write_views(archive: zipfile.ZipFile, place: Place, viewer: Viewer, slug: str) -> None:
    board = leaderboard(place, viewer, slug)
    shown = {
        "leaderboard": board.rows,
        "attackers": board.attackers,
        "teams": all_teams(place, viewer, slug),
        "phases": contest_of(place, viewer, slug).phases,
    }
    for name, views in shown.items():
        archive.writestr(f"{name}.csv", _views_csv(views))
    found = matrix(place, viewer, slug)
    rows = (
        [attacker, *(None if cell is None else cell.found.value for cell in cells)]
        for attacker, cells in zip(found.attackers, found.cells, strict=True)
    )
    archive.writestr("matrix.csv", csv_text(["attacker", *found.defenders], rows))


def _views_csv(views: Sequence[View]) -> str:
    plain = [view.as_json() for view in views]
    header = list(plain[0]) if plain else []
    return csv_text(header, (list(row.values()) for row in plain))


def _write_tables(archive: zipfile.ZipFile, session: Session, moment: Moment) -> None:
    ours = Entry.contest_id == moment.id
    entries = session.scalars(select(Entry).where(ours).order_by(Entry.received_at)).all()
    archive.writestr("entries.csv", _rows_csv(Entry, entries, without=("faults",)))
    archive.writestr("faults.csv", _faults_csv(entries))
    for table in (Score, Step):
        query = select(table).join(Entry, Entry.id == table.entry_id).where(ours)
        rows = session.scalars(query.order_by(table.id)).all()
        archive.writestr(f"{table.__tablename__}s.csv", _rows_csv(table, rows))
    log = session.scalars(select(Audit).where(Audit.contest_id == moment.id)).all()
    archive.writestr("audit.csv", _rows_csv(Audit, log))
    names = session.execute(select(Account.id, Account.name)).all()
    archive.writestr("accounts.csv", csv_text(["id", "name"], names))


def _faults_csv(entries: Sequence[Entry]) -> str:
    """A row for every fault, as far as faults were kept."""
    names = ("line", "column", "rule", "message_en", "message_ja")
    rows = (
        [entry.id, entry.team_id, *(fault.get(name) for name in names)]
        for entry in entries
        for fault in entry.faults or ()
    )
    return csv_text(["entry", "team", *names], rows)


def _rows_csv(table: type[Base], rows: Sequence[Base], *, without: Sequence[str] = ()) -> str:
    names = [one.key for one in table.__mapper__.column_attrs if one.key not in without]
    return csv_text(names, ([getattr(row, name) for name in names] for row in rows))
