"""Exports everything of a contest as one zip from one database snapshot.

Tables are CSV in UTF-8, times with their zone; cells that a spreadsheet would take for a formula
begin with '. What the board is made of is in `replay/` once more, as lines of JSON, from which
`tokumei contest replay` makes it again. Uploads and the truth are not in it: the pages' process
cannot read them (`server/vault_exports.py` adds the uploads).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict

from sqlalchemy import ColumnElement, Table, select
from sqlalchemy.orm import Session

from tokumei._version import __version__
from tokumei.apps.contest.services.administration import list_teams
from tokumei.apps.contest.services.contest_state import (
    ContestState,
    load_contest_state,
    update_contest,
)
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.leaderboard import build_attack_matrix, build_leaderboard
from tokumei.apps.contest.services.published_releases import list_published_releases
from tokumei.apps.contest.services.validation import generate_id
from tokumei.apps.contest.services.view_models import Download, View
from tokumei.apps.contest.store.backup import dump_table
from tokumei.apps.contest.store.database import Database, current_revision, to_aware_utc
from tokumei.apps.contest.store.tables import (
    AuditRecord,
    Base,
    Contest,
    ContestEntry,
    EntryScore,
    EntryStateChange,
    Notice,
    PhaseChange,
    Team,
    UserAccount,
)
from tokumei.files.archives import ArchiveWriter, open_archive

FORMULA_PREFIXES = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
CellRows = Iterable[Sequence[object]]
ALL_SEEING_VIEWER = Viewer(0, organiser=True)
"""Sees all, and is in no team."""
REPLAY_MANIFEST = "replay/manifest.json"
BOARD_NAMES = ("leaderboard", "attackers", "matrix")
REPLAY_MODELS: tuple[type[Base], ...] = (
    UserAccount,
    Contest,
    PhaseChange,
    Team,
    ContestEntry,
    EntryScore,
)
"""What the board is made of, each after those it refers to."""


def export_contest(context: AppContext, viewer: Viewer, slug: str) -> Download:
    """A zip below the home's scratch folder; whoever sends it removes it (organisers)."""
    viewer.require_organiser()
    path = context.home.path / "scratch" / f"export-{generate_id()}.zip"
    with update_contest(context, viewer, slug) as (_, _, log):
        log("export", slug)
    with path.open("xb") as stream, open_archive(stream) as archive:
        write_export(archive, context, slug)
    return Download(path, f"{slug}.zip")


def write_export(archive: ArchiveWriter, context: AppContext, slug: str) -> None:
    """Everything that pages may read."""
    with context.read() as session:
        contest_state = load_contest_state(context, session, slug)
        frozen_context = freeze_context(context, session, contest_state.now)
        archive.add(
            "contest.json", json.dumps(contest_state.row.spec, ensure_ascii=False, indent=2)
        )
        _write_views(archive, frozen_context, slug)
        _write_tables(archive, session, contest_state)
        _write_replay(archive, session, contest_state)
        for release in list_published_releases(session, contest_state):
            sha256 = session.get_one(ContestEntry, release.entry).public_sha256
            if sha256 is not None:
                archive.add_file(f"public/{release.entry}.csv", context.home.files.path(sha256))


@dataclass(frozen=True)
class _SingleSessionDatabase(Database):
    """A database of which every reader sees the same moment."""

    session: Session

    @contextmanager
    def read(self) -> Iterator[Session]:
        yield self.session


def freeze_context(context: AppContext, session: Session, now: datetime) -> AppContext:
    """The place as it is in one session, at one time."""
    return replace(
        context,
        database=_SingleSessionDatabase(context.database.engine, session),
        clock=lambda: now,
    )


def build_board_csv(context: AppContext, slug: str) -> dict[str, str]:
    """Leaderboard, attackers and matrix as CSV, all of them, and nobody's own."""
    board, attack_matrix = (
        build_leaderboard(context, ALL_SEEING_VIEWER, slug),
        build_attack_matrix(context, ALL_SEEING_VIEWER, slug),
    )
    rows = (
        [attacker, *(None if cell is None else cell.found.value for cell in cells)]
        for attacker, cells in zip(attack_matrix.attackers, attack_matrix.cells, strict=True)
    )
    tables = (
        _views_csv(board.rows),
        _views_csv(board.attackers),
        to_csv_text(["attacker", *attack_matrix.defenders], rows),
    )
    return dict(zip(BOARD_NAMES, tables, strict=True))


def to_csv_text(header: Sequence[str], rows: CellRows) -> str:
    """A table that spreadsheets open, without formulas."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_format_cell(name) for name in header])
    writer.writerows([_format_cell(value) for value in row] for row in rows)
    return "\ufeff" + out.getvalue()


def _format_cell(value: object) -> object:
    if isinstance(value, datetime):
        return to_aware_utc(value).isoformat()
    if isinstance(value, dict | list | tuple):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULA_PREFIXES):
        return "'" + value
    return value


def _write_views(archive: ArchiveWriter, context: AppContext, slug: str) -> None:
    tables = build_board_csv(context, slug) | {
        "teams": _views_csv(list_teams(context, ALL_SEEING_VIEWER, slug)),
        "phases": _views_csv(get_contest_view(context, ALL_SEEING_VIEWER, slug).phases),
    }
    for name, text in tables.items():
        archive.add(f"{name}.csv", text)


class ReplayManifest(TypedDict):
    """What an export says of itself, for whoever judges it again."""

    tokumei: str
    revision: str
    slug: str
    exported_at: str
    judge_version: str


def _write_replay(archive: ArchiveWriter, session: Session, contest_state: ContestState) -> None:
    manifest: ReplayManifest = {
        "tokumei": __version__,
        "revision": current_revision(session.connection()),
        "slug": contest_state.spec.slug,
        "exported_at": contest_state.now.isoformat(),
        "judge_version": contest_state.row.judge_version,
    }
    archive.add(REPLAY_MANIFEST, json.dumps(manifest, indent=2))
    for model in REPLAY_MODELS:
        lines = _dump_replay_rows(session, model, contest_state.id)
        archive.add_chunks(replay_member_name(model_table(model)), lines)


def _dump_replay_rows(session: Session, model: type[Base], contest_id: int) -> Iterator[bytes]:
    """The rows of a table that belong to a contest; of people nothing but number and name."""
    table = model_table(model)
    if model is UserAccount:
        where = table.c.id.in_(_uploader_and_phase_accounts(session, contest_id))
        for line in dump_table(session, table, where, password=""):
            row = json.loads(line)
            yield json.dumps({**row, "key": str(row["id"])}).encode() + b"\n"
        return
    contest_entries = select(ContestEntry.id).where(ContestEntry.contest_id == contest_id)
    condition: ColumnElement[bool] = table.c.get("contest_id", table.c.id) == contest_id
    if model is EntryScore:
        condition = table.c.entry_id.in_(contest_entries)
    yield from dump_table(session, table, condition)


def _uploader_and_phase_accounts(session: Session, contest_id: int) -> set[int]:
    """Whom the other rows name."""
    uploaded = select(ContestEntry.account_id).where(ContestEntry.contest_id == contest_id)
    moved = select(PhaseChange.by_id).where(PhaseChange.contest_id == contest_id)
    return {*session.scalars(uploaded), *session.scalars(moved)}


def model_table(model: type[Base]) -> Table:
    """The table of a class."""
    return Base.metadata.tables[model.__tablename__]


def replay_member_name(table: Table) -> str:
    """Where a table's rows are in the zip."""
    return f"replay/{table.name}.jsonl"


def _views_csv(views: Sequence[View]) -> str:
    plain = [view.as_json() for view in views]
    header = list(plain[0]) if plain else []
    return to_csv_text(header, (list(row.values()) for row in plain))


def _write_tables(archive: ArchiveWriter, session: Session, contest_state: ContestState) -> None:
    ours = ContestEntry.contest_id == contest_state.id
    entries = session.scalars(
        select(ContestEntry).where(ours).order_by(ContestEntry.received_at)
    ).all()
    archive.add("entries.csv", _rows_csv(ContestEntry, entries, without=("faults",)))
    archive.add("faults.csv", _faults_csv(entries))
    for table in (EntryScore, EntryStateChange):
        query = select(table).join(ContestEntry, ContestEntry.id == table.entry_id).where(ours)
        rows = session.scalars(query.order_by(table.id)).all()
        archive.add(f"{table.__tablename__}s.csv", _rows_csv(table, rows))
    audit_records = session.scalars(
        select(AuditRecord).where(AuditRecord.contest_id == contest_state.id)
    ).all()
    archive.add("audit.csv", _rows_csv(AuditRecord, audit_records))
    notices = session.scalars(select(Notice).where(Notice.contest_id == contest_state.id)).all()
    archive.add("news.csv", _rows_csv(Notice, notices))
    people = _uploader_and_phase_accounts(session, contest_state.id).union(
        *map(_audit_accounts, audit_records), *map(_notice_accounts, notices)
    )
    account_names = (
        select(UserAccount.id, UserAccount.name)
        .where(UserAccount.id.in_(people))
        .order_by(UserAccount.id)
    )
    archive.add("accounts.csv", to_csv_text(["id", "name"], session.execute(account_names).all()))


def _audit_accounts(row: AuditRecord) -> set[int]:
    """The accounts that a row of the log speaks of."""
    kind, _, number = row.subject.partition(" ")
    about = int(number) if kind == "account" and number.isdecimal() else None
    return {
        account_id
        for account_id in (row.account_id, row.details.get("account"), about)
        if account_id is not None
    }


def _notice_accounts(row: Notice) -> set[int]:
    return {account_id for account_id in (row.by_id, row.answered_by_id) if account_id is not None}


def _faults_csv(entries: Sequence[ContestEntry]) -> str:
    """A row for every fault, as far as faults were kept."""
    names = ("line", "column", "rule", "message_en", "message_ja")
    rows = (
        [entry.id, entry.team_id, *(fault.get(name) for name in names)]
        for entry in entries
        for fault in entry.faults or ()
    )
    return to_csv_text(["entry", "team", *names], rows)


def _rows_csv(table: type[Base], rows: Sequence[Base], *, without: Sequence[str] = ()) -> str:
    names = [column.key for column in table.__mapper__.column_attrs if column.key not in without]
    return to_csv_text(names, ([getattr(row, name) for name in names] for row in rows))
