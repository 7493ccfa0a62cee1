"""Views of the leaderboard, the matrix and the plot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tokumei.contest.desk.entry_views import FoundView
from tokumei.contest.desk.views import View, Words


@dataclass(frozen=True, kw_only=True)
class StandingView(View):
    """A line of the leaderboard. Safety is the larger of `suite` and `attacks`."""

    rank: int | None
    """None: nothing was scored."""
    team: str
    team_id: int
    entry: str | None
    utility: float | None
    suite: float | None
    attacks: FoundView | None
    safety: float | None
    total: float | None
    unsafe: bool
    submissions: int
    mine: bool


@dataclass(frozen=True, kw_only=True)
class AttackerView(View):
    """An attacker's line: the mean over the other teams of the most found there."""

    rank: int
    team: str
    score: float
    broken: int
    """How many teams' releases were shown unsafe."""
    attempts: int
    mine: bool


@dataclass(frozen=True, kw_only=True)
class BoardView(View):
    """The leaderboard and the best attackers, or why they are not shown."""

    rows: tuple[StandingView, ...]
    attackers: tuple[AttackerView, ...]
    hidden: Words | None
    until: datetime | None
    """When it will be shown."""


@dataclass(frozen=True, kw_only=True)
class CellView(View):
    """What one team's attacks found in another's releases."""

    attempts: int
    found: FoundView


@dataclass(frozen=True, kw_only=True)
class MatrixView(View):
    """Attackers (rows) × defenders (columns); a cell is None where nothing was tried."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    cells: tuple[tuple[CellView | None, ...], ...]
    hidden: Words | None
    until: datetime | None


@dataclass(frozen=True, kw_only=True)
class PointView(View):
    """A release on the utility–safety plot."""

    team: str
    utility: float
    safety: float
    mine: bool
    published: bool
    entry: str | None
    """Only of one's own."""
