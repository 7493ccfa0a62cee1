"""Team membership, permissions and quotas.

A day is the last 24 hours, an hour the last 60 minutes: no zone, no rush at midnight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.contest_state import ContestState, record_audit
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.view_models import QuotaView
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.store.database import lock_subject, to_aware_utc, to_naive_utc
from tokumei.apps.contest.store.tables import AuditRecord, Contest, ContestEntry, Team, TeamMember
from tokumei.apps.http.errors import Conflict, Forbidden, TooManyRequests
from tokumei.core.messages import Message

FREE_STATES = ("rejected", "failed", "cancelled")
"""States that cost neither submissions nor attempts."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
UPLOADS_USED = Message(
    "your team has used its {most} uploads per hour; the next is possible in {minutes} min"
)
REJECTED_USED = Message(
    "your team has used its {most} rejected uploads per hour; the next is possible in {minutes} min"
)
SUBMISSIONS_OF_DAY_USED = Message(
    "your team has used its {most} submissions in 24 hours; the next is possible in {minutes} min"
)
SUBMISSIONS_USED = Message("your team has used all {most} submissions")
ATTEMPTS_USED = Message("your team has used all {most} attempts on this target")


def find_team(session: Session, contest_id: int, viewer: Viewer) -> Team | None:
    """The viewer's team in a contest."""
    if viewer.account_id is None:
        return None
    query = (
        select(Team)
        .join(TeamMember, TeamMember.team_id == Team.id)
        .where(Team.contest_id == contest_id, TeamMember.account_id == viewer.account_id)
    )
    return session.scalars(query).first()


def require_team(session: Session, contest_state: ContestState, viewer: Viewer) -> Team:
    """The viewer's team; refuses visitors and people without one."""
    viewer.require_account()
    team = find_team(session, contest_state.id, viewer)
    if team is None:
        raise Forbidden("you are in no team of this contest; create one or join one first")
    return team


def require_not_banned(team: Team) -> None:
    """Refuse a banned team."""
    if team.banned:
        raise Forbidden("your team was banned: {reason}", reason=team.reason)


def require_member_or_organiser(
    session: Session, contest_state: ContestState, viewer: Viewer
) -> Team | None:
    """Refuse all but organisers (None) and members of teams that are not banned."""
    if viewer.organiser:
        return None
    team = require_team(session, contest_state, viewer)
    require_not_banned(team)
    return team


def require_no_team(session: Session, contest_id: int, viewer: Viewer) -> int:
    """Refuse organisers, who see everything, and people who have a team."""
    account = viewer.require_account()
    if viewer.organiser:
        raise Forbidden("organisers see every upload, so they cannot be in a team")
    if find_team(session, contest_id, viewer) is not None:
        raise Conflict("you are in a team of this contest already")
    return account


def require_no_earlier_team(session: Session, contest_id: int, account: int) -> None:
    """Refuse a second team of the same founder: an invitation is good for one team's quotas."""
    query = select(AuditRecord.id).where(
        AuditRecord.contest_id == contest_id,
        AuditRecord.account_id == account,
        AuditRecord.action == "team.new",
    )
    if session.scalars(query).first() is not None:
        raise Conflict("you have created a team of this contest before; join a team with its code")


def has_uploaded(session: Session, team_id: int) -> bool:
    """Whether a team has sent anything: from then on its members know its secrets."""
    return (
        session.scalars(select(ContestEntry.id).where(ContestEntry.team_id == team_id)).first()
        is not None
    )


def add_member(
    context: AppContext, session: Session, team: Team, viewer: Viewer, *, captain: bool = False
) -> None:
    """Put somebody into a team, if there is room."""
    lock_subject(session, f"account:{viewer.account_id}")
    lock_subject(session, f"team:{team.id}")
    account = require_no_team(session, team.contest_id, viewer)
    require_not_banned(team)
    _require_never_in_rival_team(session, team, account)
    most = ContestSpec.model_validate(session.get_one(Contest, team.contest_id).spec).quotas.members
    member_count = session.scalar(select(func.count()).where(TeamMember.team_id == team.id)) or 0
    if member_count >= most:
        raise Conflict("the team is full ({most} members)", most=most)
    session.add(TeamMember(team_id=team.id, account_id=account, captain=captain))
    session.flush()
    subject = f"team {team.id}"
    record_audit(context, session, viewer, "team.join", subject=subject, contest_id=team.contest_id)


def _require_never_in_rival_team(session: Session, team: Team, account: int) -> None:
    """Refuse somebody who was sent away from another team after it had uploaded."""
    query = select(AuditRecord).where(
        AuditRecord.contest_id == team.contest_id, AuditRecord.action == "team.leave"
    )
    for departure in session.scalars(query):
        elsewhere = departure.subject != f"team {team.id}"
        if (
            elsewhere
            and departure.details["account"] == account
            and departure.details.get("uploaded")
        ):
            raise Forbidden("you were in another team when it uploaded, so you cannot change teams")


@dataclass(frozen=True)
class UploadUse:
    """An upload as far as quotas go."""

    at: datetime
    target: str | None
    costs: bool
    rejected: bool = False


def load_upload_uses(session: Session, team_id: int) -> list[UploadUse]:
    """All uploads of a team, the oldest first."""
    query = select(ContestEntry.received_at, ContestEntry.target_id, ContestEntry.state)
    rows = session.execute(
        query.where(ContestEntry.team_id == team_id).order_by(ContestEntry.received_at)
    )
    return [
        UploadUse(at, target, state not in FREE_STATES, state == "rejected")
        for at, target, state in rows
    ]


def remaining_quota(session: Session, contest_state: ContestState, team: Team) -> QuotaView:
    """What a team may still do."""
    allowed, now = contest_state.spec.quotas, to_naive_utc(contest_state.now)
    uses = load_upload_uses(session, team.id)
    releases = [use.at for use in uses if use.costs and use.target is None]
    query = select(ContestEntry.id).where(
        ContestEntry.team_id == team.id, ContestEntry.published_at.is_not(None)
    )
    published = len(session.scalars(query.where(ContestEntry.state == "scored")).all())
    uploads = [use.at for use in uses]
    rejected = [use.at for use in uses if use.rejected]
    free_at = [
        _next_free_time(rejected, allowed.rejected_per_hour, HOUR, now),
        _next_free_time(uploads, allowed.uploads_per_hour, HOUR, now),
        _next_free_time(releases, allowed.submissions_per_day, DAY, now),
    ]
    waits = [at for at in free_at if at is not None]
    return QuotaView(
        submissions_left=max(0, allowed.submissions - len(releases)),
        submissions_left_today=max(
            0, allowed.submissions_per_day - _count_since(releases, now - DAY)
        ),
        uploads_left_this_hour=max(0, allowed.uploads_per_hour - _count_since(uploads, now - HOUR)),
        rejected_left_this_hour=max(
            0, allowed.rejected_per_hour - _count_since(rejected, now - HOUR)
        ),
        published_left=max(0, allowed.published - published),
        next_upload_at=to_aware_utc(max(waits)) if waits else None,
    )


def count_attempts(uses: Sequence[UploadUse], target: str) -> int:
    """How many attempts on a target were used."""
    return sum(use.costs and use.target == target for use in uses)


def require_quota(
    session: Session,
    contest_state: ContestState,
    team: Team,
    *,
    target: str | None,
    costs: bool = True,
) -> None:
    """Refuse an upload beyond the quotas; one without `costs` (rejected) only by the hour."""
    allowed, now = contest_state.spec.quotas, to_naive_utc(contest_state.now)
    uses = load_upload_uses(session, team.id)
    _require_rate_left([use.at for use in uses], allowed.uploads_per_hour, HOUR, now, UPLOADS_USED)
    rejected = [use.at for use in uses if use.rejected]
    _require_rate_left(rejected, allowed.rejected_per_hour, HOUR, now, REJECTED_USED)
    if not costs:
        return
    if target is not None:
        _require_total_left(
            count_attempts(uses, target), allowed.attempts_per_target, ATTEMPTS_USED
        )
        return
    releases = [use.at for use in uses if use.costs and use.target is None]
    _require_total_left(len(releases), allowed.submissions, SUBMISSIONS_USED)
    _require_rate_left(releases, allowed.submissions_per_day, DAY, now, SUBMISSIONS_OF_DAY_USED)


def _require_total_left(used: int, most: int, reason: Message) -> None:
    if used >= most:
        raise TooManyRequests(reason.fill(most=most))


def _require_rate_left(
    timestamps: Sequence[datetime], most: int, span: timedelta, now: datetime, reason: Message
) -> None:
    free_at = _next_free_time(timestamps, most, span, now)
    if free_at is None:
        return
    wait = math.ceil((free_at - now).total_seconds())
    minutes = math.ceil(wait / 60)
    raise TooManyRequests(reason.fill(most=most, minutes=minutes), retry_after=wait)


def _count_since(timestamps: Sequence[datetime], since: datetime) -> int:
    return sum(timestamp > since for timestamp in timestamps)


def _next_free_time(
    timestamps: Sequence[datetime], most: int, span: timedelta, now: datetime
) -> datetime | None:
    """When there is room again; None if there is."""
    recent = [timestamp for timestamp in timestamps if timestamp > now - span]
    return None if len(recent) < most else recent[-most] + span
