"""Lists and shows the entries of the viewer's team.

    for entry in list_team_entries(context, viewer, "cup"): ...
    publish_release(context, viewer, "cup", entry.id)

Organisers may look at every entry; for others another team's is NotFound.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.queue import cancel_job as cancel_job
from tokumei.apps.contest.services.contest_state import (
    AuditLogger,
    ContestState,
    OutsidePhaseError,
    read_contest,
    update_contest,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_view_builder import (
    ALL_VIOLATIONS,
    EntryKind,
    build_entry_view,
    load_entry_context,
    query_entries,
)
from tokumei.apps.contest.services.entry_views import EntryView
from tokumei.apps.contest.services.permissions import (
    find_team,
    remaining_quota,
    require_not_banned,
    require_team,
)
from tokumei.apps.contest.services.published_releases import attacked_release_ids
from tokumei.apps.contest.services.validation import NO_ENTRY, find_entry
from tokumei.apps.contest.spec.model import PhaseType as PhaseKind
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.tables import ContestEntry, EntryStateChange, Team
from tokumei.apps.http.errors import Conflict, NotFound, TooManyRequests
from tokumei.core.messages import Message


def list_team_entries(
    context: AppContext, viewer: Viewer, slug: str, *, kind: EntryKind | None = None
) -> tuple[EntryView, ...]:
    """All entries of the viewer's team, the newest first; without faults, steps, history."""
    with read_contest(context, slug) as (session, contest_state):
        team = require_team(session, contest_state, viewer)
        shared = load_entry_context(session, contest_state, viewer)
        entries = query_entries(session, contest_state, team_id=team.id, kind=kind)
        return tuple(build_entry_view(shared, entry, whole=False) for entry in entries)


def get_entry_view(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    entry_id: str,
    *,
    kind: EntryKind | None = None,
    faults: slice | None = ALL_VIOLATIONS,
) -> EntryView:
    """One entry with everything; `faults`: which of them, None: not even looked up."""
    with read_contest(context, slug) as (session, contest_state):
        viewer.require_account()
        entry = find_entry(session, contest_state.id, entry_id, faults=faults is not None)
        team = find_team(session, contest_state.id, viewer)
        mine = team is not None and entry.team_id == team.id
        if not (mine or viewer.organiser) or kind not in (None, entry.kind):
            raise NotFound(NO_ENTRY)
        return build_entry_view(
            load_entry_context(session, contest_state, viewer), entry, faults=faults
        )


def publish_release(context: AppContext, viewer: Viewer, slug: str, entry_id: str) -> EntryView:
    """Choose a scored release to be attacked and ranked, while the anonymize phase lasts."""
    with _change_own_release(context, viewer, slug, entry_id) as (
        session,
        contest_state,
        entry,
        log,
    ):
        if entry.state != "scored":
            raise Conflict("only a scored release can be published")
        team = session.get_one(Team, entry.team_id)
        if (
            entry.published_at is None
            and remaining_quota(session, contest_state, team).published_left < 1
        ):
            most = contest_state.spec.quotas.published
            raise TooManyRequests(
                "your team has published {most} already; take one back first", most=most
            )
        entry.published_at = entry.published_at or context.now()
        log("entry.publish", entry.id)
        session.flush()
        return build_entry_view(load_entry_context(session, contest_state, viewer), entry)


def unpublish_release(context: AppContext, viewer: Viewer, slug: str, entry_id: str) -> EntryView:
    """Take a choice back, while the anonymize phase lasts and nobody attacked it."""
    with _change_own_release(context, viewer, slug, entry_id) as (
        session,
        contest_state,
        entry,
        log,
    ):
        if entry.published_at is None:
            raise Conflict("it is not published")
        if entry.id in attacked_release_ids(session, contest_state.id):
            raise Conflict("it was attacked already, so it stays published")
        entry.published_at = None
        log("entry.unpublish", entry.id)
        session.flush()
        return build_entry_view(load_entry_context(session, contest_state, viewer), entry)


def cancel_entry(context: AppContext, viewer: Viewer, slug: str, entry_id: str) -> EntryView:
    """Take an upload back while it waits; it costs no quota."""
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        entry = _require_own_entry(session, contest_state, viewer, entry_id)
        if entry.state not in ("received", "queued") or not cancel_job(session, entry.id):
            raise Conflict("it can no longer be cancelled: it is being judged or done")
        reason = Message("cancelled by its team").texts()
        entry.state, entry.reason = "cancelled", reason
        session.add(
            EntryStateChange(entry_id=entry.id, state="cancelled", at=context.now(), reason=reason)
        )
        log("entry.cancel", entry.id)
        session.flush()
        return build_entry_view(load_entry_context(session, contest_state, viewer), entry)


@contextmanager
def _change_own_release(
    context: AppContext, viewer: Viewer, slug: str, entry_id: str
) -> Iterator[tuple[Session, ContestState, ContestEntry, AuditLogger]]:
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        entry = _require_own_entry(session, contest_state, viewer, entry_id)
        team = session.get_one(Team, entry.team_id)
        lock_subject(session, f"team:{team.id}")
        require_not_banned(team)
        if entry.target_id is not None:
            raise NotFound(NO_ENTRY)
        if contest_state.releases_over:
            raise OutsidePhaseError("the choice is final: the anonymize phase is over")
        if not contest_state.is_open(PhaseKind.ANONYMIZE):
            raise OutsidePhaseError("releases are chosen only while an anonymize phase is open")
        yield session, contest_state, entry, log


def _require_own_entry(
    session: Session, contest_state: ContestState, viewer: Viewer, entry_id: str
) -> ContestEntry:
    team = require_team(session, contest_state, viewer)
    entry = find_entry(session, contest_state.id, entry_id)
    if entry.team_id != team.id:
        raise NotFound(NO_ENTRY)
    return entry
