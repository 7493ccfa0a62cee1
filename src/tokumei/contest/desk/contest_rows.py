"""Contests made ready to be shown."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.contest_files import open_files
from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.views import ContestView, DataFileView, PhaseView
from tokumei.contest.store.tables import Entry, Team


def contest_view(
    place: Place, session: Session, moment: Moment, *, guess_files: tuple[str, ...]
) -> ContestView:
    """A contest made ready to be shown."""
    spec = moment.spec
    phases = phase_views(moment)
    is_attack = Entry.target_id.is_not(None)
    zone = spec.phases[0].starts.utcoffset()
    return ContestView(
        slug=spec.slug,
        title=spec.title.text,
        about=spec.about.text,
        format=spec.format,
        offset_minutes=int(zone.total_seconds() // 60) if zone else 0,
        now=moment.now,
        state=_state(phases),
        phases=phases,
        current=next((phase for phase in phases if phase.state == "now"), None),
        next=min(
            (phase for phase in phases if phase.state == "coming"),
            key=lambda phase: phase.starts,
            default=None,
        ),
        quotas=spec.quotas.model_dump(),
        scoring=spec.scoring.model_dump(mode="json"),
        knowledge=spec.knowledge,
        feedback=spec.feedback.value,
        bands=spec.bands,
        leaderboard=spec.leaderboard.value,
        registration=spec.registration,
        data=_data(place, moment),
        secret_data=moment.spec.secret_data,
        guess_files=guess_files,
        judge_version=moment.row.judge_version,
        teams=_count(session, _teams(moment)),
        submissions=_count(session, _entries(moment).where(~is_attack)),
        attacks=_count(session, _entries(moment).where(is_attack)),
    )


def phase_views(moment: Moment) -> tuple[PhaseView, ...]:
    """The phases with the times in force."""
    views = []
    for number, phase in enumerate(moment.phases):
        state: Literal["over", "now", "coming"] = "now"
        if moment.now < phase.starts:
            state = "coming"
        elif moment.now >= phase.ends:
            state = "over"
        change = moment.changes.get(number)
        views.append(
            PhaseView(
                place=number,
                kind=phase.kind.value,
                starts=phase.starts,
                ends=phase.ends,
                state=state,
                changed=change is not None,
                reason=change.reason if change is not None else "",
            )
        )
    return tuple(views)


def _state(
    phases: tuple[PhaseView, ...],
) -> Literal["coming", "anonymize", "attack", "between", "over"]:
    for phase in phases:
        if phase.state == "now":
            return phase.kind
    states = {phase.state for phase in phases}
    if states == {"coming"}:
        return "coming"
    return "over" if states == {"over"} else "between"


def _data(place: Place, moment: Moment) -> tuple[DataFileView, ...]:
    folder = place.home.contests / moment.row.folder
    return tuple(
        DataFileView(key=key, name=name, size=(folder / name).stat().st_size)
        for key, name in open_files(moment.spec).items()
    )


def _teams(moment: Moment) -> Select[Any]:
    return select(func.count(Team.id)).where(
        Team.contest_id == moment.id, ~Team.hidden, ~Team.banned
    )


def _entries(moment: Moment) -> Select[Any]:
    return select(func.count(Entry.id)).where(Entry.contest_id == moment.id)


def _count(session: Session, query: Select[Any]) -> int:
    return session.scalar(query) or 0
