"""Failed judgements are tried again, and withdrawals taken back.

retry_job(place, organiser, "cup", 12)       # from the queue's page
restore_entry(place, organiser, "cup", "4kq7…", "a mistake")
requeue_failed(session, contest_id)          # when another judge comes into force
"""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.console import entry_views, require_reason
from tokumei.contest.desk.console_views import ConsoleEntryView
from tokumei.contest.desk.moment import changing
from tokumei.contest.desk.names import find_entry, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.jobs.judgement import move
from tokumei.contest.jobs.queue import retry
from tokumei.contest.store.tables import Entry, Job, Score
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotFound

AGAIN = Text("the organiser has it judged again", "主催者が採点をやり直しました")


def retry_job(place: Place, viewer: Viewer, slug: str, job_id: int) -> None:
    """Put a failed judgement back into the queue (organisers)."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        job = session.get(Job, require_number(job_id))
        entry = None if job is None else session.get_one(Entry, job.entry_id)
        if job is None or entry is None or entry.contest_id != moment.id:
            raise NotFound("there is no such work", "その処理はありません")
        if not _retried(session, job, entry):
            raise Conflict(
                "only what failed, and was not withdrawn since, can be tried again",
                "やり直せるのは、失敗して、取り下げられていないものだけです",
            )
        log("entry.retry", entry.id, job=job.id)


def restore_entry(
    place: Place, viewer: Viewer, slug: str, entry_id: str, reason: str
) -> ConsoleEntryView:
    """Take a withdrawal back: the entry is what it was, one that waited waits again."""
    viewer.require_organiser()
    why = require_reason(reason)
    with changing(place, viewer, slug) as (session, moment, log):
        entry = find_entry(session, moment.id, entry_id)
        if entry.state != "withdrawn":
            raise Conflict("it was not withdrawn", "取り下げられていません")
        scored = select(Score.id).where(Score.entry_id == entry.id, Score.current)
        state = "scored" if session.scalars(scored).first() is not None else "queued"
        state = "rejected" if entry.fault_total else state
        if state == "queued":
            first = (Job.entry_id == entry.id, Job.run == "")
            again = update(Job).where(*first, Job.state.in_(("cancelled", "failed")))
            session.execute(again.values(state="queued", attempts=0, error=None))
        move(session, entry.id, state, reason=Text(why, why), only_from=("withdrawn",))
        log("entry.restore", entry.id, reason=why)
        session.flush()
        return entry_views(session, moment, [entry])[0]


def requeue_failed(session: Session, contest_id: int) -> int:
    """Put every failed upload of a contest back into the queue; how many."""
    query = (
        select(Job, Entry)
        .join(Entry, Entry.id == Job.entry_id)
        .where(Entry.contest_id == contest_id, Job.run == "", Job.state == "failed")
    )
    return sum(_retried(session, job, entry) for job, entry in session.execute(query).all())


def _retried(session: Session, job: Job, entry: Entry) -> bool:
    if not job.run and entry.state != "failed":
        return False
    if not retry(session, job.id):
        return False
    if not job.run:
        move(session, entry.id, "queued", reason=AGAIN, only_from=("failed",))
    return True
