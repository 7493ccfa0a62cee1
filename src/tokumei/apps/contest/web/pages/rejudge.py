"""Pages for rejudging and rechecking: preview of the changes, then the change."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.contest.services.administration import withdraw_entry
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.monitoring import adopt_contest_files, restore_contest_files
from tokumei.apps.contest.services.rejudging import (
    apply_run,
    get_run_diff,
    list_runs,
    start_rechecking,
    start_rejudging,
)
from tokumei.apps.contest.web.pages.console import render_console_page
from tokumei.apps.contest.web.rendering import add_form_page, redirect, render_live_part
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
)
from tokumei.core.messages import Message

router = APIRouter()
FILE_ACTIONS = {
    "put-back": (
        restore_contest_files,
        FlashMessage(Message("The files are those of the judge in force.")),
    ),
    "use": (adopt_contest_files, FlashMessage(Message("The changed files are in force."))),
}
RUN_TITLES = {"rejudge": Message("Judging again"), "recheck": Message("Checking rules again")}


def _start_run(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage | Response:
    """Begin a run, which changes nothing yet; or settle which files count."""
    if form["do"] in FILE_ACTIONS:
        change, message = FILE_ACTIONS[form["do"]]
        visit.ask(change, slug)
        return message
    begin = form.chosen({"rejudge": start_rejudging, "recheck": start_rechecking})
    return redirect(visit, f"/c/{slug}/console/rejudge/{visit.ask(begin, slug).run}")


@router.get("/c/{slug}/console/rejudge/{run}/state")
def show_run_state(visit: CurrentRequest, slug: str, run: str) -> Response:
    """How far it is, for the page that shows it."""
    diff = visit.ask(get_run_diff, slug, run)
    contest = visit.ask(get_contest_view, slug)
    return render_live_part(
        visit, "console/run_state.html", finished=diff.ready, diff=diff, contest=contest
    )


def _apply_run(visit: RequestContext, slug: str, run: str, _: PostedForm) -> FlashMessage:
    visit.ask(apply_run, slug, run)
    return FlashMessage(Message("The new scores are now in force; the old ones are kept."))


def _withdraw_entry(visit: RequestContext, slug: str, _: str, form: PostedForm) -> FlashMessage:
    entry = visit.ask(withdraw_entry, slug, form["entry"], form["reason"])
    return FlashMessage(Message("An entry of “{team}” is withdrawn.", team=entry.team))


def _runs_page(visit: RequestContext, slug: str) -> Response:
    """All runs, and the buttons to begin one."""
    run_views = visit.ask(list_runs, slug)
    return render_console_page(visit, slug, "rejudge", runs=run_views, titles=RUN_TITLES)


def _run_page(visit: RequestContext, slug: str, run: str) -> Response:
    """What a run found."""
    diff = visit.ask(get_run_diff, slug, run)
    return render_console_page(
        visit,
        slug,
        "rejudge",
        template="console/run.html",
        title=RUN_TITLES[diff.kind],
        diff=diff,
        changed=[row for row in diff.rows if row.changed or row.now_rejected or row.error],
    )


add_form_page(router, "/c/{slug}/console/rejudge", _runs_page, _start_run)
add_form_page(
    router,
    "/c/{slug}/console/rejudge/{run}",
    _run_page,
    {"apply": _apply_run, "withdraw": _withdraw_entry},
)
