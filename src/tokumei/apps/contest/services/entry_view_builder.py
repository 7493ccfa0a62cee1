"""Builds view models of entries.

view = build_entry_view(place, session, moment, viewer, entry)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session, defer

from tokumei.apps.contest.jobs.queue import queue_position
from tokumei.apps.contest.services.contest_state import ContestState
from tokumei.apps.contest.services.context import Viewer
from tokumei.apps.contest.services.entry_views import (
    AttackResultView,
    EntryView,
    ReceivedAttackView,
    ScoreView,
    StateChangeView,
    ViolationView,
)
from tokumei.apps.contest.services.published_releases import (
    attacked_release_ids,
    list_published_releases,
    team_names,
)
from tokumei.apps.contest.services.score_visibility import (
    AttackFeedback,
    ScoredAttack,
    load_scored_attacks,
    visibility_for,
)
from tokumei.apps.contest.spec.model import PhaseType as PhaseKind
from tokumei.apps.contest.store.database import MessageColumn, StoredViolation
from tokumei.apps.contest.store.tables import (
    ContestEntry,
    EntryScore,
    EntryStateChange,
    JudgingJob,
    UserAccount,
)
from tokumei.core.messages import Message

EntryKind = Literal["release", "attack"]
ALL_VIOLATIONS = slice(None)
_WAITING_STATES = ("received", "queued")


@dataclass(frozen=True)
class EntryContext:
    """What all entries of one answer share."""

    session: Session
    moment: ContestState
    viewer: Viewer
    feedback: AttackFeedback
    names: dict[int, str]
    accounts: dict[int, str]
    published: frozenset[str]
    attacked: set[str]
    visible: dict[int, str]
    attacks: dict[str | None, list[ScoredAttack]]


def load_entry_context(
    session: Session, contest_state: ContestState, viewer: Viewer
) -> EntryContext:
    """Look up once what entries need."""
    attacks: dict[str | None, list[ScoredAttack]] = defaultdict(list)
    for attack in load_scored_attacks(session, contest_state.id):
        attacks[attack.target].append(attack)
    return EntryContext(
        session,
        contest_state,
        viewer,
        AttackFeedback(contest_state, exact=viewer.organiser),
        team_names(session, contest_state.id),
        {
            number: name
            for number, name in session.execute(select(UserAccount.id, UserAccount.name))
        },
        frozenset(release.entry for release in list_published_releases(session, contest_state)),
        attacked_release_ids(session, contest_state.id),
        team_names(session, contest_state.id, visible=True),
        attacks,
    )


def query_entries(
    session: Session,
    contest_state: ContestState,
    *,
    team_id: int | None = None,
    kind: EntryKind | None = None,
) -> Sequence[ContestEntry]:
    """Entries without their faults, the newest first."""
    query = (
        select(ContestEntry)
        .options(defer(ContestEntry.faults))
        .where(ContestEntry.contest_id == contest_state.id)
    )
    if team_id is not None:
        query = query.where(ContestEntry.team_id == team_id)
    if kind is not None:
        is_release = ContestEntry.target_id.is_(None)
        query = query.where(is_release if kind == "release" else ~is_release)
    return session.scalars(query.order_by(ContestEntry.received_at.desc(), ContestEntry.id)).all()


def build_entry_view(
    shared: EntryContext,
    entry: ContestEntry,
    *,
    whole: bool = True,
    faults: slice | None = ALL_VIOLATIONS,
    notes: Sequence[Message] = (),
) -> EntryView:
    """An entry as its team sees it; not `whole`: without faults, steps and history."""
    session, contest_state = shared.session, shared.moment
    scores = _score_views(session, entry.id)
    job = _first_job(session, entry.id)
    release = entry.target_id is None
    score_visible = release or shared.feedback.hidden_until(entry.received_at) is None
    undecided = release and entry.state == "scored" and not contest_state.releases_over
    choosing = undecided and contest_state.is_open(PhaseKind.ANONYMIZE)
    return EntryView.of(
        entry,
        team=shared.names[entry.team_id],
        by=shared.accounts[entry.account_id],
        target=entry.target_id,
        target_team=_target_team_name(shared, entry),
        reason=parse_stored_message(entry.reason),
        faults=_violation_views(entry, faults) if whole and faults is not None else (),
        queue_position=queue_position(session, entry.id)
        if entry.state in _WAITING_STATES
        else None,
        progress=job.progress if job is not None and entry.state == "running" else None,
        attempts=job.attempts if job is not None else 0,
        steps=_state_change_views(session, entry.id) if whole else (),
        score=next((score for score in scores if score.current), None) if score_visible else None,
        history=tuple(scores) if score_visible and whole else (),
        found=None if release else _attack_result_view(shared, entry, scores),
        attacked=_received_attack_views(shared, entry),
        published=entry.id in shared.published or bool(undecided and entry.published_at),
        can_publish=choosing and entry.published_at is None,
        can_unpublish=choosing
        and entry.published_at is not None
        and entry.id not in shared.attacked,
        can_cancel=entry.state in _WAITING_STATES,
        notes=tuple(notes),
    )


def build_violation_view(fault: StoredViolation) -> ViolationView:
    """A fault as tables keep it, made ready to be shown."""
    return ViolationView(
        rule=fault["rule"],
        message=Message.of_json(fault, "message"),
        line=fault["line"],
        column=fault["column"],
    )


def _violation_views(entry: ContestEntry, selection: slice) -> tuple[ViolationView, ...]:
    return tuple(map(build_violation_view, (entry.faults or [])[selection]))


def parse_stored_message(stored: MessageColumn | None) -> Message | None:
    """A sentence as tables keep it."""
    return None if stored is None else Message.of_texts(stored)


def _score_views(session: Session, entry_id: str) -> list[ScoreView]:
    query = select(EntryScore).where(EntryScore.entry_id == entry_id).order_by(EntryScore.id.desc())
    return [ScoreView.of(row) for row in session.scalars(query)]


def _first_job(session: Session, entry_id: str) -> JudgingJob | None:
    query = select(JudgingJob).where(JudgingJob.entry_id == entry_id, JudgingJob.run == "")
    return session.scalars(query).first()


def _state_change_views(session: Session, entry_id: str) -> tuple[StateChangeView, ...]:
    query = (
        select(EntryStateChange)
        .where(EntryStateChange.entry_id == entry_id)
        .order_by(EntryStateChange.id)
    )
    return tuple(
        StateChangeView.of(row, reason=parse_stored_message(row.reason))
        for row in session.scalars(query)
    )


def _target_team_name(shared: EntryContext, entry: ContestEntry) -> str | None:
    if entry.target_id is None:
        return None
    return shared.names[shared.session.get_one(ContestEntry, entry.target_id).team_id]


def _attack_result_view(
    shared: EntryContext, entry: ContestEntry, scores: list[ScoreView]
) -> AttackResultView | None:
    current = next((score for score in scores if score.current), None)
    if current is None or entry.state != "scored":
        return None
    return shared.feedback.told(entry.received_at, current.safety, current.unsafe)


def _received_attack_views(
    shared: EntryContext, entry: ContestEntry
) -> tuple[ReceivedAttackView, ...]:
    """What others found in a release, if attacks may be seen at all."""
    if not visibility_for(shared.moment, shared.viewer).attacks:
        return ()
    attacks_by_team: dict[str | None, list[ScoredAttack]] = defaultdict(list)
    for attack in shared.attacks.get(entry.id, ()):
        name_visible = shared.viewer.organiser or attack.team_id in shared.visible
        attacks_by_team[attack.attacker if name_visible else None].append(attack)
    views = [
        ReceivedAttackView(attacker=name, attempts=len(attacks), found=best)
        for name, attacks in attacks_by_team.items()
        if (best := shared.feedback.best(attacks)) is not None
    ]
    return tuple(sorted(views, key=lambda view: view.attacker or ""))
