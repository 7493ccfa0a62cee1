"""Everything of a contest in one zip, all of it of one moment.

Tables are CSV in UTF-8, times with their zone; cells that a spreadsheet would take for a formula
begin with '. What the board is made of is in `replay/` once more, as lines of JSON, from which
`tokumei contest replay` makes it again. Uploads and the truth are not in it: the pages' process
cannot read them (`server/vault_exports.py` adds the uploads).
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, select
from sqlalchemy.orm import Session

from tokumei._version import __version__
from tokumei.contest.desk.board import leaderboard, matrix
from tokumei.contest.desk.console import all_teams
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.moment import Moment, changing, moment_of
from tokumei.contest.desk.names import new_id
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import published
from tokumei.contest.desk.views import Download, View
from tokumei.contest.store.backup import dump_table
from tokumei.contest.store.database import Database, aware, revision_of
from tokumei.contest.store.tables import (
    Account,
    Audit,
    Base,
    Contest,
    Entry,
    Notice,
    PhaseChange,
    Score,
    Step,
    Team,
)

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
Cells = Iterable[Sequence[Any]]
EVERYTHING = Viewer(0, organiser=True)
"""Sees all, and is in no team."""
MANIFEST = "replay/manifest.json"
BOARD = ("leaderboard", "attackers", "matrix")
REPLAYED: tuple[type[Base], ...] = (Account, Contest, PhaseChange, Team, Entry, Score)
"""What the board is made of, each after those it refers to."""


def export_contest(place: Place, viewer: Viewer, slug: str) -> Download:
    """A zip below the home's scratch folder; whoever sends it removes it (organisers)."""
    viewer.require_organiser()
    path = place.home.path / "scratch" / f"export-{new_id()}.zip"
    with changing(place, viewer, slug) as (_, _, log):
        log("export", slug)
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
        write_export(archive, place, slug)
    return Download(path, f"{slug}.zip")


def write_export(archive: zipfile.ZipFile, place: Place, slug: str) -> None:
    """Everything that pages may read."""
    with place.read() as session:
        moment = moment_of(place, session, slug)
        still = stopped(place, session, moment.now)
        archive.writestr("contest.json", json.dumps(moment.row.spec, ensure_ascii=False, indent=2))
        _write_views(archive, still, slug)
        _write_tables(archive, session, moment)
        _write_replay(archive, session, moment)
        for release in published(session, moment):
            sha256 = session.get_one(Entry, release.entry).public_sha256
            if sha256 is not None:
                archive.write(place.home.files.path(sha256), f"public/{release.entry}.csv")


@dataclass(frozen=True)
class _OneView(Database):
    """A database of which every reader sees the same moment."""

    session: Session

    @contextmanager
    def read(self) -> Iterator[Session]:
        yield self.session


def stopped(place: Place, session: Session, now: datetime) -> Place:
    """The place as it is in one session, at one time."""
    return replace(place, database=_OneView(place.database.engine, session), clock=lambda: now)


def board_tables(place: Place, slug: str) -> dict[str, str]:
    """Leaderboard, attackers and matrix as CSV, all of them, and nobody's own."""
    board, found = leaderboard(place, EVERYTHING, slug), matrix(place, EVERYTHING, slug)
    rows = (
        [attacker, *(None if cell is None else cell.found.value for cell in cells)]
        for attacker, cells in zip(found.attackers, found.cells, strict=True)
    )
    made = (
        _views_csv(board.rows),
        _views_csv(board.attackers),
        csv_text(["attacker", *found.defenders], rows),
    )
    return dict(zip(BOARD, made, strict=True))


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


def _write_views(archive: zipfile.ZipFile, place: Place, slug: str) -> None:
    tables = board_tables(place, slug) | {
        "teams": _views_csv(all_teams(place, EVERYTHING, slug)),
        "phases": _views_csv(contest_of(place, EVERYTHING, slug).phases),
    }
    for name, text in tables.items():
        archive.writestr(f"{name}.csv", text)


def _write_replay(archive: zipfile.ZipFile, session: Session, moment: Moment) -> None:
    told = {
        "tokumei": __version__,
        "revision": revision_of(session.connection()),
        "slug": moment.spec.slug,
        "exported_at": moment.now.isoformat(),
        "judge_version": moment.row.judge_version,
    }
    archive.writestr(MANIFEST, json.dumps(told, indent=2))
    for kind in REPLAYED:
        lines = _replayed(session, kind, moment.id)
        archive.writestr(replay_name(table_of(kind)), b"".join(lines))


def _replayed(session: Session, kind: type[Base], contest_id: int) -> Iterator[bytes]:
    """The rows of a table that belong to a contest; of people nothing but number and name."""
    table = table_of(kind)
    if kind is Account:
        where = table.c.id.in_(_people(session, contest_id))
        for line in dump_table(session, table, where, password=""):
            row = json.loads(line)
            yield json.dumps({**row, "key": str(row["id"])}).encode() + b"\n"
        return
    ours = select(Entry.id).where(Entry.contest_id == contest_id)
    whose: ColumnElement[bool] = table.c.get("contest_id", table.c.id) == contest_id
    if kind is Score:
        whose = table.c.entry_id.in_(ours)
    yield from dump_table(session, table, whose)


def _people(session: Session, contest_id: int) -> set[int]:
    """Whom the other rows name."""
    uploaded = select(Entry.account_id).where(Entry.contest_id == contest_id)
    moved = select(PhaseChange.by_id).where(PhaseChange.contest_id == contest_id)
    return {*session.scalars(uploaded), *session.scalars(moved)}


def table_of(kind: type[Base]) -> Table:
    """The table of a class."""
    return Base.metadata.tables[kind.__tablename__]


def replay_name(table: Table) -> str:
    """Where a table's rows are in the zip."""
    return f"replay/{table.name}.jsonl"


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
    said = session.scalars(select(Notice).where(Notice.contest_id == moment.id)).all()
    archive.writestr("news.csv", _rows_csv(Notice, said))
    people = _people(session, moment.id).union(*map(_acting, log), *map(_speaking, said))
    named = select(Account.id, Account.name).where(Account.id.in_(people)).order_by(Account.id)
    archive.writestr("accounts.csv", csv_text(["id", "name"], session.execute(named).all()))


def _acting(row: Audit) -> set[int]:
    """The accounts that a row of the log speaks of."""
    kind, _, number = row.subject.partition(" ")
    about = int(number) if kind == "account" and number.isdecimal() else None
    return {one for one in (row.account_id, row.details.get("account"), about) if one is not None}


def _speaking(row: Notice) -> set[int]:
    return {one for one in (row.by_id, row.answered_by_id) if one is not None}


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
