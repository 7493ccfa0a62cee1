"""Contests: create, look at, download data.

    create_contest(place, organiser, Path("upload.zip"))     # or a folder
    contest_of(place, viewer, "cup").current

Of a contest's folder only the files that contest.yaml names are kept.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Literal, cast

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.membership import require_insider
from tokumei.contest.desk.moment import Moment, looking, moment_of_row, record
from tokumei.contest.desk.names import new_id
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.roles import organised
from tokumei.contest.desk.views import ContestView, DataFileView, Download, PhaseView
from tokumei.contest.judge.archives import archive_files
from tokumei.contest.spec.folder import FILE, parse_contest, read_contest_folder
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.store.database import lock
from tokumei.contest.store.files import write_file
from tokumei.contest.store.pinned import pin
from tokumei.contest.store.tables import Contest, Entry, Team
from tokumei.core.errors import InputError, TokumeiError
from tokumei.http.refusals import Conflict, NotFound, Wrong

ORDER = ("anonymize", "attack", "between", "coming", "over", "archived")
MOST_BYTES = 200 << 20
"""Of all files of a contest together."""


def keep_folder(place: Place, source: Path) -> str:
    """Copy a contest from a folder or a zip; the new folder's name."""
    files = _files(source)
    spec = _spec(files)
    folder = f"{spec.slug}-{new_id()[:6]}"
    (place.home.contests / folder).mkdir()
    for name in _named(spec):
        if name in files:
            write_file(place.home.contests / folder / name, files[name])
    return folder


def open_files(spec: ContestSpec) -> dict[str, str]:
    """Key → name of all files that members get: what they need to check their files at home."""
    extra = {} if spec.extra is None else {"extra": spec.extra}
    data = {key: name for key, name in spec.data.items() if key not in spec.secret_data}
    return {FILE: FILE} | data | extra


def _files(source: Path) -> dict[str, bytes]:
    if not source.is_dir():
        try:
            return archive_files(source.read_bytes(), max_bytes=MOST_BYTES)
        except InputError as err:
            raise Wrong(*err.message) from None
    try:
        spec = _spec({FILE: (source / FILE).read_bytes()})
    except FileNotFoundError:
        raise _no_file() from None
    named = [source / name for name in _named(spec)]
    return {path.name: path.read_bytes() for path in named if path.is_file()}


def _spec(files: dict[str, bytes]) -> ContestSpec:
    if FILE not in files:
        raise _no_file()
    try:
        return parse_contest(files[FILE].decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Wrong(f"{FILE} must be UTF-8", f"{FILE} は UTF-8 にしてください") from None


def _named(spec: ContestSpec) -> list[str]:
    extra = [spec.extra] if spec.extra is not None else []
    return [FILE, *spec.data.values(), *extra]


def _no_file() -> Wrong:
    return Wrong(f"there is no {FILE} in it", f"{FILE} がありません")


def contest_view(
    place: Place, session: Session, moment: Moment, *, guess_files: tuple[str, ...]
) -> ContestView:
    """A contest made ready to be shown."""
    spec = moment.spec
    phases = phase_views(moment)
    played = () if moment.row.stage == "archived" else phases  # nothing more is taken
    is_attack = Entry.target_id.is_not(None)
    zone = spec.phases[0].starts.utcoffset()
    return ContestView(
        slug=spec.slug,
        title=spec.title.text,
        about=spec.about.text,
        format=spec.format,
        offset_minutes=int(zone.total_seconds() // 60) if zone else 0,
        now=moment.now,
        stage=cast('Literal["draft", "open", "archived"]', moment.row.stage),
        state=_state(played),
        phases=phases,
        current=next((phase for phase in played if phase.state == "now"), None),
        next=min(
            (phase for phase in played if phase.state == "coming"),
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
        data=_data(place, moment),
        secret_data=moment.spec.secret_data,
        guess_files=guess_files,
        judge_version=moment.row.judge_version,
        teams=_count(session, Team.contest_id == moment.id, ~Team.hidden, ~Team.banned),
        submissions=_count(session, Entry.contest_id == moment.id, ~is_attack),
        attacks=_count(session, Entry.contest_id == moment.id, is_attack),
    )


def phase_views(moment: Moment) -> tuple[PhaseView, ...]:
    """The phases with the times in force."""
    views = []
    for number, phase in enumerate(moment.phases):
        begun, change = moment.now >= phase.starts, moment.changes.get(number)
        views.append(
            PhaseView(
                place=number,
                kind=phase.kind.value,
                starts=phase.starts,
                ends=phase.ends,
                state="coming" if not begun else "over" if moment.now >= phase.ends else "now",
                changed=change is not None,
                reason=change.reason if change is not None else "",
            )
        )
    return tuple(views)


def _state(
    phases: tuple[PhaseView, ...],
) -> Literal["coming", "anonymize", "attack", "between", "over"]:
    for phase in phases:
        if phase.state == "now":
            return phase.kind
    states = {phase.state for phase in phases}
    if states == {"coming"}:
        return "coming"
    return "over" if states <= {"over"} else "between"


def _data(place: Place, moment: Moment) -> tuple[DataFileView, ...]:
    folder = place.home.contests / place.judge_folder(moment.row)
    return tuple(
        DataFileView(key=key, name=name, size=(folder / name).stat().st_size)
        for key, name in open_files(moment.spec).items()
    )


def _count(session: Session, *which: Any) -> int:
    return session.scalar(select(func.count()).where(*which)) or 0


def create_contest(
    place: Place, viewer: Viewer, source: Path, *, draft: bool = False
) -> ContestView:
    """A contest from a folder or a zip file with contest.yaml and its data (organisers)."""
    viewer.require_server()
    folder = keep_folder(place, source)
    try:
        spec = read_contest_folder(place.home.contests / folder, where=FILE)
        if all(phase.ends <= place.clock() for phase in spec.phases):
            raise Wrong(
                f"{FILE}: phases: all of them are over; nobody could take part",
                f"{FILE}: phases: すべての期間が終わっているため、誰も参加できません",
            )
        described = place.checker.describe(folder)
        with place.write() as session:
            lock(session, "contests")
            if session.scalars(select(Contest).where(Contest.slug == spec.slug)).first():
                raise Conflict(
                    f"there is a contest '{spec.slug}' already",
                    f"コンテスト '{spec.slug}' はすでにあります",
                )
            row = Contest(
                slug=spec.slug,
                spec=spec.model_dump(mode="json", by_alias=True),
                folder=folder,
                judge_version=described.version,
                created_at=place.now(),
                stage="draft" if draft else "open",
            )
            session.add(row)
            session.flush()
            pin(place.home.contests, folder, described.version)
            record(place, session, viewer, "contest.new", subject=spec.slug, contest_id=row.id)
    except TokumeiError:
        shutil.rmtree(place.home.contests / folder)
        raise
    return contest_of(place, viewer, spec.slug)


def contests(place: Place, viewer: Viewer) -> tuple[ContestView, ...]:
    """Running ones, then coming, ended, archived, each the newest first; drafts to organisers.

    Without the names of guess files.
    """
    with place.read() as session:
        query = select(Contest).where(~Contest.closed).order_by(Contest.id.desc())
        rows = session.scalars(query).all()
        if not viewer.organiser:
            mine = organised(session, viewer)
            rows = [row for row in rows if row.stage != "draft" or row.id in mine]
        found = [
            contest_view(place, session, moment_of_row(place, session, row), guess_files=())
            for row in rows
        ]
    order = {state: place for place, state in enumerate(ORDER)}
    return tuple(sorted(found, key=lambda one: order.get(one.stage, order[one.state])))


def contest_of(place: Place, viewer: Viewer, slug: str) -> ContestView:
    """One contest."""
    with looking(place, slug) as (session, moment):
        return contest_view(place, session, moment, guess_files=guess_files_of(place, moment))


def data_file(place: Place, viewer: Viewer, slug: str, key: str) -> Download:
    """A file, for members of any team and organisers; never one of `secret_data`.

    Also contest.yaml (its own name is its key) and the organiser's Python file (`extra`): with
    them `tokumei contest check` gives the same figures at home.
    """
    with looking(place, slug) as (session, moment):
        require_insider(session, moment, viewer)
    name = open_files(moment.spec).get(key)
    if name is None:
        raise NotFound("there is no such data file", "そのデータファイルはありません")
    return Download(place.home.contests / place.judge_folder(moment.row) / name, name)


def guess_files_of(place: Place, moment: Moment) -> tuple[str, ...]:
    """The files a guess is made of; none while the judge cannot be loaded (uploads say why)."""
    try:
        folder = place.judge_folder(moment.row)
        return place.described(folder, moment.row.judge_version).guess_files
    except InputError:
        return ()
