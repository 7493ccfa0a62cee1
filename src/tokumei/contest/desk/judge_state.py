"""The judge in force and the contest's folder: a changed file is announced, never used silently.

judge_state(place, organiser, "cup").differs
put_files_back(place, organiser, "cup")        # or: rejudge, apply_run
use_files(place, organiser, "cup")             # while nothing has been judged
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import JudgeState
from tokumei.contest.desk.moment import Moment, changing, looking
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.rejudging import folder_spec, use_folder
from tokumei.contest.desk.retrying import requeue_failed
from tokumei.contest.spec.folder import FILE, judge_version, read_contest_folder
from tokumei.contest.store.database import lock
from tokumei.contest.store.pinned import changed_files, put_back
from tokumei.contest.store.tables import Entry
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict


def judge_state(place: Place, viewer: Viewer, slug: str) -> JudgeState:
    """Which judge is in force, and whether the folder is still that (organisers)."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        return _state(place, session, moment)


def put_files_back(place: Place, viewer: Viewer, slug: str) -> JudgeState:
    """Make the folder again what the judge in force is made of."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        row, state = moment.row, _state(place, session, moment)
        log("judge.put-back", slug, files=list(state.changed))
        put_back(place.home.contests, row.folder, row.judge_version)
        return _state(place, session, moment)


def use_files(place: Place, viewer: Viewer, slug: str) -> JudgeState:
    """Make the folder the judge in force, while no upload has been judged by another."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        lock(session, f"apply:{moment.id}")
        if _used(session, moment):
            raise Conflict(
                "uploads have been judged already: judge again, look, and apply",
                "すでに採点された提出があります。再採点し、確認してから反映してください",
            )
        place.checker.describe(moment.row.folder)
        use_folder(place, session, moment)
        log("judge.use", slug, retried=requeue_failed(session, moment.id))
    return judge_state(place, viewer, slug)


def _used(session: Session, moment: Moment) -> bool:
    scored = select(Entry.id).where(Entry.contest_id == moment.id, Entry.state == "scored")
    return session.scalars(scored.limit(1)).first() is not None


@cache
def _version_of(copy: Path) -> str:
    """The judge that this library makes of a copy, which nobody edits."""
    return judge_version(read_contest_folder(copy, where=FILE), copy)


def _state(place: Place, session: Session, moment: Moment) -> JudgeState:
    row, problem = moment.row, None
    changed = changed_files(place.home.contests, row.folder, row.judge_version)
    copy = place.home.contests / place.judge_folder(row)
    try:
        folder_spec(place, moment)
        same = not changed and _version_of(copy) == row.judge_version
    except TokumeiError as error:
        faults = [fault.message for fault in getattr(error, "faults", ())][:5]
        told = [error.message, *faults]
        same = False
        problem = Text(*(" · ".join(one[lang] for one in told) for lang in (0, 1)))
    return JudgeState(
        in_force=row.judge_version,
        differs=not same,
        changed=changed,
        problem=problem,
        used=_used(session, moment),
    )
