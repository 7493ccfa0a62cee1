"""Loads the state of a contest (rules, phases, server time) and writes its audit log.

    state = load_contest_state(context, session, "cup")
    state.require_open(PhaseType.ATTACK, at)        # OutsidePhaseError, and by how much

    with update_contest(context, viewer, "cup") as (session, state, log):
        log("team.ban", "team 3", reason="two accounts")

Every change is logged, by whom and when; rows are only ever added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.validation import is_slug
from tokumei.apps.contest.spec.model import ContestSpec, Phase, PhaseType
from tokumei.apps.contest.store.database import to_aware_utc
from tokumei.apps.contest.store.tables import AuditRecord, Contest, PhaseChange
from tokumei.apps.http.errors import Forbidden, NotFound
from tokumei.core.messages import Message

COMING_MESSAGES = {
    PhaseType.ANONYMIZE: Message("submissions are taken from {begin} on, in {wait}"),
    PhaseType.ATTACK: Message("attacks are taken from {begin} on, in {wait}"),
}
LATE_MESSAGES = {
    PhaseType.ANONYMIZE: Message(
        "too late: submissions closed at {end}; the upload was complete {delay} after that, by the "
        "server's clock"
    ),
    PhaseType.ATTACK: Message(
        "too late: attacks closed at {end}; the upload was complete {delay} after that, by the "
        "server's clock"
    ),
}
NO_PHASE_MESSAGES = {
    PhaseType.ANONYMIZE: Message("submissions are not part of this contest"),
    PhaseType.ATTACK: Message("attacks are not part of this contest"),
}
DURATION_UNITS = (
    (86_400, Message("{number} d", context="a duration")),
    (3_600, Message("{number} h", context="a duration")),
    (60, Message("{number} min", context="a duration")),
    (1, Message("{number} s", context="a duration")),
)
NO_CONTEST = Message("there is no such contest")
CLOSED_STAGE_MESSAGES = {
    "draft": Message("this contest is a draft: nothing is taken before it is opened"),
    "archived": Message("this contest is archived: nothing more is taken"),
}
AuditLogger = Callable[..., None]


class OutsidePhaseError(Forbidden):
    """Outside the phase: it is over, or has not begun."""


@dataclass(frozen=True)
class ContestState:
    """A contest now."""

    row: Contest
    spec: ContestSpec
    phases: tuple[Phase, ...]
    changes: dict[int, PhaseChange]
    """The last change of each phase that was changed."""
    now: datetime

    @property
    def id(self) -> int:
        """The contest's number in the tables."""
        return self.row.id

    def phases_of_type(self, kind: PhaseType) -> list[Phase]:
        """The phases of a kind, in the order of time."""
        return sorted((p for p in self.phases if p.kind is kind), key=lambda p: p.starts)

    def is_open(self, kind: PhaseType, at: datetime | None = None) -> bool:
        """Whether uploads of a kind are taken."""
        when = at or self.now
        return self.row.stage == "open" and any(
            phase.starts <= when < phase.ends for phase in self.phases_of_type(kind)
        )

    def require_open(self, kind: PhaseType, at: datetime | None = None) -> None:
        """Refuse an upload outside the phases of its kind, and tell by how much."""
        self.require_open_stage()
        if not self.is_open(kind, at):
            raise _outside_phase_error(self.phases_of_type(kind), kind, at or self.now)

    def require_open_stage(self) -> None:
        """Refuse changes by teams in a draft or an archived contest."""
        if self.row.stage in CLOSED_STAGE_MESSAGES:
            raise Forbidden(CLOSED_STAGE_MESSAGES[self.row.stage])

    @property
    def releases_end(self) -> datetime | None:
        """Until when releases are chosen: the end of the last anonymize phase."""
        return max((phase.ends for phase in self.phases_of_type(PhaseType.ANONYMIZE)), default=None)

    @property
    def releases_over(self) -> bool:
        """Whether every choice is final."""
        return self.releases_end is None or self.now >= self.releases_end

    @property
    def attacks_begun(self) -> bool:
        """Whether published releases can be seen by others."""
        return any(phase.starts <= self.now for phase in self.phases_of_type(PhaseType.ATTACK))

    @property
    def contest_end(self) -> datetime:
        """When everything is over."""
        return max(phase.ends for phase in self.phases)

    def attack_phase_of(self, at: datetime) -> Phase | None:
        """The attack phase in which an attack came."""
        attack_phases = self.phases_of_type(PhaseType.ATTACK)
        return next(
            (phase for phase in attack_phases if phase.ends > at),
            attack_phases[-1] if attack_phases else None,
        )


@contextmanager
def read_contest(context: AppContext, slug: str) -> Iterator[tuple[Session, ContestState]]:
    """A contest now, and a session to read of it."""
    with context.read() as session:
        yield session, load_contest_state(context, session, slug)


def load_contest_state(context: AppContext, session: Session, slug: str) -> ContestState:
    """A contest now; NotFound if there is none."""
    query = select(Contest).where(Contest.slug == slug, ~Contest.closed)
    row = session.scalars(query).one_or_none() if is_slug(slug) else None
    if row is None:
        raise NotFound(NO_CONTEST)
    return contest_state_from_row(context, session, row)


def contest_state_from_row(context: AppContext, session: Session, row: Contest) -> ContestState:
    """A contest now, by its row."""
    spec = ContestSpec.model_validate(row.spec)
    query = select(PhaseChange).where(PhaseChange.contest_id == row.id).order_by(PhaseChange.id)
    changes = {change.place: change for change in session.scalars(query)}
    phases = tuple(
        Phase(
            kind=phase.kind,
            starts=to_aware_utc(changes[n].starts),
            ends=to_aware_utc(changes[n].ends),
        )
        if n in changes
        else phase
        for n, phase in enumerate(spec.phases)
    )
    return ContestState(row, spec, phases, changes, context.clock())


def _outside_phase_error(phases: list[Phase], kind: PhaseType, at: datetime) -> OutsidePhaseError:
    coming = next((phase for phase in phases if phase.starts > at), None)
    if coming is not None:
        wait = _format_duration(coming.starts - at)
        return OutsidePhaseError(
            COMING_MESSAGES[kind].fill(begin=_format_time(coming.starts), wait=wait)
        )
    if not phases:
        return OutsidePhaseError(NO_PHASE_MESSAGES[kind])
    ended = phases[-1].ends
    return OutsidePhaseError(
        LATE_MESSAGES[kind].fill(end=_format_time(ended), delay=_format_duration(at - ended))
    )


def _format_time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M %z}"


def _format_duration(span: timedelta) -> Message:
    """A time in its two largest units."""
    seconds = span.total_seconds()
    if seconds < 60:
        return Message("{seconds:.3f} seconds", seconds=seconds)
    first = next(i for i, (size, _) in enumerate(DURATION_UNITS) if seconds >= size)
    (larger_size, larger), (smaller_size, smaller) = DURATION_UNITS[first : first + 2]
    return Message(
        "{larger} {smaller}",
        context="a time in two units",
        larger=larger.fill(number=int(seconds // larger_size)),
        smaller=smaller.fill(number=int(seconds % larger_size // smaller_size)),
    )


def record_audit(
    context: AppContext,
    session: Session,
    viewer: Viewer,
    action: str,
    *,
    subject: str = "",
    contest_id: int | None = None,
    **details: object,
) -> None:
    """Add a row to the log, in the transaction of what it tells."""
    session.add(
        AuditRecord(
            at=context.now(),
            account_id=viewer.account_id,
            contest_id=contest_id,
            action=action,
            subject=subject[:80],
            details=details,
        )
    )


@contextmanager
def update_contest(
    context: AppContext, viewer: Viewer, slug: str
) -> Iterator[tuple[Session, ContestState, AuditLogger]]:
    """A contest now, a transaction to change it in, and its log: `log(action, subject, …)`."""
    with context.write() as session:
        contest_state = load_contest_state(context, session, slug)

        def log(action: str, subject: str, **details: object) -> None:
            record_audit(
                context,
                session,
                viewer,
                action,
                subject=subject,
                contest_id=contest_state.id,
                **details,
            )

        yield session, contest_state, log
