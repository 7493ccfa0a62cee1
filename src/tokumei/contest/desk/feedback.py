"""What may be told of an attack, to whom, when.

    told = AttackFeedback(moment, exact=viewer.organiser)
    told.of(attack)                    # FoundView: value, band, or until when to wait
    told.counted(attack)               # what the board reckons with: value, band's low edge, None

The same rule for the attacker, the defender and everybody: what the board shows never tells more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.entry_views import FoundView
from tokumei.contest.desk.moment import Moment
from tokumei.contest.spec.model import Feedback
from tokumei.contest.store.clock import aware
from tokumei.contest.store.tables import Entry, Score, Team


@dataclass(frozen=True)
class ScoredAttack:
    """A scored attack with the judge's figures in force."""

    entry: str
    team_id: int
    team: str
    target: str | None
    received_at: datetime
    value: float | None
    unsafe: bool


def scored_attacks(session: Session, contest_id: int) -> list[ScoredAttack]:
    """All scored attacks of teams that are not banned, the oldest first."""
    query = (
        select(
            Entry.id,
            Entry.team_id,
            Team.name,
            Entry.target_id,
            Entry.received_at,
            Score.safety,
            Score.unsafe,
        )
        .join(Team, Team.id == Entry.team_id)
        .join(Score, Score.entry_id == Entry.id)
        .where(
            Entry.contest_id == contest_id,
            Entry.target_id.is_not(None),
            Entry.state == "scored",
            Score.current,
            ~Team.banned,
        )
        .order_by(Entry.received_at, Entry.id)
    )
    return [ScoredAttack(*row) for row in session.execute(query)]


@dataclass(frozen=True)
class AttackFeedback:
    """The rule at one moment; `exact` for organisers."""

    moment: Moment
    exact: bool = False

    def waits_until(self, received_at: datetime) -> datetime | None:
        """Until when an attack is not told exactly; None if it is."""
        phase = self.moment.attack_phase_of(aware(received_at))
        if self.exact or self.moment.spec.feedback is Feedback.EXACT or phase is None:
            return None
        return phase.ends if self.moment.now < phase.ends else None

    def of(self, attack: ScoredAttack) -> FoundView:
        """What may be told of it now."""
        until = self.waits_until(attack.received_at)
        if until is None:
            return FoundView(value=attack.value, unsafe=attack.unsafe)
        if self.moment.spec.feedback is Feedback.BANDED and attack.value is not None:
            low, high = band_of(attack.value, self.moment.spec.bands)
            return FoundView(low=low, high=high, until=until)
        return FoundView(until=until)

    def counted(self, attack: ScoredAttack) -> tuple[float | None, bool]:
        """Value and unsafe, as far as they may be told."""
        told = self.of(attack)
        return (told.value if told.value is not None else told.low), bool(told.unsafe)

    def best(self, attacks: Iterable[ScoredAttack]) -> FoundView | None:
        """The strongest of several, as far as that may be told."""
        found = list(attacks)
        if not found:
            return None
        best = self.of(max(found, key=self._strength))
        broken = any(self.of(attack).unsafe for attack in found)
        return FoundView(**{**vars(best), "unsafe": broken}) if broken else best

    def _strength(self, attack: ScoredAttack) -> float:
        value, _ = self.counted(attack)
        return -1.0 if value is None else value


def band_of(value: float, edges: Sequence[float]) -> tuple[float, float]:
    """The band low ≤ value < high (the last one: ≤ 1)."""
    bounds = [0.0, *sorted(edges), 1.0]
    at = min(max(bisect_right(bounds, value) - 1, 0), len(bounds) - 2)
    return bounds[at], bounds[at + 1]
