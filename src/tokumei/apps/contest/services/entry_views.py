"""View models of uploads, targets, leaderboard, matrix and plot."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from tokumei.apps.contest.services.view_models import MessageField, View

EntryState = Literal[
    "received", "rejected", "queued", "running", "scored", "failed", "cancelled", "withdrawn"
]


class StateChangeView(View):
    """A change of an entry's state."""

    state: EntryState
    at: datetime
    reason: MessageField | None


class ViolationView(View):
    """A broken rule and its place."""

    rule: str
    message: MessageField
    line: int | None
    column: str | None


class ScoreView(View):
    """Figures by one version of the judge. For an attack `safety` is what it found."""

    judge_version: str
    utility: float | None
    safety: float | None
    total: float | None
    unsafe: bool
    figures: dict[str, object]
    created_at: datetime
    current: bool


class AttackResultView(View):
    """What an attack found, as far as it may be told now.

    `value` with exact feedback, `low` ≤ value < `high` with banded, `until` with delayed.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    until: datetime | None = None
    unsafe: bool | None = None


class ReceivedAttackView(View):
    """The best attempt of one team on one of our releases."""

    attacker: str | None
    """None of a team that is hidden from boards."""
    attempts: int
    found: AttackResultView


class EntryView(View):
    """An upload of one's own team: a release, or an attack on `target`."""

    id: str
    kind: Literal["release", "attack"]
    team_id: int
    team: str
    by: str
    target: str | None
    target_team: str | None
    label: str
    file_name: str
    size: int
    sha256: str
    received_at: datetime
    state: EntryState
    reason: MessageField | None
    faults: tuple[ViolationView, ...]
    fault_total: int
    queue_position: int | None
    """1: next to be judged."""
    progress: float | None
    """0…1 while it runs."""
    attempts: int
    """How often judging was begun."""
    steps: tuple[StateChangeView, ...]
    score: ScoreView | None
    """None also while feedback on an attack is banded or delayed: then see `found`."""
    history: tuple[ScoreView, ...]
    found: AttackResultView | None
    attacked: tuple[ReceivedAttackView, ...]
    published: bool
    published_at: datetime | None
    public_sha256: str | None
    public_commitment: str | None
    truth_commitment: str | None
    can_publish: bool
    can_unpublish: bool
    can_cancel: bool
    notes: tuple[MessageField, ...] = ()
    """Remarks on the upload, for example that the same bytes came before."""

    @property
    def settled(self) -> bool:
        """Whether nothing more happens by itself."""
        return self.state not in ("received", "queued", "running")


class TargetView(View):
    """A published release, as other teams see it."""

    id: str
    team: str
    number: int
    """1, 2, … among its team's published releases."""
    size: int
    public_sha256: str
    public_commitment: str | None
    truth_commitment: str | None
    own: bool
    attempts_used: int
    attempts_left: int
    best: AttackResultView | None
    """The best of my team's attempts."""
    guess_files: tuple[str, ...]
    open: bool
    """Whether attacks are taken now."""


class StandingView(View):
    """A line of the leaderboard. Safety is the larger of `suite` and `attacks`."""

    rank: int | None
    """None: nothing was scored."""
    team: str
    team_id: int
    entry: str | None
    utility: float | None
    suite: float | None
    attacks: AttackResultView | None
    safety: float | None
    total: float | None
    unsafe: bool
    submissions: int
    mine: bool


class AttackerView(View):
    """An attacker's line: the mean over the other teams of the most found there."""

    rank: int
    team: str
    score: float
    broken: int
    """How many teams' releases were shown unsafe."""
    attempts: int
    mine: bool


class BoardView(View):
    """The leaderboard and the best attackers, or why they are not shown."""

    rows: tuple[StandingView, ...]
    attackers: tuple[AttackerView, ...]
    hidden: MessageField | None
    until: datetime | None
    """When it will be shown."""


class MatrixCellView(View):
    """What one team's attacks found in another's releases."""

    attempts: int
    found: AttackResultView


class MatrixView(View):
    """Attackers (rows) × defenders (columns); a cell is None where nothing was tried."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    cells: tuple[tuple[MatrixCellView | None, ...], ...]
    hidden: MessageField | None
    until: datetime | None


class PointView(View):
    """A release on the utility–safety plot."""

    team: str
    utility: float
    safety: float
    mine: bool
    published: bool
    entry: str | None
    """Only of one's own."""
