"""The organiser's console: teams, entries, phases; failed judgements are tried again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import ConsoleEntryView, ConsoleTeamView
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.entry_rows import entries_of
from tokumei.contest.desk.entry_views import ScoreView
from tokumei.contest.desk.moment import Moment, changing, looking
from tokumei.contest.desk.names import clean_line, find_entry, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import published, team_names
from tokumei.contest.desk.views import ContestView
from tokumei.contest.jobs.judgement import move
from tokumei.contest.jobs.queue import cancel, retry
from tokumei.contest.store.database import lock, naive
from tokumei.contest.store.tables import Account, Entry, Job, Member, PhaseChange, Score, Step, Team
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotFound, Wrong

MOST_REASON = 500


def all_teams(place: Place, viewer: Viewer, slug: str) -> tuple[ConsoleTeamView, ...]:
    """All teams by name."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        return team_views(session, moment)


def all_entries(place: Place, viewer: Viewer, slug: str) -> tuple[ConsoleEntryView, ...]:
    """All entries, the newest first."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        return entry_views(session, moment, entries_of(session, moment))


def set_team(
    place: Place,
    viewer: Viewer,
    slug: str,
    team_id: int,
    *,
    hidden: bool | None = None,
    banned: bool | None = None,
    reason: str,
) -> ConsoleTeamView:
    """Hide or ban a team, or take it back."""
    viewer.require_organiser()
    why = require_reason(reason)
    with changing(place, viewer, slug) as (session, moment, log):
        team = session.get(Team, require_number(team_id))
        if team is None or team.contest_id != moment.id:
            raise NotFound("there is no such team", "そのチームはありません")
        team.hidden = team.hidden if hidden is None else hidden
        team.banned = team.banned if banned is None else banned
        team.reason = why if team.hidden or team.banned else ""
        log("team.set", f"team {team.id}", hidden=team.hidden, banned=team.banned, reason=why)
        session.flush()
        return next(view for view in team_views(session, moment) if view.id == team_id)


def withdraw(
    place: Place, viewer: Viewer, slug: str, entry_id: str, reason: str
) -> ConsoleEntryView:
    """Take an entry out of the contest, until an organiser takes that back."""
    viewer.require_organiser()
    why = require_reason(reason)
    with changing(place, viewer, slug) as (session, moment, log):
        entry = find_entry(session, moment.id, entry_id)
        if entry.state in ("withdrawn", "cancelled"):
            raise Conflict("it has already been withdrawn", "すでに取り下げられています")
        cancel(session, entry.id)
        told = {"en": why, "ja": why}
        entry.state, entry.reason = "withdrawn", told
        session.add(Step(entry_id=entry.id, state="withdrawn", at=place.now(), reason=told))
        log("entry.withdraw", entry.id, reason=why)
        session.flush()
        return entry_views(session, moment, [entry])[0]


def change_phase(
    place: Place,
    viewer: Viewer,
    slug: str,
    number: int,
    *,
    starts: datetime,
    ends: datetime,
    reason: str,
) -> ContestView:
    """New times of phase `number` (0 the first)."""
    account = viewer.require_organiser()
    why = require_reason(reason)
    with changing(place, viewer, slug) as (session, moment, log):
        lock(session, f"phases:{moment.id}")
        _require_times(moment, number, starts, ends)
        change = PhaseChange(
            contest_id=moment.id,
            place=number,
            starts=naive(starts),
            ends=naive(ends),
            reason=why,
            by_id=account,
            at=place.now(),
        )
        session.add(change)
        old = moment.phases[number]
        log(
            "phase.change",
            f"phase {number}",
            old=[old.starts.isoformat(), old.ends.isoformat()],
            new=[starts.isoformat(), ends.isoformat()],
            reason=why,
        )
    return contest_of(place, viewer, slug)


def require_reason(reason: str) -> str:
    """A reason that says something."""
    why = clean_line(reason, MOST_REASON)
    if not why:
        raise Wrong("a reason is needed", "理由を書いてください")
    return why


def _require_times(moment: Moment, number: int, starts: datetime, ends: datetime) -> None:
    if not 0 <= number < len(moment.phases):
        raise NotFound("there is no such phase", "そのフェーズはありません")
    years = range(2000, 2200)
    if starts.tzinfo is None or ends.tzinfo is None or {starts.year, ends.year} - set(years):
        raise Wrong(
            "times need a time zone and a plausible year",
            "時刻にはタイムゾーンと、現実的な年が必要です",
        )
    if ends <= starts:
        raise Wrong(
            "a phase must end after it starts", "フェーズの終了は開始より後でなければなりません"
        )
    others = [phase for place, phase in enumerate(moment.phases) if place != number]
    if any(starts < phase.ends and phase.starts < ends for phase in others):
        raise Conflict("it would overlap another phase", "別のフェーズと重なります")


def team_views(session: Session, moment: Moment) -> tuple[ConsoleTeamView, ...]:
    """Teams made ready to be shown, by name."""
    members: dict[int, list[str]] = defaultdict(list)
    query = select(Member.team_id, Account.name).join(Account, Account.id == Member.account_id)
    for team_id, name in session.execute(query.order_by(Member.captain.desc(), Account.name)):
        members[team_id].append(name)
    counts = _counts(session, moment)
    standing = Counter(release.team_id for release in published(session, moment))
    teams = session.scalars(select(Team).where(Team.contest_id == moment.id).order_by(Team.name))
    return tuple(
        ConsoleTeamView.of(
            team,
            members=tuple(members[team.id]),
            submissions=counts[team.id, "release"],
            rejected=counts[team.id, "rejected"],
            attacks=counts[team.id, "attack"],
            published=standing[team.id],
        )
        for team in teams
    )


def _counts(session: Session, moment: Moment) -> Counter[tuple[int, str]]:
    found: Counter[tuple[int, str]] = Counter()
    query = select(Entry.team_id, Entry.target_id, Entry.state)
    for team_id, target, state in session.execute(query.where(Entry.contest_id == moment.id)):
        found[team_id, "release" if target is None else "attack"] += 1
        found[team_id, state] += 1
    return found


def entry_views(
    session: Session, moment: Moment, entries: Sequence[Entry]
) -> tuple[ConsoleEntryView, ...]:
    """Entries made ready to be shown."""
    names = team_names(session, moment.id)
    shown = {release.entry for release in published(session, moment)}
    scores = _current_scores(session, [entry.id for entry in entries])
    return tuple(
        ConsoleEntryView.of(
            entry,
            team=names[entry.team_id],
            target=entry.target_id,
            published=entry.id in shown,
            score=ScoreView.of(scores[entry.id]) if entry.id in scores else None,
        )
        for entry in entries
    )


def _current_scores(session: Session, ids: Iterable[str]) -> dict[str, Score]:
    wanted = set(ids)
    query = select(Score).where(Score.current)
    if len(wanted) == 1:
        query = query.where(Score.entry_id.in_(wanted))
    return {row.entry_id: row for row in session.scalars(query) if row.entry_id in wanted}


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
