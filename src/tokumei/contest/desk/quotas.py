"""How much a team may still do.

    quota_of(session, moment, team)
    require_quota(session, moment, team, target=None)        # TooMany, with the time to wait

A day is the last 24 hours, an hour the last 60 minutes: no zone, no rush at midnight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.views import QuotaView
from tokumei.contest.store.database import aware, naive
from tokumei.contest.store.tables import Entry, Team
from tokumei.core.text import Text
from tokumei.http.refusals import TooMany

FREE = ("rejected", "failed", "cancelled")
"""States that cost neither submissions nor attempts."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
UPLOADS = Text("uploads per hour", "1 時間あたりのアップロード")
REJECTED = Text("rejected uploads per hour", "1 時間あたりの不受理")
ATTEMPTS = Text("attempts on this target", "この対象への攻撃")
SUBMISSIONS = Text("submissions in 24 hours", "24 時間あたりの提出")


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
