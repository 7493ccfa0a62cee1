"""Routes of organisers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from tokumei.contest.api.answers import AllEntries, Runs, Teams
from tokumei.contest.api.asking import (
    BIGGEST,
    Asker,
    EntryId,
    Here,
    Number,
    Question,
    Slug,
    file_answer,
    refusals,
    shown,
)
from tokumei.contest.desk import console, rejudging
from tokumei.contest.desk.console_log import audit, queue
from tokumei.contest.desk.console_views import (
    AuditPage,
    ConsoleEntryView,
    ConsoleTeamView,
    DiffView,
    QueueView,
)
from tokumei.contest.desk.export import export_contest
from tokumei.contest.desk.views import ContestView

router = APIRouter(prefix="/contests/{slug}/admin", tags=["organisers"])
Why = Annotated[str, Field(min_length=1, max_length=500)]
LOOK = refusals(401, 403, 404)
CHANGE = refusals(401, 403, 404, 409, 422)


class TeamChange(Question):
    """What becomes of a team; what is left out stays."""

    hidden: bool | None = None
    banned: bool | None = None
    reason: Why


class Reason(Question):
    """Why."""

    reason: Why


class PhaseTimes(Question):
    """New times of a phase, with their zone."""

    starts: AwareDatetime
    ends: AwareDatetime
    reason: Why


@router.get("/queue", response_model=QueueView, responses=LOOK, summary="The judge's queue")
def see_queue(slug: Slug, place: Here, asker: Asker) -> Response:
    """What runs, waits, or failed lately."""
    return shown(queue(place, asker, slug))


@router.get("/teams", response_model=Teams, responses=LOOK, summary="All teams")
def see_teams(slug: Slug, place: Here, asker: Asker) -> Response:
    """Also hidden and banned ones."""
    return shown(Teams(console.all_teams(place, asker, slug)))


@router.post(
    "/teams/{team_id}",
    response_model=ConsoleTeamView,
    responses=CHANGE,
    summary="Hide or ban a team, or take it back",
)
def change_team(
    slug: Slug, team_id: Number, question: TeamChange, place: Here, asker: Asker
) -> Response:
    """A banned team's attacks do not count."""
    view = console.set_team(
        place,
        asker,
        slug,
        team_id,
        hidden=question.hidden,
        banned=question.banned,
        reason=question.reason,
    )
    return shown(view)


@router.get("/entries", response_model=AllEntries, responses=LOOK, summary="All entries")
def see_entries(slug: Slug, place: Here, asker: Asker) -> Response:
    """The newest first."""
    return shown(AllEntries(console.all_entries(place, asker, slug)))


@router.post(
    "/entries/{entry_id}/withdraw",
    response_model=ConsoleEntryView,
    responses=CHANGE,
    summary="Take an entry out of the contest",
)
def withdraw(
    slug: Slug, entry_id: EntryId, question: Reason, place: Here, asker: Asker
) -> Response:
    """For good."""
    return shown(console.withdraw(place, asker, slug, entry_id, question.reason))


@router.put(
    "/phases/{number}",
    response_model=ContestView,
    responses=CHANGE,
    summary="New times of a phase",
)
def change_phase(
    slug: Slug, number: Number, question: PhaseTimes, place: Here, asker: Asker
) -> Response:
    """0 is the first phase."""
    view = console.change_phase(
        place,
        asker,
        slug,
        number,
        starts=question.starts,
        ends=question.ends,
        reason=question.reason,
    )
    return shown(view)


@router.post(
    "/rejudge",
    response_model=DiffView,
    status_code=202,
    responses=CHANGE,
    summary="Judge all scored entries again, without effect yet",
)
def rejudge(slug: Slug, place: Here, asker: Asker) -> Response:
    """The contest's folder counts as it is now."""
    return shown(rejudging.rejudge(place, asker, slug), 202)


@router.post(
    "/recheck",
    response_model=DiffView,
    status_code=202,
    responses=CHANGE,
    summary="Check the rules of all scored entries again",
)
def recheck(slug: Slug, place: Here, asker: Asker) -> Response:
    """Changes nothing; entries with faults can be withdrawn."""
    return shown(rejudging.recheck(place, asker, slug), 202)


@router.get("/rejudge", response_model=Runs, responses=LOOK, summary="All re-judgements")
def see_runs(slug: Slug, place: Here, asker: Asker) -> Response:
    """And re-checks."""
    return shown(Runs(rejudging.runs(place, asker, slug)))


@router.get(
    "/rejudge/{run}",
    response_model=DiffView,
    responses=LOOK,
    summary="Old and new figures and ranks",
)
def see_run(slug: Slug, run: EntryId, place: Here, asker: Asker) -> Response:
    """`ready` when all entries are done."""
    return shown(rejudging.run_of(place, asker, slug, run))


@router.post(
    "/rejudge/{run}/apply",
    response_model=DiffView,
    responses=CHANGE,
    summary="Make new figures current",
)
def apply(slug: Slug, run: EntryId, place: Here, asker: Asker) -> Response:
    """The old ones are kept."""
    return shown(rejudging.apply_run(place, asker, slug, run))


@router.get(
    "/audit",
    response_model=AuditPage,
    responses=refusals(401, 403, 404, 422),
    summary="The audit log",
)
def see_audit(
    slug: Slug,
    place: Here,
    asker: Asker,
    before: Annotated[int | None, Query(ge=1, le=BIGGEST)] = None,
    rows: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> Response:
    """The newest first."""
    return shown(audit(place, asker, slug, before=before, rows=rows))


@router.get(
    "/export",
    responses=LOOK | file_answer("application/zip"),
    response_class=FileResponse,
    summary="Everything in one zip",
)
def export(slug: Slug, place: Here, asker: Asker) -> Response:
    """CSV tables and published files; no uploads, no truth."""
    found = export_contest(place, asker, slug)
    return FileResponse(
        found.path,
        filename=found.name,
        media_type="application/zip",
        background=BackgroundTask(found.path.unlink, missing_ok=True),
    )
