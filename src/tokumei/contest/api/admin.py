"""Routes of organisers."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import AwareDatetime, Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from tokumei.contest.api.routes import (
    BIGGEST,
    CHANGE,
    LOOK,
    Asker,
    EntryId,
    Here,
    Number,
    Question,
    Routes,
    Slug,
)
from tokumei.contest.desk import console, rejudging
from tokumei.contest.desk.accounts import end_invite, invites, new_invite
from tokumei.contest.desk.console import restore_entry, retry_job
from tokumei.contest.desk.console_views import (
    AuditPage,
    ConsoleEntryView,
    ConsoleTeamView,
    DiffView,
    InviteView,
    JudgeState,
    QueueView,
    RunView,
)
from tokumei.contest.desk.export import export_contest
from tokumei.contest.desk.passwords import NewReset, new_reset
from tokumei.contest.desk.settings import change_settings, delete_contest
from tokumei.contest.desk.views import ContestView, NewInviteView
from tokumei.contest.desk.watch import audit, judge_state, put_files_back, queue, use_files

routes = Routes(prefix="/contests/{slug}/admin", tags=["organisers"])
Why = Annotated[str, Field(min_length=1, max_length=500)]


class TeamChange(Question):
    """What becomes of a team; what is left out stays."""

    hidden: bool | None = None
    banned: bool | None = None
    reason: Why


class Reason(Question):
    """Why."""

    reason: Why


class Settings(Question):
    """Keys of contest.yaml; those of `title`, `about` and `quotas` one by one."""

    title: dict[str, str] | None = None
    about: dict[str, str] | None = None
    quotas: dict[str, int] | None = None
    feedback: str | None = None
    leaderboard: str | None = None
    registration: str | None = None
    reason: Why


class PhaseTimes(Question):
    """New times of a phase, with their zone."""

    starts: AwareDatetime
    ends: AwareDatetime
    reason: Why


class AccountName(Question):
    """Whose."""

    name: Annotated[str, Field(min_length=1, max_length=64)]


class InviteQuestion(Question):
    """A code for this contest (`register`) or for organisers of the server (`organiser`)."""

    kind: Literal["register", "organiser"] = "register"
    uses: Annotated[int, Field(ge=1, le=10_000)] = 1
    days: Annotated[int, Field(ge=1, le=3650)] = 30


@routes.get("/queue", "The judge's queue", *LOOK)
def see_queue(slug: Slug, place: Here, asker: Asker) -> QueueView:
    """What runs, waits, or failed lately."""
    return queue(place, asker, slug)


@routes.post("/queue/{job_id}/retry", "Have what failed judged again", *CHANGE)
def retry(slug: Slug, job_id: Number, place: Here, asker: Asker) -> QueueView:
    """`jobs` and `failed` of the queue have the number."""
    retry_job(place, asker, slug, job_id)
    return queue(place, asker, slug)


@routes.get("/judge", "The judge in force, and whether the folder is still that", *LOOK)
def see_judge(slug: Slug, place: Here, asker: Asker) -> JudgeState:
    """A changed file is not used before everything is judged again."""
    return judge_state(place, asker, slug)


@routes.post("/judge/put-back", "Undo changes of the contest's files", *CHANGE)
def put_back(slug: Slug, place: Here, asker: Asker) -> JudgeState:
    """They become those of the judge in force."""
    return put_files_back(place, asker, slug)


@routes.post("/judge/use", "Use changed files while nothing has been judged", *CHANGE)
def use(slug: Slug, place: Here, asker: Asker) -> JudgeState:
    """Afterwards only judging again changes the judge."""
    return use_files(place, asker, slug)


@routes.get("/teams", "All teams", *LOOK, lists="Teams")
def see_teams(slug: Slug, place: Here, asker: Asker) -> tuple[ConsoleTeamView, ...]:
    """Also hidden and banned ones."""
    return console.all_teams(place, asker, slug)


@routes.post("/teams/{team_id}", "Hide or ban a team, or take it back", *CHANGE)
def change_team(
    slug: Slug, team_id: Number, question: TeamChange, place: Here, asker: Asker
) -> ConsoleTeamView:
    """A banned team's attacks do not count."""
    return console.set_team(place, asker, slug, team_id, **dict(question))


@routes.get("/entries", "All entries", *LOOK, lists="AllEntries")
def see_entries(slug: Slug, place: Here, asker: Asker) -> tuple[ConsoleEntryView, ...]:
    """The newest first."""
    return console.all_entries(place, asker, slug)


@routes.post("/entries/{entry_id}/withdraw", "Take an entry out of the contest", *CHANGE)
def withdraw(
    slug: Slug, entry_id: EntryId, question: Reason, place: Here, asker: Asker
) -> ConsoleEntryView:
    """Until it is restored."""
    return console.withdraw(place, asker, slug, entry_id, question.reason)


@routes.post("/entries/{entry_id}/restore", "Take a withdrawal back", *CHANGE)
def restore(
    slug: Slug, entry_id: EntryId, question: Reason, place: Here, asker: Asker
) -> ConsoleEntryView:
    """The entry is again what it was."""
    return restore_entry(place, asker, slug, entry_id, question.reason)


@routes.put("/settings", "Change what needs no judging again", *CHANGE)
def settings(slug: Slug, question: Settings, place: Here, asker: Asker) -> ContestView:
    """What is left out, or null, stays."""
    given = question.model_dump(exclude={"reason"}, exclude_none=True)
    return change_settings(place, asker, slug, given, reason=question.reason)


@routes.post("/delete", "Remove a contest without uploads", *CHANGE, status=204)
def delete(slug: Slug, question: Reason, place: Here, asker: Asker) -> None:
    """Its address is free again."""
    delete_contest(place, asker, slug, reason=question.reason)


@routes.put("/phases/{number}", "New times of a phase", *CHANGE)
def change_phase(
    slug: Slug, number: Number, question: PhaseTimes, place: Here, asker: Asker
) -> ContestView:
    """0 is the first phase."""
    return console.change_phase(place, asker, slug, number, **dict(question))


@routes.post("/rejudge", "Judge all scored entries again, without effect yet", *CHANGE, status=202)
def rejudge(slug: Slug, place: Here, asker: Asker) -> DiffView:
    """The contest's folder counts as it is now."""
    return rejudging.rejudge(place, asker, slug)


@routes.post("/recheck", "Check the rules of all scored entries again", *CHANGE, status=202)
def recheck(slug: Slug, place: Here, asker: Asker) -> DiffView:
    """Changes nothing; entries with faults can be withdrawn."""
    return rejudging.recheck(place, asker, slug)


@routes.get("/rejudge", "All re-judgements", *LOOK, lists="Runs")
def see_runs(slug: Slug, place: Here, asker: Asker) -> tuple[RunView, ...]:
    """And re-checks."""
    return rejudging.runs(place, asker, slug)


@routes.get("/rejudge/{run}", "Old and new figures and ranks", *LOOK)
def see_run(slug: Slug, run: EntryId, place: Here, asker: Asker) -> DiffView:
    """`ready` when all entries are done."""
    return rejudging.run_of(place, asker, slug, run)


@routes.post("/rejudge/{run}/apply", "Make new figures current", *CHANGE)
def apply(slug: Slug, run: EntryId, place: Here, asker: Asker) -> DiffView:
    """The old ones are kept."""
    return rejudging.apply_run(place, asker, slug, run)


@routes.get("/audit", "The audit log", *LOOK, 422)
def see_audit(
    slug: Slug,
    place: Here,
    asker: Asker,
    before: Annotated[int | None, Query(ge=1, le=BIGGEST)] = None,
    rows: Annotated[int, Query(ge=1, le=1000)] = 200,
    who: Annotated[str, Query(max_length=64)] = "",
    action: Annotated[str, Query(max_length=40)] = "",
) -> AuditPage:
    """The newest first; of one person, of actions that begin so."""
    return audit(place, asker, slug, before=before, rows=rows, who=who, action=action)


@routes.get("/export", "Everything in one zip", *LOOK, sends="application/zip")
def export(slug: Slug, place: Here, asker: Asker) -> FileResponse:
    """CSV tables and published files; no uploads, no truth."""
    found = export_contest(place, asker, slug)
    return FileResponse(
        found.path,
        filename=found.name,
        media_type="application/zip",
        background=BackgroundTask(found.path.unlink, missing_ok=True),
    )


@routes.post("/resets", "A code that sets a forgotten password anew", *CHANGE, status=201)
def make_reset(slug: Slug, question: AccountName, place: Here, asker: Asker) -> NewReset:
    """Shown this once; `/reset?code=…` takes it."""
    return new_reset(place, asker, slug, question.name)


@routes.get("/invites", "All codes", *LOOK, lists="Invites")
def see_invites(slug: Slug, place: Here, asker: Asker) -> tuple[InviteView, ...]:
    """Without their secrets."""
    return invites(place, asker, slug)


@routes.post("/invites", "A new code", *CHANGE, status=201)
def make_invite(slug: Slug, question: InviteQuestion, place: Here, asker: Asker) -> NewInviteView:
    """The code is shown this once."""
    bound = slug if question.kind == "register" else None
    return new_invite(place, asker, slug=bound, **dict(question))


@routes.delete("/invites/{invite_id}", "Make a code useless", *LOOK)
def no_invite(slug: Slug, invite_id: Number, place: Here, asker: Asker) -> None:
    """Who used it stays."""
    end_invite(place, asker, invite_id)
