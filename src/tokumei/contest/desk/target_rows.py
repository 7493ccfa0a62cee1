"""Published releases in the tables, for those who have checked the rights."""

from __future__ import annotations

from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.published import ScoredRelease, published
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound

NO_TARGET = Text("there is no such target", "その対象はありません")


def open_targets(session: Session, moment: Moment) -> list[ScoredRelease]:
    """The published releases; none before the first attack phase."""
    return published(session, moment) if moment.attacks_begun else []


def require_target(session: Session, moment: Moment, target_id: str) -> ScoredRelease:
    """One of them; NotFound also for releases that are not published."""
    for release in open_targets(session, moment):
        if release.entry == target_id:
            return release
    raise NotFound(NO_TARGET)
