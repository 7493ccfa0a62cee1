"""Answers that are no view of the desk: lists, and the server's health."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.contest.desk.board_views import PointView
from tokumei.contest.desk.console_views import (
    ConsoleEntryView,
    ConsoleTeamView,
    InviteView,
    RunView,
)
from tokumei.contest.desk.entry_views import EntryView, TargetView
from tokumei.contest.desk.views import ContestView, TokenView, View


@dataclass(frozen=True)
class Health(View):
    """The server is up and its database answers."""

    ok: bool
    version: str


@dataclass(frozen=True)
class Tokens(View):
    """One's tokens."""

    tokens: tuple[TokenView, ...]


@dataclass(frozen=True)
class Contests(View):
    """All contests, the newest first."""

    contests: tuple[ContestView, ...]


@dataclass(frozen=True)
class Entries(View):
    """Entries of one's team, the newest first; without faults, steps and history."""

    entries: tuple[EntryView, ...]


@dataclass(frozen=True)
class Targets(View):
    """Published releases."""

    targets: tuple[TargetView, ...]


@dataclass(frozen=True)
class Points(View):
    """Releases on the utility–safety plot."""

    points: tuple[PointView, ...]


@dataclass(frozen=True)
class Teams(View):
    """All teams of a contest."""

    teams: tuple[ConsoleTeamView, ...]


@dataclass(frozen=True)
class AllEntries(View):
    """All entries of a contest, the newest first."""

    entries: tuple[ConsoleEntryView, ...]


@dataclass(frozen=True)
class Runs(View):
    """All re-judgements and re-checks, the newest first."""

    runs: tuple[RunView, ...]


@dataclass(frozen=True)
class Invites(View):
    """All codes, the newest first."""

    invites: tuple[InviteView, ...]
