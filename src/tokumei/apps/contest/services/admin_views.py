"""View models of the organiser's console."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from tokumei.apps.contest.services.entry_views import EntryState, ScoreView
from tokumei.apps.contest.services.view_models import MessageField, View
from tokumei.apps.contest.store.database import JsonColumn

CollusionHintKind = Literal[
    "same-file", "same-release", "alike-releases", "alike-guesses", "same-address"
]
"""What teams may have in common, the strongest first."""


class JobView(View):
    """A piece of work of the judge."""

    id: int
    kind: str
    run: str
    entry: str
    team: str
    entry_state: EntryState
    state: str
    position: int | None
    attempts: int
    progress: float
    owner: str | None
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    lease_until: datetime | None
    error: MessageField | None
    """Why it failed, for organisers: what to do about it."""


class QueueView(View):
    """The work of a contest: what waits or runs, and what failed lately."""

    waiting: int
    running: int
    jobs: tuple[JobView, ...]
    failed: tuple[JobView, ...]


class AdminTeamView(View):
    """A team as organisers see it in the list."""

    id: int
    name: str
    members: tuple[str, ...]
    hidden: bool
    banned: bool
    reason: str
    created_at: datetime
    submissions: int
    rejected: int
    attacks: int
    published: int


class AdminEntryView(View):
    """An entry in the organiser's list."""

    id: str
    kind: Literal["release", "attack"]
    team_id: int
    team: str
    target: str | None
    label: str
    file_name: str
    size: int
    received_at: datetime
    state: EntryState
    published: bool
    score: ScoreView | None


class AuditRecordView(View):
    """What was done by whom."""

    id: int
    at: datetime
    by: str | None
    action: str
    subject: str
    about: str
    """The subject by its name."""
    details: JsonColumn


class AuditPage(View):
    """Newest first; `before` is the id to ask for next, None at the end."""

    rows: tuple[AuditRecordView, ...]
    before: int | None


class ScoreDiffRow(View):
    """An entry before and after a re-judgement."""

    entry: str
    kind: Literal["release", "attack"]
    team: str
    label: str
    old: ScoreView | None
    new: ScoreView | None
    changed: bool
    now_rejected: bool
    """The new judge finds faults in it."""
    error: MessageField | None


class JudgeStateView(View):
    """The judge in force, and what the contest's folder amounts to now."""

    in_force: str
    differs: bool
    changed: tuple[str, ...]
    """Files of the folder that are not those of the judge in force."""
    problem: MessageField | None
    """Why the folder could not be used as it is."""
    used: bool
    """Whether uploads have been judged, so that a change needs judging again."""


class RankChange(View):
    """A team whose rank differs."""

    team: str
    old: int | None
    new: int | None


class RejudgingDiffView(View):
    """A re-judgement (`kind` rejudge) or re-check of rules (`kind` recheck)."""

    run: str
    kind: Literal["rejudge", "recheck"]
    judge_version: str
    begun_at: datetime
    total: int
    done: int
    failed: int
    ready: bool
    """Whether every entry has been judged again or failed."""
    applied: bool
    rows: tuple[ScoreDiffRow, ...]
    ranks: tuple[RankChange, ...]


class RejudgingRunView(View):
    """A re-judgement or re-check in the list."""

    run: str
    kind: Literal["rejudge", "recheck"]
    begun_at: datetime
    total: int
    done: int
    failed: int
    applied: bool


class OrganiserView(View):
    """Somebody who organises; `server`: all contests."""

    account_id: int
    name: str
    server: bool
    me: bool


class CollusionHintView(View):
    """Something that teams have in common; it proves nothing."""

    kind: CollusionHintKind
    teams: tuple[str, ...]
    entries: tuple[str, ...]
    share: float
    """Of equal lines (1 for equal files), of shared mistakes; of uploads from one address."""


class InviteView(View):
    """A code without its secret."""

    id: int
    kind: Literal["register", "team", "organiser"]
    contest: str | None
    team: str | None
    uses_left: int
    expires_at: datetime | None
    created_at: datetime
    used_by: tuple[str, ...]
