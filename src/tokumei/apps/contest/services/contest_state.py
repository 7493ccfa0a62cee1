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

UPLOAD_PHRASES = {
    PhaseType.ANONYMIZE: Message("submissions are", "匿名加工データの提出"),
    PhaseType.ATTACK: Message("attacks are", "攻撃の提出"),
}
NO_CONTEST = Message("there is no such contest", "そのコンテストはありません")
CLOSED_STAGE_MESSAGES = {
    "draft": Message(
        "this contest is a draft: nothing is taken before it is opened",
        "このコンテストは下書きです。公開されるまで受け付けません",
    ),
    "archived": Message(
        "this contest is archived: nothing more is taken",
        "このコンテストは保管済みです。受け付けは終わりました",
    ),
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
    phrase = UPLOAD_PHRASES[kind]
    coming = next((phase for phase in phases if phase.starts > at), None)
    if coming is not None:
        wait, begins = _format_duration(coming.starts - at), f"{coming.starts:%Y-%m-%d %H:%M %z}"
        return OutsidePhaseError(
            f"{phrase.en} taken from {begins} on, in {wait.en}",
            f"{phrase.ja}の受付は {begins} からです (あと {wait.ja})",
        )
    if not phases:
        return OutsidePhaseError(
            f"{phrase.en} not part of this contest", f"このコンテストに{phrase.ja}はありません"
        )
    ended = phases[-1].ends
    delay = _format_duration(at - ended)
    return OutsidePhaseError(
        f"too late: {phrase.en} closed at {ended:%Y-%m-%d %H:%M %z}; the upload was complete "
        f"{delay.en} after that, by the server's clock",
        f"締め切りを過ぎています: {phrase.ja}は {ended:%Y-%m-%d %H:%M %z} に締め切りました。"
        f"受信の完了はその {delay.ja}後でした (サーバーの時計)",
    )


def _format_duration(span: timedelta) -> Message:
    """A time in its two largest units."""
    seconds = span.total_seconds()
    if seconds < 60:
        return Message(f"{seconds:.3f} seconds", f"{seconds:.3f} 秒")
    units = [(86400, "d", "日"), (3600, "h", "時間"), (60, "min", "分"), (1, "s", "秒")]
    rest, parts = int(seconds), list[tuple[int, str, str]]()
    for size, en, ja in units:
        count, rest = divmod(rest, size)
        if count or parts:
            parts.append((count, en, ja))
    return Message(
        " ".join(f"{count} {en}" for count, en, _ in parts[:2]),
        " ".join(f"{count} {ja}" for count, _, ja in parts[:2]),
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
