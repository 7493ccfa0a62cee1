"""Decides which figures are shown to whom and when.

    told = AttackFeedback(moment, exact=viewer.organiser)
    told.of(attack)                    # FoundView: value, band, or until when to wait
    told.counted(attack)               # what the board reckons with: value, band's low edge, None
    visibility_for(moment, viewer)           # what others than its team see (`leaderboard`)

The same rule for the attacker, the defender and everybody: what the board shows never tells more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, SQLColumnExpression, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.ranking import AttackScore
from tokumei.apps.contest.services.contest_state import ContestState
from tokumei.apps.contest.services.context import Viewer
from tokumei.apps.contest.services.entry_views import AttackResultView
from tokumei.apps.contest.spec.model import FeedbackMode, LeaderboardVisibility, PhaseType
from tokumei.apps.contest.store.database import to_aware_utc
from tokumei.apps.contest.store.tables import ContestEntry, EntryScore, Team
from tokumei.core.messages import Message


@dataclass(frozen=True)
class Visibility:
    """What can be seen now: figures of releases, of attacks; if not all, until when."""

    releases: bool
    attacks: bool
    until: datetime | None = None

    @property
    def hidden(self) -> Message | None:
        """Why something is hidden."""
        if self.until is None:
            return None
        when = f"{self.until:%Y-%m-%d %H:%M %z}"
        if self.releases:
            return Message("what attacks found is shown from {when} on", when=when)
        return Message("figures are shown from {when} on", when=when)


def visibility_for(contest_state: ContestState, viewer: Viewer) -> Visibility:
    """What a viewer can see of other teams now."""
    rule = contest_state.spec.leaderboard
    if (
        viewer.organiser
        or rule is LeaderboardVisibility.ALWAYS
        or contest_state.now >= contest_state.contest_end
    ):
        return Visibility(True, True)
    if rule is LeaderboardVisibility.AFTER_CONTEST:
        return Visibility(False, False, contest_state.contest_end)
    if not contest_state.releases_over:
        return Visibility(False, False, contest_state.releases_end)
    open_until = [
        p.ends
        for p in contest_state.phases_of_type(PhaseType.ATTACK)
        if p.starts <= contest_state.now < p.ends
    ]
    return Visibility(True, False, open_until[0]) if open_until else Visibility(True, True)


@dataclass(frozen=True, kw_only=True)
class ScoredAttack(AttackScore):
    """A scored attack with the judge's figures in force."""

    entry: str
    team_id: int
    received_at: datetime


def load_scored_attacks(session: Session, contest_id: int) -> list[ScoredAttack]:
    """All scored attacks of teams that are not banned, the oldest first."""
    named = Team.name.label("attacker"), ContestEntry.target_id.label("target")
    query = scored_entries_query(contest_id, *named, EntryScore.safety.label("value"))
    rows = session.execute(query.where(ContestEntry.target_id.is_not(None), ~Team.banned))
    return [ScoredAttack(**row) for row in rows.mappings()]


def scored_entries_query(
    contest_id: int, *columns: SQLColumnExpression[Any]
) -> Select[*tuple[Any, ...]]:
    """Scored entries with the figures in force, the oldest first, and further columns of them."""
    base_columns = (
        ContestEntry.id.label("entry"),
        ContestEntry.team_id,
        ContestEntry.received_at,
        EntryScore.unsafe,
    )
    return (
        select(*base_columns, *columns)
        .join(Team, Team.id == ContestEntry.team_id)
        .join(EntryScore, EntryScore.entry_id == ContestEntry.id)
        .where(
            ContestEntry.contest_id == contest_id,
            ContestEntry.state == "scored",
            EntryScore.current,
        )
        .order_by(ContestEntry.received_at, ContestEntry.id)
    )


@dataclass(frozen=True)
class AttackFeedback:
    """The rule at one moment; `exact` for organisers."""

    moment: ContestState
    exact: bool = False

    def hidden_until(self, received_at: datetime) -> datetime | None:
        """Until when an attack is not told exactly; None if it is."""
        phase = self.moment.attack_phase_of(to_aware_utc(received_at))
        if self.exact or self.moment.spec.feedback is FeedbackMode.EXACT or phase is None:
            return None
        return phase.ends if self.moment.now < phase.ends else None

    def of(self, attack: ScoredAttack) -> AttackResultView:
        """What may be told of it now."""
        return self.told(attack.received_at, attack.value, attack.unsafe)

    def told(self, received_at: datetime, value: float | None, unsafe: bool) -> AttackResultView:
        """What may be told now of an attack that came then and found this."""
        until = self.hidden_until(received_at)
        if until is None:
            return AttackResultView(value=value, unsafe=unsafe)
        if self.moment.spec.feedback is FeedbackMode.BANDED and value is not None:
            low, high = find_band(value, self.moment.spec.bands)
            return AttackResultView(low=low, high=high, until=until)
        return AttackResultView(until=until)

    def counted(self, attack: ScoredAttack) -> tuple[float | None, bool]:
        """Value and unsafe, as far as they may be told."""
        result = self.of(attack)
        return (result.value if result.value is not None else result.low), bool(result.unsafe)

    def best(self, attacks: Iterable[ScoredAttack]) -> AttackResultView | None:
        """The strongest of several, as far as that may be told."""
        attack_list = list(attacks)
        if not attack_list:
            return None
        best = self.of(max(attack_list, key=self._visible_strength))
        broken = any(self.of(attack).unsafe for attack in attack_list)
        return AttackResultView(**{**vars(best), "unsafe": broken}) if broken else best

    def _visible_strength(self, attack: ScoredAttack) -> float:
        value, _ = self.counted(attack)
        return -1.0 if value is None else value


def find_band(value: float, edges: Sequence[float]) -> tuple[float, float]:
    """The band low ≤ value < high (the last one: ≤ 1)."""
    bounds = [0.0, *sorted(edges), 1.0]
    index = min(max(bisect_right(bounds, value) - 1, 0), len(bounds) - 2)
    return bounds[index], bounds[index + 1]
