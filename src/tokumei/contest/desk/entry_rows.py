"""Entries made ready to be shown.

view = entry_view(place, session, moment, viewer, entry)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session, defer

from tokumei.contest.desk.entry_views import (
    AttackedView,
    EntryView,
    FaultView,
    FoundView,
    ScoreView,
    StepView,
)
from tokumei.contest.desk.feedback import AttackFeedback, ScoredAttack, scored_attacks, sight_of
from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.place import Viewer
from tokumei.contest.desk.published import attacked_releases, published, team_names
from tokumei.contest.jobs.queue import position
from tokumei.contest.spec.model import Kind as PhaseKind
from tokumei.contest.store.tables import Account, Entry, Job, Score, Step
from tokumei.core.text import Text

Kind = Literal["release", "attack"]
ALL = slice(None)
HIDDEN_TEAM = "(hidden team / 非公開のチーム)"
"""In place of the name of an attacker who is hidden from boards."""
_WAITING = ("received", "queued")


@dataclass(frozen=True)
class Beside:
    """What all entries of one answer share."""

    session: Session
    moment: Moment
    viewer: Viewer
    feedback: AttackFeedback
    names: dict[int, str]
    accounts: dict[int, str]
    published: frozenset[str]
    attacked: set[str]
    visible: dict[int, str]
    attacks: dict[str | None, list[ScoredAttack]]


def beside(session: Session, moment: Moment, viewer: Viewer) -> Beside:
    """Look up once what entries need."""
    attacks: dict[str | None, list[ScoredAttack]] = defaultdict(list)
    for attack in scored_attacks(session, moment.id):
        attacks[attack.target].append(attack)
    return Beside(
        session,
        moment,
        viewer,
        AttackFeedback(moment, exact=viewer.organiser),
        team_names(session, moment.id),
        {number: name for number, name in session.execute(select(Account.id, Account.name))},
        frozenset(release.entry for release in published(session, moment)),
        attacked_releases(session, moment.id),
        team_names(session, moment.id, visible=True),
        attacks,
    )


def entries_of(
    session: Session, moment: Moment, *, team_id: int | None = None, kind: Kind | None = None
) -> Sequence[Entry]:
    """Entries without their faults, the newest first."""
    query = select(Entry).options(defer(Entry.faults)).where(Entry.contest_id == moment.id)
    if team_id is not None:
        query = query.where(Entry.team_id == team_id)
    if kind is not None:
        is_release = Entry.target_id.is_(None)
        query = query.where(is_release if kind == "release" else ~is_release)
    return session.scalars(query.order_by(Entry.received_at.desc(), Entry.id)).all()


def entry_view(
    shared: Beside,
    entry: Entry,
    *,
    whole: bool = True,
    faults: slice | None = ALL,
    notes: Sequence[Text] = (),
) -> EntryView:
    """An entry as its team sees it; not `whole`: without faults, steps and history."""
    session, moment = shared.session, shared.moment
    scores = _scores(session, entry.id)
    job = _job(session, entry.id)
    release = entry.target_id is None
    told = release or shared.feedback.waits_until(entry.received_at) is None
    undecided = release and entry.state == "scored" and not moment.releases_over
    choosing = undecided and moment.is_open(PhaseKind.ANONYMIZE)
    return EntryView.of(
        entry,
        team=shared.names[entry.team_id],
        by=shared.accounts[entry.account_id],
        target=entry.target_id,
        target_team=_target_team(shared, entry),
        reason=words(entry.reason),
        faults=_faults(entry, faults) if whole and faults is not None else (),
        queue_position=position(session, entry.id) if entry.state in _WAITING else None,
        progress=job.progress if job is not None and entry.state == "running" else None,
        attempts=job.attempts if job is not None else 0,
        steps=_steps(session, entry.id) if whole else (),
        score=next((score for score in scores if score.current), None) if told else None,
        history=tuple(scores) if told and whole else (),
        found=None if release else _found(shared, entry, scores),
        attacked=_attacked(shared, entry),
        published=entry.id in shared.published or bool(undecided and entry.published_at),
        can_publish=choosing and entry.published_at is None,
        can_unpublish=choosing
        and entry.published_at is not None
        and entry.id not in shared.attacked,
        can_cancel=entry.state in _WAITING,
        notes=tuple(notes),
    )


def fault_view(fault: dict[str, Any]) -> FaultView:
    """A fault as tables keep it, made ready to be shown."""
    return FaultView(
        rule=fault["rule"],
        message=Text(fault["message_en"], fault["message_ja"]),
        line=fault["line"],
        column=fault["column"],
    )


def _faults(entry: Entry, which: slice) -> tuple[FaultView, ...]:
    return tuple(map(fault_view, (entry.faults or [])[which]))


def words(kept: dict[str, Any] | None) -> Text | None:
    """A sentence as tables keep it."""
    return None if kept is None else Text(kept["en"], kept["ja"])


def _scores(session: Session, entry_id: str) -> list[ScoreView]:
    query = select(Score).where(Score.entry_id == entry_id).order_by(Score.id.desc())
    return [ScoreView.of(row) for row in session.scalars(query)]


def _job(session: Session, entry_id: str) -> Job | None:
    query = select(Job).where(Job.entry_id == entry_id, Job.run == "")
    return session.scalars(query).first()


def _steps(session: Session, entry_id: str) -> tuple[StepView, ...]:
    query = select(Step).where(Step.entry_id == entry_id).order_by(Step.id)
    return tuple(StepView.of(row, reason=words(row.reason)) for row in session.scalars(query))


def _target_team(shared: Beside, entry: Entry) -> str | None:
    if entry.target_id is None:
        return None
    return shared.names[shared.session.get_one(Entry, entry.target_id).team_id]


def _found(shared: Beside, entry: Entry, scores: list[ScoreView]) -> FoundView | None:
    current = next((score for score in scores if score.current), None)
    if current is None or entry.state != "scored":
        return None
    return shared.feedback.told(entry.received_at, current.safety, current.unsafe)


def _attacked(shared: Beside, entry: Entry) -> tuple[AttackedView, ...]:
    """What others found in a release, if attacks may be seen at all."""
    if not sight_of(shared.moment, shared.viewer).attacks:
        return ()
    of_team: dict[str, list[ScoredAttack]] = defaultdict(list)
    for attack in shared.attacks.get(entry.id, ()):
        shown = shared.viewer.organiser or attack.team_id in shared.visible
        of_team[attack.attacker if shown else HIDDEN_TEAM].append(attack)
    found = [
        AttackedView(attacker=name, attempts=len(attacks), found=best)
        for name, attacks in of_team.items()
        if (best := shared.feedback.best(attacks)) is not None
    ]
    return tuple(sorted(found, key=lambda view: view.attacker))
