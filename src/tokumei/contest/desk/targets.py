"""Published releases, to be attacked.

    for target in targets(place, viewer, "cup"): ...
    public_file(place, viewer, "cup", target.id).path

For members of teams and organisers, from the first attack phase on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tokumei.contest.desk.entry_views import TargetView
from tokumei.contest.desk.feedback import AttackFeedback, ScoredAttack, scored_attacks
from tokumei.contest.desk.lookups import find_entry
from tokumei.contest.desk.membership import require_insider
from tokumei.contest.desk.moment import Moment, looking
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.published import NO_TARGET, ScoredRelease, open_targets
from tokumei.contest.desk.quotas import Use, attempts_on, uses_of
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.desk.views import Download
from tokumei.contest.spec.model import Kind
from tokumei.contest.store.tables import Entry, Team
from tokumei.http.refusals import NotFound


@dataclass(frozen=True)
class _Beside:
    """What all targets of one answer share."""

    session: Session
    moment: Moment
    team: Team | None
    uses: list[Use]
    attacks: dict[str | None, list[ScoredAttack]]
    feedback: AttackFeedback
    guess_files: tuple[str, ...]


def targets(place: Place, viewer: Viewer, slug: str) -> tuple[TargetView, ...]:
    """All published releases; empty before the first attack phase."""
    with looking(place, slug) as (session, moment):
        team = require_insider(session, moment, viewer)
        shared = _beside(place, session, moment, viewer, team)
        numbers: dict[int, int] = defaultdict(int)
        views = []
        for release in open_targets(session, moment):
            numbers[release.team_id] += 1
            views.append(_view(place, shared, release, numbers[release.team_id]))
        return tuple(views)


def target_of(place: Place, viewer: Viewer, slug: str, target_id: str) -> TargetView:
    """One published release."""
    for found in targets(place, viewer, slug):
        if found.id == target_id:
            return found
    raise NotFound(NO_TARGET)


def public_file(place: Place, viewer: Viewer, slug: str, target_id: str) -> Download:
    """S of a published release; of one's own, and for organisers, also before that."""
    with looking(place, slug) as (session, moment):
        team = require_insider(session, moment, viewer)
        entry = find_entry(session, moment.id, target_id)
        if entry.public_sha256 is None:
            raise NotFound(NO_TARGET)
        mine = team is None or entry.team_id == team.id
        shown = any(release.entry == entry.id for release in open_targets(session, moment))
        if not (mine or shown):
            raise NotFound(NO_TARGET)
        return Download(place.home.files.path(entry.public_sha256), f"S-{entry.id}.csv")


def _beside(
    place: Place, session: Session, moment: Moment, viewer: Viewer, team: Team | None
) -> _Beside:
    attacks: dict[str | None, list[ScoredAttack]] = defaultdict(list)
    for attack in scored_attacks(session, moment.id):
        if team is not None and attack.team_id == team.id:
            attacks[attack.target].append(attack)
    described = place.described(moment.row.folder, moment.row.judge_version)
    return _Beside(
        session,
        moment,
        team,
        uses_of(session, team.id) if team is not None else [],
        attacks,
        AttackFeedback(moment, exact=viewer.organiser),
        tuple(described.guess_files),
    )


def _view(place: Place, shared: _Beside, release: ScoredRelease, number: int) -> TargetView:
    entry = shared.session.get_one(Entry, release.entry)
    sha256 = entry.public_sha256 or ""
    used = attempts_on(shared.uses, entry.id)
    left = max(0, shared.moment.spec.quotas.attempts_per_target - used)
    team = shared.team
    own = team is not None and team.id == entry.team_id
    playing = team is not None and not own
    return TargetView(
        id=entry.id,
        team=release.team,
        number=number,
        size=place.home.files.path(sha256).stat().st_size if sha256 else 0,
        public_sha256=sha256,
        public_commitment=entry.public_commitment,
        truth_commitment=entry.truth_commitment,
        own=own,
        attempts_used=used,
        attempts_left=left,
        best=shared.feedback.best(shared.attacks[entry.id]),
        guess_files=shared.guess_files,
        open=playing and left > 0 and shared.moment.is_open(Kind.ATTACK),
    )
