"""A contest at one moment: its rules, the phases in force, the server's time; and its audit log.

    moment = moment_of(place, session, "cup")
    moment.require_open(Kind.ATTACK, at)        # Late, and by how much

    with changing(place, viewer, "cup") as (session, moment, log):
        log("team.ban", "team 3", reason="two accounts")

Every change is logged, by whom and when; rows are only ever added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.names import is_slug
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.spec.model import ContestSpec, Kind, Phase
from tokumei.contest.store.database import aware
from tokumei.contest.store.tables import Audit, Contest, PhaseChange
from tokumei.core.text import Text
from tokumei.http.refusals import NotAllowed, NotFound

DOING = {
    Kind.ANONYMIZE: Text("submissions are", "匿名加工データの提出"),
    Kind.ATTACK: Text("attacks are", "攻撃の提出"),
}
NO_CONTEST = Text("there is no such contest", "そのコンテストはありません")
CLOSED = {
    "draft": Text(
        "this contest is a draft: nothing is taken before it is opened",
        "このコンテストは下書きです。公開されるまで受け付けません",
    ),
    "archived": Text(
        "this contest is archived: nothing more is taken",
        "このコンテストは保管済みです。受け付けは終わりました",
    ),
}
Log = Callable[..., None]


class Late(NotAllowed):
    """Outside the phase: it is over, or has not begun."""


@dataclass(frozen=True)
class Moment:
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

    def of_kind(self, kind: Kind) -> list[Phase]:
        """The phases of a kind, in the order of time."""
        return sorted((p for p in self.phases if p.kind is kind), key=lambda p: p.starts)

    def is_open(self, kind: Kind, at: datetime | None = None) -> bool:
        """Whether uploads of a kind are taken."""
        when = at or self.now
        return self.row.stage == "open" and any(
            phase.starts <= when < phase.ends for phase in self.of_kind(kind)
        )

    def require_open(self, kind: Kind, at: datetime | None = None) -> None:
        """Refuse an upload outside the phases of its kind, and tell by how much."""
        self.require_live()
        if not self.is_open(kind, at):
            raise _late(self.of_kind(kind), kind, at or self.now)

    def require_live(self) -> None:
        """Refuse changes by teams in a draft or an archived contest."""
        if self.row.stage in CLOSED:
            raise NotAllowed(CLOSED[self.row.stage])

    @property
    def releases_end(self) -> datetime | None:
        """Until when releases are chosen: the end of the last anonymize phase."""
        return max((phase.ends for phase in self.of_kind(Kind.ANONYMIZE)), default=None)

    @property
    def releases_over(self) -> bool:
        """Whether every choice is final."""
        return self.releases_end is None or self.now >= self.releases_end

    @property
    def attacks_begun(self) -> bool:
        """Whether published releases can be seen by others."""
        return any(phase.starts <= self.now for phase in self.of_kind(Kind.ATTACK))

    @property
    def end(self) -> datetime:
        """When everything is over."""
        return max(phase.ends for phase in self.phases)

    def attack_phase_of(self, at: datetime) -> Phase | None:
        """The attack phase in which an attack came."""
        held = self.of_kind(Kind.ATTACK)
        return next((phase for phase in held if phase.ends > at), held[-1] if held else None)


@contextmanager
def looking(place: Place, slug: str) -> Iterator[tuple[Session, Moment]]:
    """A contest now, and a session to read of it."""
    with place.read() as session:
        yield session, moment_of(place, session, slug)


def moment_of(place: Place, session: Session, slug: str) -> Moment:
    """A contest now; NotFound if there is none."""
    found = select(Contest).where(Contest.slug == slug, ~Contest.closed)
    row = session.scalars(found).one_or_none() if is_slug(slug) else None
    if row is None:
        raise NotFound(NO_CONTEST)
    return moment_of_row(place, session, row)


def moment_of_row(place: Place, session: Session, row: Contest) -> Moment:
    """A contest now, by its row."""
    spec = ContestSpec.model_validate(row.spec)
    query = select(PhaseChange).where(PhaseChange.contest_id == row.id).order_by(PhaseChange.id)
    changes = {change.place: change for change in session.scalars(query)}
    phases = tuple(
        Phase(kind=phase.kind, starts=aware(changes[n].starts), ends=aware(changes[n].ends))
        if n in changes
        else phase
        for n, phase in enumerate(spec.phases)
    )
    return Moment(row, spec, phases, changes, place.clock())


def _late(phases: list[Phase], kind: Kind, at: datetime) -> Late:
    what = DOING[kind]
    coming = next((phase for phase in phases if phase.starts > at), None)
    if coming is not None:
        wait, begins = _span(coming.starts - at), f"{coming.starts:%Y-%m-%d %H:%M %z}"
        return Late(
            f"{what.en} taken from {begins} on, in {wait.en}",
            f"{what.ja}の受付は {begins} からです (あと {wait.ja})",
        )
    if not phases:
        return Late(f"{what.en} not part of this contest", f"このコンテストに{what.ja}はありません")
    ended = phases[-1].ends
    after = _span(at - ended)
    return Late(
        f"too late: {what.en} closed at {ended:%Y-%m-%d %H:%M %z}; the upload was complete "
        f"{after.en} after that, by the server's clock",
        f"締め切りを過ぎています: {what.ja}は {ended:%Y-%m-%d %H:%M %z} に締め切りました。"
        f"受信の完了はその {after.ja}後でした (サーバーの時計)",
    )


def _span(span: timedelta) -> Text:
    """A time in its two largest units."""
    seconds = span.total_seconds()
    if seconds < 60:
        return Text(f"{seconds:.3f} seconds", f"{seconds:.3f} 秒")
    units = [(86400, "d", "日"), (3600, "h", "時間"), (60, "min", "分"), (1, "s", "秒")]
    rest, parts = int(seconds), list[tuple[int, str, str]]()
    for size, en, ja in units:
        count, rest = divmod(rest, size)
        if count or parts:
            parts.append((count, en, ja))
    return Text(
        " ".join(f"{count} {en}" for count, en, _ in parts[:2]),
        " ".join(f"{count} {ja}" for count, _, ja in parts[:2]),
    )


def record(
    place: Place,
    session: Session,
    viewer: Viewer,
    action: str,
    *,
    subject: str = "",
    contest_id: int | None = None,
    **details: Any,
) -> None:
    """Add a row to the log, in the transaction of what it tells."""
    session.add(
        Audit(
            at=place.now(),
            account_id=viewer.account_id,
            contest_id=contest_id,
            action=action,
            subject=subject[:80],
            details=details,
        )
    )


@contextmanager
def changing(place: Place, viewer: Viewer, slug: str) -> Iterator[tuple[Session, Moment, Log]]:
    """A contest now, a transaction to change it in, and its log: `log(action, subject, …)`."""
    with place.write() as session:
        moment = moment_of(place, session, slug)

        def log(action: str, subject: str, **details: Any) -> None:
            record(place, session, viewer, action, subject=subject, contest_id=moment.id, **details)

        yield session, moment, log
