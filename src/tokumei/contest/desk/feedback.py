"""What may be told of figures, to whom, when.

    told = AttackFeedback(moment, exact=viewer.organiser)
    told.of(attack)                    # FoundView: value, band, or until when to wait
    told.counted(attack)               # what the board reckons with: value, band's low edge, None
    sight_of(moment, viewer)           # what others than its team see (`leaderboard`)

The same rule for the attacker, the defender and everybody: what the board shows never tells more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.entry_views import FoundView
from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.place import Viewer
from tokumei.contest.spec.model import Feedback, Kind, Visible
from tokumei.contest.standing import Attack
from tokumei.contest.store.database import aware
from tokumei.contest.store.tables import Entry, Score, Team
from tokumei.core.text import Text


@dataclass(frozen=True)
class Sight:
    """What can be seen now: figures of releases, of attacks; if not all, until when."""

    releases: bool
    attacks: bool
    until: datetime | None = None

    @property
    def hidden(self) -> Text | None:
        """Why something is hidden."""
        if self.until is None:
            return None
        when = f"{self.until:%Y-%m-%d %H:%M %z}"
        if self.releases:
            return Text(
                f"what attacks found is shown from {when} on", f"攻撃の結果は {when} に公開されます"
            )
        return Text(f"figures are shown from {when} on", f"成績は {when} に公開されます")


def sight_of(moment: Moment, viewer: Viewer) -> Sight:
    """What a viewer can see of other teams now."""
    rule = moment.spec.leaderboard
    if viewer.organiser or rule is Visible.ALWAYS or moment.now >= moment.end:
        return Sight(True, True)
    if rule is Visible.AFTER_CONTEST:
        return Sight(False, False, moment.end)
    if not moment.releases_over:
        return Sight(False, False, moment.releases_end)
    open_until = [p.ends for p in moment.of_kind(Kind.ATTACK) if p.starts <= moment.now < p.ends]
    return Sight(True, False, open_until[0]) if open_until else Sight(True, True)


@dataclass(frozen=True, kw_only=True)
class ScoredAttack(Attack):
    """A scored attack with the judge's figures in force."""

    entry: str
    team_id: int
    received_at: datetime


def scored_attacks(session: Session, contest_id: int) -> list[ScoredAttack]:
    """All scored attacks of teams that are not banned, the oldest first."""
    named = Team.name.label("attacker"), Entry.target_id.label("target")
    query = scored(contest_id, *named, Score.safety.label("value"))
    rows = session.execute(query.where(Entry.target_id.is_not(None), ~Team.banned))
    return [ScoredAttack(**row) for row in rows.mappings()]


def scored(contest_id: int, *columns: Any) -> Select[Any]:
    """Scored entries with the figures in force, the oldest first, and further columns of them."""
    always = Entry.id.label("entry"), Entry.team_id, Entry.received_at, Score.unsafe
    return (
        select(*always, *columns)
        .join(Team, Team.id == Entry.team_id)
        .join(Score, Score.entry_id == Entry.id)
        .where(Entry.contest_id == contest_id, Entry.state == "scored", Score.current)
        .order_by(Entry.received_at, Entry.id)
    )


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
        return self.told(attack.received_at, attack.value, attack.unsafe)

    def told(self, received_at: datetime, value: float | None, unsafe: bool) -> FoundView:
        """What may be told now of an attack that came then and found this."""
        until = self.waits_until(received_at)
        if until is None:
            return FoundView(value=value, unsafe=unsafe)
        if self.moment.spec.feedback is Feedback.BANDED and value is not None:
            low, high = band_of(value, self.moment.spec.bands)
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
