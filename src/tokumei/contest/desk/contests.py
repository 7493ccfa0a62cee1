"""Contests: create, look at, download data.

create_contest(place, organiser, Path("upload.zip"))     # or a folder
contest_of(place, viewer, "cup").current
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from tokumei.contest.desk.audit_log import record
from tokumei.contest.desk.contest_files import keep_folder, open_files, remove_folder
from tokumei.contest.desk.contest_rows import contest_view
from tokumei.contest.desk.membership import require_insider
from tokumei.contest.desk.moment import Moment, looking, moment_of_row
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.desk.views import ContestView, Download
from tokumei.contest.spec.folder import read_contest_folder
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Contest
from tokumei.core.errors import InputError, TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotFound


def create_contest(place: Place, viewer: Viewer, source: Path) -> ContestView:
    """A contest from a folder or a zip file with contest.yaml and its data (organisers)."""
    viewer.require_organiser()
    folder = keep_folder(place, source)
    try:
        spec = read_contest_folder(place.home.contests / folder)
        described = place.checker.describe(folder)
        with place.write() as session:
            lock(session, "contests")
            if session.scalars(select(Contest).where(Contest.slug == spec.slug)).first():
                raise Conflict(
                    Text(
                        f"there is a contest '{spec.slug}' already",
                        f"コンテスト '{spec.slug}' はすでにあります",
                    )
                )
            row = Contest(
                slug=spec.slug,
                spec=spec.model_dump(mode="json", by_alias=True),
                folder=folder,
                judge_version=described.version,
                created_at=place.now(),
            )
            session.add(row)
            session.flush()
            record(place, session, viewer, "contest.new", subject=spec.slug, contest_id=row.id)
    except TokumeiError:
        remove_folder(place, folder)
        raise
    return contest_of(place, viewer, spec.slug)


def contests(place: Place, viewer: Viewer) -> tuple[ContestView, ...]:
    """All contests, the newest first; without the names of guess files."""
    with place.read() as session:
        rows = session.scalars(select(Contest).order_by(Contest.id.desc())).all()
        return tuple(
            contest_view(place, session, moment_of_row(place, session, row), guess_files=())
            for row in rows
        )


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
        raise NotFound(Text("there is no such data file", "そのデータファイルはありません"))
    return Download(place.home.contests / moment.row.folder / name, name)


def guess_files_of(place: Place, moment: Moment) -> tuple[str, ...]:
    """The files a guess is made of; none while the judge cannot be loaded (uploads say why)."""
    try:
        return place.described(moment.row.folder, moment.row.judge_version).guess_files
    except InputError:
        return ()
