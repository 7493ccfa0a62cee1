"""Routes for organisers."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import AwareDatetime, Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from tokumei.apps.contest.api.routing import (
    BIGGEST_NUMBER,
    READ_ERRORS,
    WRITE_ERRORS,
    CurrentContext,
    CurrentViewer,
    EntryId,
    RequestBody,
    RowId,
    Slug,
    ViewRouter,
)
from tokumei.apps.contest.services import administration, rejudging
from tokumei.apps.contest.services.accounts import create_invite, list_invites, revoke_invite
from tokumei.apps.contest.services.admin_views import (
    AdminEntryView,
    AdminTeamView,
    AuditPage,
    InviteView,
    JudgeStateView,
    QueueView,
    RejudgingDiffView,
    RejudgingRunView,
)
from tokumei.apps.contest.services.administration import restore_entry, retry_job
from tokumei.apps.contest.services.contest_settings import change_settings, delete_contest
from tokumei.apps.contest.services.export import export_contest
from tokumei.apps.contest.services.monitoring import (
    adopt_contest_files,
    read_audit_log,
    read_judge_state,
    read_queue,
    restore_contest_files,
)
from tokumei.apps.contest.services.passwords import ResetCodeView, create_reset_code
from tokumei.apps.contest.services.view_models import ContestView, NewInviteView

routes = ViewRouter(prefix="/contests/{slug}/admin", tags=["organisers"])
ReasonText = Annotated[str, Field(min_length=1, max_length=500)]


class TeamStatusBody(RequestBody):
    """What becomes of a team; what is left out stays."""

    hidden: bool | None = None
    banned: bool | None = None
    reason: ReasonText


class ReasonBody(RequestBody):
    """Why."""

    reason: ReasonText


class SettingsBody(RequestBody):
    """Keys of contest.yaml; those of `title`, `about` and `quotas` one by one."""

    title: dict[str, str] | None = None
    about: dict[str, str] | None = None
    quotas: dict[str, int] | None = None
    feedback: str | None = None
    leaderboard: str | None = None
    registration: str | None = None
    reason: ReasonText


class PhaseTimesBody(RequestBody):
    """New times of a phase, with their zone."""

    starts: AwareDatetime
    ends: AwareDatetime
    reason: ReasonText


class AccountNameBody(RequestBody):
    """Whose."""

    name: Annotated[str, Field(min_length=1, max_length=64)]


class InviteBody(RequestBody):
    """A code for this contest (`register`) or for organisers of the server (`organiser`)."""

    kind: Literal["register", "organiser"] = "register"
    uses: Annotated[int, Field(ge=1, le=10_000)] = 1
    days: Annotated[int, Field(ge=1, le=3650)] = 30


@routes.get("/queue", "The judge's queue", *READ_ERRORS)
def get_queue(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> QueueView:
    """What runs, waits, or failed lately."""
    return read_queue(place, asker, slug)


@routes.post("/queue/{job_id}/retry", "Have what failed judged again", *WRITE_ERRORS)
def retry_queue_job(
    slug: Slug, job_id: RowId, place: CurrentContext, asker: CurrentViewer
) -> QueueView:
    """`jobs` and `failed` of the queue have the number."""
    retry_job(place, asker, slug, job_id)
    return read_queue(place, asker, slug)


@routes.get("/judge", "The judge in force, and whether the folder is still that", *READ_ERRORS)
def get_judge_state(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> JudgeStateView:
    """A changed file is not used before everything is judged again."""
    return read_judge_state(place, asker, slug)


@routes.post("/judge/put-back", "Undo changes of the contest's files", *WRITE_ERRORS)
def restore_judge_files(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> JudgeStateView:
    """They become those of the judge in force."""
    return restore_contest_files(place, asker, slug)


@routes.post("/judge/use", "Use changed files while nothing has been judged", *WRITE_ERRORS)
def adopt_judge_files(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> JudgeStateView:
    """Afterwards only judging again changes the judge."""
    return adopt_contest_files(place, asker, slug)


@routes.get("/teams", "All teams", *READ_ERRORS, lists="Teams")
def list_all_teams(
    slug: Slug, place: CurrentContext, asker: CurrentViewer
) -> tuple[AdminTeamView, ...]:
    """Also hidden and banned ones."""
    return administration.list_teams(place, asker, slug)


@routes.post("/teams/{team_id}", "Hide or ban a team, or take it back", *WRITE_ERRORS)
def update_team(
    slug: Slug,
    team_id: RowId,
    question: TeamStatusBody,
    place: CurrentContext,
    asker: CurrentViewer,
) -> AdminTeamView:
    """A banned team's attacks do not count."""
    return administration.set_team_status(place, asker, slug, team_id, **dict(question))


@routes.get("/entries", "All entries", *READ_ERRORS, lists="AllEntries")
def list_all_entries(
    slug: Slug, place: CurrentContext, asker: CurrentViewer
) -> tuple[AdminEntryView, ...]:
    """The newest first."""
    return administration.list_entries(place, asker, slug)


@routes.post("/entries/{entry_id}/withdraw", "Take an entry out of the contest", *WRITE_ERRORS)
def withdraw_entry(
    slug: Slug, entry_id: EntryId, question: ReasonBody, place: CurrentContext, asker: CurrentViewer
) -> AdminEntryView:
    """Until it is restored."""
    return administration.withdraw_entry(place, asker, slug, entry_id, question.reason)


@routes.post("/entries/{entry_id}/restore", "Take a withdrawal back", *WRITE_ERRORS)
def restore_withdrawn_entry(
    slug: Slug, entry_id: EntryId, question: ReasonBody, place: CurrentContext, asker: CurrentViewer
) -> AdminEntryView:
    """The entry is again what it was."""
    return restore_entry(place, asker, slug, entry_id, question.reason)


@routes.put("/settings", "Change what needs no judging again", *WRITE_ERRORS)
def update_settings(
    slug: Slug, question: SettingsBody, place: CurrentContext, asker: CurrentViewer
) -> ContestView:
    """What is left out, or null, stays."""
    changes = question.model_dump(exclude={"reason"}, exclude_none=True)
    return change_settings(place, asker, slug, changes, reason=question.reason)


@routes.post("/delete", "Remove a contest without uploads", *WRITE_ERRORS, status=204)
def remove_contest(
    slug: Slug, question: ReasonBody, place: CurrentContext, asker: CurrentViewer
) -> None:
    """Its address is free again."""
    delete_contest(place, asker, slug, reason=question.reason)


@routes.put("/phases/{number}", "New times of a phase", *WRITE_ERRORS)
def update_phase(
    slug: Slug, number: RowId, question: PhaseTimesBody, place: CurrentContext, asker: CurrentViewer
) -> ContestView:
    """0 is the first phase."""
    return administration.change_phase(place, asker, slug, number, **dict(question))


@routes.post(
    "/rejudge", "Judge all scored entries again, without effect yet", *WRITE_ERRORS, status=202
)
def rejudge_contest(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> RejudgingDiffView:
    """The contest's folder counts as it is now."""
    return rejudging.start_rejudging(place, asker, slug)


@routes.post("/recheck", "Check the rules of all scored entries again", *WRITE_ERRORS, status=202)
def recheck_contest(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> RejudgingDiffView:
    """Changes nothing; entries with faults can be withdrawn."""
    return rejudging.start_rechecking(place, asker, slug)


@routes.get("/rejudge", "All re-judgements", *READ_ERRORS, lists="Runs")
def list_rejudging_runs(
    slug: Slug, place: CurrentContext, asker: CurrentViewer
) -> tuple[RejudgingRunView, ...]:
    """And re-checks."""
    return rejudging.list_runs(place, asker, slug)


@routes.get("/rejudge/{run}", "Old and new figures and ranks", *READ_ERRORS)
def get_rejudging_run(
    slug: Slug, run: EntryId, place: CurrentContext, asker: CurrentViewer
) -> RejudgingDiffView:
    """`ready` when all entries are done."""
    return rejudging.get_run_diff(place, asker, slug, run)


@routes.post("/rejudge/{run}/apply", "Make new figures current", *WRITE_ERRORS)
def apply_rejudging_run(
    slug: Slug, run: EntryId, place: CurrentContext, asker: CurrentViewer
) -> RejudgingDiffView:
    """The old ones are kept."""
    return rejudging.apply_run(place, asker, slug, run)


@routes.get("/audit", "The audit log", *READ_ERRORS, 422)
def get_audit_log(
    slug: Slug,
    place: CurrentContext,
    asker: CurrentViewer,
    before: Annotated[int | None, Query(ge=1, le=BIGGEST_NUMBER)] = None,
    rows: Annotated[int, Query(ge=1, le=1000)] = 200,
    who: Annotated[str, Query(max_length=64)] = "",
    action: Annotated[str, Query(max_length=40)] = "",
) -> AuditPage:
    """The newest first; of one person, of actions that begin so."""
    return read_audit_log(place, asker, slug, before=before, rows=rows, who=who, action=action)


@routes.get("/export", "Everything in one zip", *READ_ERRORS, sends="application/zip")
def download_export(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> FileResponse:
    """CSV tables and published files; no uploads, no truth."""
    download = export_contest(place, asker, slug)
    return FileResponse(
        download.path,
        filename=download.name,
        media_type="application/zip",
        background=BackgroundTask(download.path.unlink, missing_ok=True),
    )


@routes.post("/resets", "A code that sets a forgotten password anew", *WRITE_ERRORS, status=201)
def create_password_reset(
    slug: Slug, question: AccountNameBody, place: CurrentContext, asker: CurrentViewer
) -> ResetCodeView:
    """Shown this once; `/reset?code=…` takes it."""
    return create_reset_code(place, asker, slug, question.name)


@routes.get("/invites", "All codes", *READ_ERRORS, lists="Invites")
def get_invites(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[InviteView, ...]:
    """Without their secrets."""
    return list_invites(place, asker, slug)


@routes.post("/invites", "A new code", *WRITE_ERRORS, status=201)
def create_contest_invite(
    slug: Slug, question: InviteBody, place: CurrentContext, asker: CurrentViewer
) -> NewInviteView:
    """The code is shown this once."""
    bound = slug if question.kind == "register" else None
    return create_invite(place, asker, slug=bound, **dict(question))


@routes.delete("/invites/{invite_id}", "Make a code useless", *READ_ERRORS)
def delete_invite(
    slug: Slug, invite_id: RowId, place: CurrentContext, asker: CurrentViewer
) -> None:
    """Who used it stays."""
    revoke_invite(place, asker, invite_id)
