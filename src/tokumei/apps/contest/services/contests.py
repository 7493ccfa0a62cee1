"""Creates contests, returns views of them, and serves their data files.

    create_contest(place, organiser, Path("upload.zip"))     # or a folder
    get_contest_view(place, viewer, "cup").current

Of a contest's folder only the files that contest.yaml names are kept.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal, cast

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.judge.archives import unpack_zip
from tokumei.apps.contest.services.contest_state import (
    ContestState,
    contest_state_from_row,
    read_contest,
    record_audit,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.organiser_roles import organised_contest_ids
from tokumei.apps.contest.services.permissions import require_member_or_organiser
from tokumei.apps.contest.services.validation import generate_id
from tokumei.apps.contest.services.view_models import ContestView, DataFileView, Download, PhaseView
from tokumei.apps.contest.spec.folder import CONTEST_FILE, parse_contest, read_contest_folder
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.file_store import write_file
from tokumei.apps.contest.store.judge_snapshots import create_snapshot
from tokumei.apps.contest.store.tables import Contest, ContestEntry, Team
from tokumei.apps.http.errors import Conflict, NotFound, UnprocessableContent
from tokumei.core.errors import InputError, TokumeiError

STATE_ORDER = ("anonymize", "attack", "between", "coming", "over", "archived")
MOST_BYTES = 200 << 20
"""Of all files of a contest together."""


def store_contest_folder(context: AppContext, source: Path) -> str:
    """Copy a contest from a folder or a zip; the new folder's name."""
    files = _read_source_files(source)
    spec = _parse_spec(files)
    folder = f"{spec.slug}-{generate_id()[:6]}"
    (context.home.contests / folder).mkdir()
    for name in _named_files(spec):
        if name in files:
            write_file(context.home.contests / folder / name, files[name])
    return folder


def public_files(spec: ContestSpec) -> dict[str, str]:
    """Key → name of all files that members get: what they need to check their files at home."""
    extra = {} if spec.extra is None else {"extra": spec.extra}
    data = {key: name for key, name in spec.data.items() if key not in spec.secret_data}
    return {CONTEST_FILE: CONTEST_FILE} | data | extra


def _read_source_files(source: Path) -> dict[str, bytes]:
    if not source.is_dir():
        try:
            return unpack_zip(source.read_bytes(), max_bytes=MOST_BYTES)
        except InputError as err:
            raise UnprocessableContent(err.message) from None
    try:
        spec = _parse_spec({CONTEST_FILE: (source / CONTEST_FILE).read_bytes()})
    except FileNotFoundError:
        raise _missing_file_error() from None
    paths = [source / name for name in _named_files(spec)]
    return {path.name: path.read_bytes() for path in paths if path.is_file()}


def _parse_spec(files: dict[str, bytes]) -> ContestSpec:
    if CONTEST_FILE not in files:
        raise _missing_file_error()
    try:
        return parse_contest(files[CONTEST_FILE].decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnprocessableContent("{file} must be UTF-8", file=CONTEST_FILE) from None


def _named_files(spec: ContestSpec) -> list[str]:
    extra = [spec.extra] if spec.extra is not None else []
    return [CONTEST_FILE, *spec.data.values(), *extra]


def _missing_file_error() -> UnprocessableContent:
    return UnprocessableContent("{file} is missing", file=CONTEST_FILE)


def build_contest_view(
    context: AppContext,
    session: Session,
    contest_state: ContestState,
    *,
    guess_files: tuple[str, ...],
) -> ContestView:
    """A contest made ready to be shown."""
    spec = contest_state.spec
    phases = build_phase_views(contest_state)
    playable_phases = (
        () if contest_state.row.stage == "archived" else phases
    )  # nothing more is taken
    is_attack = ContestEntry.target_id.is_not(None)
    zone = spec.phases[0].starts.utcoffset()
    return ContestView(
        slug=spec.slug,
        title=spec.title.text,
        about=spec.about.text,
        format=spec.format,
        offset_minutes=int(zone.total_seconds() // 60) if zone else 0,
        now=contest_state.now,
        stage=cast('Literal["draft", "open", "archived"]', contest_state.row.stage),
        state=_current_phase_state(playable_phases),
        phases=phases,
        current=next((phase for phase in playable_phases if phase.state == "now"), None),
        next=min(
            (phase for phase in playable_phases if phase.state == "coming"),
            key=lambda phase: phase.starts,
            default=None,
        ),
        quotas=spec.quotas.model_dump(),
        scoring=spec.scoring.model_dump(mode="json"),
        knowledge=spec.knowledge,
        feedback=spec.feedback.value,
        bands=spec.bands,
        leaderboard=spec.leaderboard.value,
        registration=spec.registration,
        data=_data_file_views(context, contest_state),
        secret_data=contest_state.spec.secret_data,
        guess_files=guess_files,
        judge_version=contest_state.row.judge_version,
        teams=_count_rows(session, Team.contest_id == contest_state.id, ~Team.hidden, ~Team.banned),
        submissions=_count_rows(session, ContestEntry.contest_id == contest_state.id, ~is_attack),
        attacks=_count_rows(session, ContestEntry.contest_id == contest_state.id, is_attack),
    )


def build_phase_views(contest_state: ContestState) -> tuple[PhaseView, ...]:
    """The phases with the times in force."""
    views = []
    for number, phase in enumerate(contest_state.phases):
        begun, change = contest_state.now >= phase.starts, contest_state.changes.get(number)
        views.append(
            PhaseView(
                place=number,
                kind=phase.kind.value,
                starts=phase.starts,
                ends=phase.ends,
                state="coming"
                if not begun
                else "over"
                if contest_state.now >= phase.ends
                else "now",
                changed=change is not None,
                reason=change.reason if change is not None else "",
            )
        )
    return tuple(views)


def _current_phase_state(
    phases: tuple[PhaseView, ...],
) -> Literal["coming", "anonymize", "attack", "between", "over"]:
    for phase in phases:
        if phase.state == "now":
            return phase.kind
    states = {phase.state for phase in phases}
    if states == {"coming"}:
        return "coming"
    return "over" if states <= {"over"} else "between"


def _data_file_views(context: AppContext, contest_state: ContestState) -> tuple[DataFileView, ...]:
    folder = context.home.contests / context.judge_folder(contest_state.row)
    return tuple(
        DataFileView(key=key, name=name, size=(folder / name).stat().st_size)
        for key, name in public_files(contest_state.spec).items()
    )


def _count_rows(session: Session, *conditions: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).where(*conditions)) or 0


def create_contest(
    context: AppContext, viewer: Viewer, source: Path, *, draft: bool = False
) -> ContestView:
    """A contest from a folder or a zip file with contest.yaml and its data (organisers)."""
    viewer.require_server()
    folder = store_contest_folder(context, source)
    try:
        spec = read_contest_folder(context.home.contests / folder, where=CONTEST_FILE)
        if all(phase.ends <= context.clock() for phase in spec.phases):
            raise UnprocessableContent(
                "{file}: phases: all of them are over; nobody could take part",
                file=CONTEST_FILE,
            )
        described = context.checker.describe_judge(folder)
        with context.write() as session:
            lock_subject(session, "contests")
            if session.scalars(select(Contest).where(Contest.slug == spec.slug)).first():
                raise Conflict("there is already a contest '{slug}'", slug=spec.slug)
            row = Contest(
                slug=spec.slug,
                spec=spec.model_dump(mode="json", by_alias=True),
                folder=folder,
                judge_version=described.version,
                created_at=context.now(),
                stage="draft" if draft else "open",
            )
            session.add(row)
            session.flush()
            create_snapshot(context.home.contests, folder, described.version)
            record_audit(
                context, session, viewer, "contest.new", subject=spec.slug, contest_id=row.id
            )
    except TokumeiError:
        shutil.rmtree(context.home.contests / folder)
        raise
    return get_contest_view(context, viewer, spec.slug)


def list_contests(context: AppContext, viewer: Viewer) -> tuple[ContestView, ...]:
    """Running ones, then coming, ended, archived, each the newest first; drafts to organisers.

    Without the names of guess files.
    """
    with context.read() as session:
        query = select(Contest).where(~Contest.closed).order_by(Contest.id.desc())
        rows = session.scalars(query).all()
        if not viewer.organiser:
            organised_ids = organised_contest_ids(session, viewer)
            rows = [row for row in rows if row.stage != "draft" or row.id in organised_ids]
        views = [
            build_contest_view(
                context, session, contest_state_from_row(context, session, row), guess_files=()
            )
            for row in rows
        ]
    order = {state: context for context, state in enumerate(STATE_ORDER)}
    return tuple(sorted(views, key=lambda view: order.get(view.stage, order[view.state])))


def get_contest_view(context: AppContext, viewer: Viewer, slug: str) -> ContestView:
    """One contest."""
    with read_contest(context, slug) as (session, contest_state):
        return build_contest_view(
            context, session, contest_state, guess_files=guess_file_names(context, contest_state)
        )


def get_data_file(context: AppContext, viewer: Viewer, slug: str, key: str) -> Download:
    """A file, for members of any team and organisers; never one of `secret_data`.

    Also contest.yaml (its own name is its key) and the organiser's Python file (`extra`): with
    them `tokumei contest check` gives the same figures at home.
    """
    with read_contest(context, slug) as (session, contest_state):
        require_member_or_organiser(session, contest_state, viewer)
    name = public_files(contest_state.spec).get(key)
    if name is None:
        raise NotFound("there is no such data file")
    return Download(context.home.contests / context.judge_folder(contest_state.row) / name, name)


def guess_file_names(context: AppContext, contest_state: ContestState) -> tuple[str, ...]:
    """The files a guess is made of; none while the judge cannot be loaded (uploads say why)."""
    try:
        folder = context.judge_folder(contest_state.row)
        return context.judge_description(folder, contest_state.row.judge_version).guess_files
    except InputError:
        return ()
