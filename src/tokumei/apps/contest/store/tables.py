"""Database tables. Times are UTC without a zone; public identifiers are random.
Rows are never deleted: submissions are withdrawn, teams hidden, scores superseded."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from tokumei.apps.contest.store.database import Base as Base
from tokumei.apps.contest.store.database import JsonColumn, MessageColumn, StoredViolation


class UserAccount(Base):
    """A person. `key` is the name in a normal form, so that look-alikes collide."""

    __tablename__ = "account"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    key: Mapped[str] = mapped_column(String(64), unique=True)
    password: Mapped[str] = mapped_column(String(255))
    organiser: Mapped[bool] = mapped_column(default=False)
    disabled: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]


class LoginSession(Base):
    """A browser that is logged in, by the hash of its cookie."""

    __tablename__ = "login"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    csrf: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class ApiToken(Base):
    """A program's key, by its hash."""

    __tablename__ = "token"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    label: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class LoginAttempt(Base):
    """A failed login or registration, to slow down those who guess."""

    __tablename__ = "attempt"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(128), index=True)
    at: Mapped[datetime]


class Contest(Base):
    """A contest as its file told it."""

    __tablename__ = "contest"
    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(40), unique=True)
    spec: Mapped[JsonColumn]
    folder: Mapped[str] = mapped_column(String(80))
    """Where its data is, below HOME/contests."""
    judge_version: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    closed: Mapped[bool] = mapped_column(default=False)
    stage: Mapped[str] = mapped_column(String(16), default="open", server_default="open")
    """draft (organisers alone see it) | open | archived (nothing more is taken)"""


class OrganiserRole(Base):
    """Who organises one contest; organisers of the server organise all."""

    __tablename__ = "organiser"
    contest_id: Mapped[int] = mapped_column(ForeignKey("contest.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    at: Mapped[datetime]


class Notice(Base):
    """`kind`: announcement | question (private until `public`); words are {"en", "ja"}."""

    __tablename__ = "notice"
    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contest.id"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    team_id: Mapped[int | None] = mapped_column(ForeignKey("team.id"))
    words: Mapped[MessageColumn]
    at: Mapped[datetime]
    answer: Mapped[MessageColumn | None]
    answered_by_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    answered_at: Mapped[datetime | None]
    public: Mapped[bool] = mapped_column(default=False)


class Attachment(Base):
    """A file beside a contest's texts; `removed_at` once it is no longer given out."""

    __tablename__ = "attachment"
    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contest.id"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    sha256: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    at: Mapped[datetime]
    removed_at: Mapped[datetime | None]


class PhaseChange(Base):
    """New times of a phase (0 the first); the last row counts."""

    __tablename__ = "phase_change"
    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contest.id"))
    place: Mapped[int]
    starts: Mapped[datetime]
    ends: Mapped[datetime]
    reason: Mapped[str]
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    at: Mapped[datetime]


class Invite(Base):
    """A code that lets people register, join a team or organise, by its hash."""

    __tablename__ = "invite"
    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    kind: Mapped[str] = mapped_column(String(16))
    """register | team | organiser"""
    contest_id: Mapped[int | None] = mapped_column(ForeignKey("contest.id"))
    team_id: Mapped[int | None] = mapped_column(ForeignKey("team.id"))
    uses_left: Mapped[int]
    expires_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class InviteUse(Base):
    """Who used which code: whoever used one that lets people register may take part."""

    __tablename__ = "invite_use"
    invite_id: Mapped[int] = mapped_column(ForeignKey("invite.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    at: Mapped[datetime]


class Team(Base):
    """A team of one contest."""

    __tablename__ = "team"
    __table_args__ = (UniqueConstraint("contest_id", "key"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contest.id"))
    name: Mapped[str] = mapped_column(String(64))
    key: Mapped[str] = mapped_column(String(64))
    hidden: Mapped[bool] = mapped_column(default=False)
    banned: Mapped[bool] = mapped_column(default=False)
    reason: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime]


class TeamMember(Base):
    """Who is in a team."""

    __tablename__ = "member"
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    captain: Mapped[bool] = mapped_column(default=False)


class ContestEntry(Base):
    """An upload: a release (`target_id` null) or an attack on a published release.

    `state`: received (stored, not yet checked) | rejected | queued | running | scored | failed |
    cancelled (by its team while queued) | withdrawn (by an organiser). The file itself is in the
    inbox until a worker takes it to the vault.
    """

    __tablename__ = "entry"
    __table_args__ = (Index("entry_of_team", "contest_id", "team_id"),)
    id: Mapped[str] = mapped_column(String(20), primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contest.id"))
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    target_id: Mapped[str | None] = mapped_column(ForeignKey("entry.id"), index=True)
    file_name: Mapped[str] = mapped_column(String(100))
    label: Mapped[str] = mapped_column(String(100), default="")
    sha256: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    received_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(16), index=True)
    reason: Mapped[MessageColumn | None]
    """{"en", "ja"} where the state needs one."""
    faults: Mapped[list[StoredViolation] | None]
    fault_total: Mapped[int] = mapped_column(default=0)
    public_sha256: Mapped[str | None] = mapped_column(String(64))
    public_commitment: Mapped[str | None] = mapped_column(String(64))
    truth_commitment: Mapped[str | None] = mapped_column(String(64))
    published_at: Mapped[datetime | None]
    address: Mapped[str | None] = mapped_column(String(16))
    """A keyed hash of where it came from: only to see whether two are equal."""
    sketch: Mapped[list[str] | None]
    """The least keyed hashes of a guess's lines: only to see how many two have in common."""

    @property
    def kind(self) -> Literal["release", "attack"]:
        """What was uploaded."""
        return "release" if self.target_id is None else "attack"


class EntryStateChange(Base):
    """Every change of an entry's state, with time and reason."""

    __tablename__ = "step"
    id: Mapped[int] = mapped_column(primary_key=True)
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), index=True)
    state: Mapped[str] = mapped_column(String(16))
    at: Mapped[datetime]
    reason: Mapped[MessageColumn | None]


class EntryScore(Base):
    """An entry's figures by one version of the judge; one of them is current.

    For an attack `safety` is what it found, and `utility` and `total` are null.
    """

    __tablename__ = "score"
    __table_args__ = (
        UniqueConstraint("entry_id", "judge_version"),
        Index(
            "one_current_score",
            "entry_id",
            unique=True,
            sqlite_where=text("current"),
            postgresql_where=text("current"),
        ),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), index=True)
    judge_version: Mapped[str] = mapped_column(String(64))
    utility: Mapped[float | None]
    safety: Mapped[float | None]
    total: Mapped[float | None]
    unsafe: Mapped[bool]
    figures: Mapped[JsonColumn]
    created_at: Mapped[datetime]
    current: Mapped[bool]


class JudgingJob(Base):
    """Work to be done once. `dry`: the figures go to `result`, not to the score.

    `kind`: judge | attack | rejudge | recheck. A job is free when queued, or running with its lease
    over; `token` counts leases, so that a worker that wakes up late writes nothing.
    """

    __tablename__ = "job"
    __table_args__ = (UniqueConstraint("kind", "entry_id", "run"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"))
    run: Mapped[str] = mapped_column(String(64), default="")
    """Which re-judgement it belongs to; empty for the first judgement."""
    dry: Mapped[bool] = mapped_column(default=False)
    state: Mapped[str] = mapped_column(String(16), index=True)
    """queued | running | done | failed | cancelled"""
    owner: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[datetime | None]
    token: Mapped[int] = mapped_column(default=0)
    attempts: Mapped[int] = mapped_column(default=0)
    progress: Mapped[float] = mapped_column(default=0.0)
    queued_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    error: Mapped[str | None]
    """For the organiser's eyes; never anything from a file."""
    result: Mapped[JsonColumn | None]


class AuditRecord(Base):
    """What was done by whom; the database refuses changes and deletions."""

    __tablename__ = "audit"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    contest_id: Mapped[int | None] = mapped_column(ForeignKey("contest.id"))
    action: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(80))
    details: Mapped[JsonColumn]
