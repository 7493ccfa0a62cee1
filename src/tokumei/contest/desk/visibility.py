"""When figures are shown to others than their team: `leaderboard` in contest.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.spec.model import Kind, Visible
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


def shows_attacks(moment: Moment, viewer: Viewer) -> bool:
    """Whether what attacks found can be seen by those who did not make them."""
    return sight_of(moment, viewer).attacks
