"""Entries of one's own team.

    for entry in my_entries(place, viewer, "cup"): ...
    publish(place, viewer, "cup", entry.id)

Organisers may look at every entry; for others another team's is NotFound.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from tokumei.contest.desk.entry_rows import ALL, Kind, beside, entries_of, entry_view
from tokumei.contest.desk.entry_views import EntryView
from tokumei.contest.desk.membership import quota_of, require_playing, require_team, team_of
from tokumei.contest.desk.moment import Late, Log, Moment, changing, looking
from tokumei.contest.desk.names import NO_ENTRY, find_entry
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import attacked_releases
from tokumei.contest.jobs.queue import cancel as cancel_job
from tokumei.contest.spec.model import Kind as PhaseKind
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Entry, Step, Team
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotFound, TooMany


def my_entries(
    place: Place, viewer: Viewer, slug: str, *, kind: Kind | None = None
) -> tuple[EntryView, ...]:
    """All entries of the viewer's team, the newest first; without faults, steps, history."""
    with looking(place, slug) as (session, moment):
        team = require_team(session, moment, viewer)
        shared = beside(session, moment, viewer)
        found = entries_of(session, moment, team_id=team.id, kind=kind)
        return tuple(entry_view(shared, entry, whole=False) for entry in found)


def entry_of(
    place: Place,
    viewer: Viewer,
    slug: str,
    entry_id: str,
    *,
    kind: Kind | None = None,
    faults: slice | None = ALL,
) -> EntryView:
    """One entry with everything; `faults`: which of them, None: not even looked up."""
    with looking(place, slug) as (session, moment):
        viewer.require_account()
        entry = find_entry(session, moment.id, entry_id, faults=faults is not None)
        team = team_of(session, moment.id, viewer)
        mine = team is not None and entry.team_id == team.id
        if not (mine or viewer.organiser) or kind not in (None, entry.kind):
            raise NotFound(NO_ENTRY)
        return entry_view(beside(session, moment, viewer), entry, faults=faults)


def publish(place: Place, viewer: Viewer, slug: str, entry_id: str) -> EntryView:
    """Choose a scored release to be attacked and ranked, while the anonymize phase lasts."""
    with _own_release(place, viewer, slug, entry_id) as (session, moment, entry, log):
        if entry.state != "scored":
            raise Conflict(
                "only a scored release can be published", "採点済みの提出だけを公開できます"
            )
        team = session.get_one(Team, entry.team_id)
        if entry.published_at is None and quota_of(session, moment, team).published_left < 1:
            most = moment.spec.quotas.published
            raise TooMany(
                f"your team has published {most} already; take one back first",
                f"すでに {most} 件を公開しています。先に一つ取り消してください",
            )
        entry.published_at = entry.published_at or place.now()
        log("entry.publish", entry.id)
        session.flush()
        return entry_view(beside(session, moment, viewer), entry)


def unpublish(place: Place, viewer: Viewer, slug: str, entry_id: str) -> EntryView:
    """Take a choice back, while the anonymize phase lasts and nobody attacked it."""
    with _own_release(place, viewer, slug, entry_id) as (session, moment, entry, log):
        if entry.published_at is None:
            raise Conflict("it is not published", "公開されていません")
        if entry.id in attacked_releases(session, moment.id):
            raise Conflict(
                "it was attacked already, so it stays published",
                "すでに攻撃を受けたため、公開をやめられません",
            )
        entry.published_at = None
        log("entry.unpublish", entry.id)
        session.flush()
        return entry_view(beside(session, moment, viewer), entry)


def cancel(place: Place, viewer: Viewer, slug: str, entry_id: str) -> EntryView:
    """Take an upload back while it waits; it costs no quota."""
    with changing(place, viewer, slug) as (session, moment, log):
        entry = _own(session, moment, viewer, entry_id)
        if entry.state not in ("received", "queued") or not cancel_job(session, entry.id):
            raise Conflict(
                "it cannot be cancelled any more: it is being judged, or done",
                "採点中か採点済みのため、取り消せません",
            )
        reason = Text("cancelled by its team", "チームが取り消しました")
        entry.state, entry.reason = "cancelled", reason._asdict()
        session.add(
            Step(entry_id=entry.id, state="cancelled", at=place.now(), reason=reason._asdict())
        )
        log("entry.cancel", entry.id)
        session.flush()
        return entry_view(beside(session, moment, viewer), entry)


@contextmanager
def _own_release(
    place: Place, viewer: Viewer, slug: str, entry_id: str
) -> Iterator[tuple[Session, Moment, Entry, Log]]:
    with changing(place, viewer, slug) as (session, moment, log):
        entry = _own(session, moment, viewer, entry_id)
        team = session.get_one(Team, entry.team_id)
        lock(session, f"team:{team.id}")
        require_playing(team)
        if entry.target_id is not None:
            raise NotFound(NO_ENTRY)
        if moment.releases_over:
            raise Late(
                "the choice is final: the anonymize phase is over",
                "匿名加工フェーズが終わったため、選択は変えられません",
            )
        if not moment.is_open(PhaseKind.ANONYMIZE):
            raise Late(
                "releases are chosen only while an anonymize phase is open",
                "公開するものを選べるのは、匿名加工フェーズの間だけです",
            )
        yield session, moment, entry, log


def _own(session: Session, moment: Moment, viewer: Viewer, entry_id: str) -> Entry:
    team = require_team(session, moment, viewer)
    entry = find_entry(session, moment.id, entry_id)
    if entry.team_id != team.id:
        raise NotFound(NO_ENTRY)
    return entry
