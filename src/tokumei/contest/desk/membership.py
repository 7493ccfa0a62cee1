"""Who is in which team, may do what, and how much a team may still do.

A day is the last 24 hours, an hour the last 60 minutes: no zone, no rush at midnight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import Moment, record
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.views import QuotaView
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.store.database import aware, lock, naive
from tokumei.contest.store.tables import Audit, Contest, Entry, Member, Team
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotAllowed, TooMany

FREE = ("rejected", "failed", "cancelled")
"""States that cost neither submissions nor attempts."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
UPLOADS = Text("uploads per hour", "1 時間あたりのアップロード")
REJECTED = Text("rejected uploads per hour", "1 時間あたりの不受理")
ATTEMPTS = Text("attempts on this target", "この対象への攻撃")
SUBMISSIONS = Text("submissions in 24 hours", "24 時間あたりの提出")


def team_of(session: Session, contest_id: int, viewer: Viewer) -> Team | None:
    """The viewer's team in a contest."""
    if viewer.account_id is None:
        return None
    query = (
        select(Team)
        .join(Member, Member.team_id == Team.id)
        .where(Team.contest_id == contest_id, Member.account_id == viewer.account_id)
    )
    return session.scalars(query).first()


def require_team(session: Session, moment: Moment, viewer: Viewer) -> Team:
    """The viewer's team; refuses visitors and people without one."""
    viewer.require_account()
    found = team_of(session, moment.id, viewer)
    if found is None:
        raise NotAllowed(
            "you are in no team of this contest; create one or join one first",
            "このコンテストのチームに入っていません。先にチームを作るか参加してください",
        )
    return found


def require_playing(team: Team) -> None:
    """Refuse a banned team."""
    if team.banned:
        raise NotAllowed(
            f"your team was banned: {team.reason}", f"チームは参加を停止されています: {team.reason}"
        )


def require_insider(session: Session, moment: Moment, viewer: Viewer) -> Team | None:
    """Refuse all but organisers (None) and members of teams that are not banned."""
    if viewer.organiser:
        return None
    team = require_team(session, moment, viewer)
    require_playing(team)
    return team


def require_free(session: Session, contest_id: int, viewer: Viewer) -> int:
    """Refuse organisers, who see everything, and people who have a team."""
    account = viewer.require_account()
    if viewer.organiser:
        raise NotAllowed(
            "organisers see every upload, so they cannot be in a team",
            "主催者はすべての提出を見られるため、チームに入れません",
        )
    if team_of(session, contest_id, viewer) is not None:
        raise Conflict(
            "you are in a team of this contest already",
            "すでにこのコンテストのチームに入っています",
        )
    return account


def require_first_team(session: Session, contest_id: int, account: int) -> None:
    """Refuse a second team of the same founder: an invitation is good for one team's quotas."""
    query = select(Audit.id).where(
        Audit.contest_id == contest_id, Audit.account_id == account, Audit.action == "team.new"
    )
    if session.scalars(query).first() is not None:
        raise Conflict(
            "you have created a team of this contest before; join a team with its code",
            "このコンテストのチームはすでに一度作っています。招待コードでチームに参加してください",
        )


def has_uploaded(session: Session, team_id: int) -> bool:
    """Whether a team has sent anything: from then on its members know its secrets."""
    return session.scalars(select(Entry.id).where(Entry.team_id == team_id)).first() is not None


def add_member(
    place: Place, session: Session, team: Team, viewer: Viewer, *, captain: bool = False
) -> None:
    """Put somebody into a team, if there is room."""
    lock(session, f"account:{viewer.account_id}")
    lock(session, f"team:{team.id}")
    account = require_free(session, team.contest_id, viewer)
    require_playing(team)
    _require_no_other_secrets(session, team, account)
    most = ContestSpec.model_validate(session.get_one(Contest, team.contest_id).spec).quotas.members
    held = session.scalar(select(func.count()).where(Member.team_id == team.id)) or 0
    if held >= most:
        raise Conflict(f"the team is full ({most} members)", f"チームは満員です ({most} 人)")
    session.add(Member(team_id=team.id, account_id=account, captain=captain))
    session.flush()
    subject = f"team {team.id}"
    record(place, session, viewer, "team.join", subject=subject, contest_id=team.contest_id)


def _require_no_other_secrets(session: Session, team: Team, account: int) -> None:
    """Refuse somebody who was sent away from another team after it had uploaded."""
    query = select(Audit).where(Audit.contest_id == team.contest_id, Audit.action == "team.leave")
    for left in session.scalars(query):
        elsewhere = left.subject != f"team {team.id}"
        if elsewhere and left.details["account"] == account and left.details.get("uploaded"):
            raise NotAllowed(
                "you were in another team when it uploaded, so you cannot change sides",
                "提出を済ませた別のチームにいたため、ほかのチームには移れません",
            )


@dataclass(frozen=True)
class Use:
    """An upload as far as quotas go."""

    at: datetime
    target: str | None
    costs: bool
    rejected: bool = False


def uses_of(session: Session, team_id: int) -> list[Use]:
    """All uploads of a team, the oldest first."""
    query = select(Entry.received_at, Entry.target_id, Entry.state)
    rows = session.execute(query.where(Entry.team_id == team_id).order_by(Entry.received_at))
    return [Use(at, to, state not in FREE, state == "rejected") for at, to, state in rows]


def quota_of(session: Session, moment: Moment, team: Team) -> QuotaView:
    """What a team may still do."""
    allowed, now = moment.spec.quotas, naive(moment.now)
    uses = uses_of(session, team.id)
    releases = [use.at for use in uses if use.costs and use.target is None]
    query = select(Entry.id).where(Entry.team_id == team.id, Entry.published_at.is_not(None))
    published = len(session.scalars(query.where(Entry.state == "scored")).all())
    uploads = [use.at for use in uses]
    rejected = [use.at for use in uses if use.rejected]
    free_at = [
        _free_at(rejected, allowed.rejected_per_hour, HOUR, now),
        _free_at(uploads, allowed.uploads_per_hour, HOUR, now),
        _free_at(releases, allowed.submissions_per_day, DAY, now),
    ]
    waits = [at for at in free_at if at is not None]
    return QuotaView(
        submissions_left=max(0, allowed.submissions - len(releases)),
        submissions_left_today=max(0, allowed.submissions_per_day - _since(releases, now - DAY)),
        uploads_left_this_hour=max(0, allowed.uploads_per_hour - _since(uploads, now - HOUR)),
        rejected_left_this_hour=max(0, allowed.rejected_per_hour - _since(rejected, now - HOUR)),
        published_left=max(0, allowed.published - published),
        next_upload_at=aware(max(waits)) if waits else None,
    )


def attempts_on(uses: Sequence[Use], target: str) -> int:
    """How many attempts on a target were used."""
    return sum(use.costs and use.target == target for use in uses)


def require_quota(
    session: Session, moment: Moment, team: Team, *, target: str | None, costs: bool = True
) -> None:
    """Refuse an upload beyond the quotas; one without `costs` (rejected) only by the hour."""
    allowed, now = moment.spec.quotas, naive(moment.now)
    uses = uses_of(session, team.id)
    _require_rate([use.at for use in uses], allowed.uploads_per_hour, HOUR, now, UPLOADS)
    rejected = [use.at for use in uses if use.rejected]
    _require_rate(rejected, allowed.rejected_per_hour, HOUR, now, REJECTED)
    if not costs:
        return
    if target is not None:
        _require_count(attempts_on(uses, target), allowed.attempts_per_target, ATTEMPTS)
        return
    releases = [use.at for use in uses if use.costs and use.target is None]
    _require_count(len(releases), allowed.submissions, Text("submissions", "提出"))
    _require_rate(releases, allowed.submissions_per_day, DAY, now, SUBMISSIONS)


def _require_count(used: int, most: int, what: Text) -> None:
    if used >= most:
        raise TooMany(
            f"your team has used all {most} {what.en}",
            f"チームは{what.ja} {most} 回を使い切りました",
        )


def _require_rate(
    at: Sequence[datetime], most: int, span: timedelta, now: datetime, what: Text
) -> None:
    free = _free_at(at, most, span, now)
    if free is None:
        return
    wait = math.ceil((free - now).total_seconds())
    minutes = math.ceil(wait / 60)
    raise TooMany(
        f"your team has used its {most} {what.en}; the next is possible in {minutes} min",
        f"チームは{what.ja} {most} 回を使い切りました。次は約 {minutes} 分後に可能です",
        retry_after=wait,
    )


def _since(at: Sequence[datetime], begin: datetime) -> int:
    return sum(moment > begin for moment in at)


def _free_at(at: Sequence[datetime], most: int, span: timedelta, now: datetime) -> datetime | None:
    """When there is room again; None if there is."""
    recent = [moment for moment in at if moment > now - span]
    return None if len(recent) < most else recent[-most] + span
