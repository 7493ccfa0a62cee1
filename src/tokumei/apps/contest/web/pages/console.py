"""Pages of the organiser's console: queue, teams, entries, phases, codes, audit log, export."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from tokumei.apps.contest.services.accounts import create_invite, list_invites, revoke_invite
from tokumei.apps.contest.services.administration import (
    change_phase,
    list_entries,
    list_teams,
    restore_entry,
    retry_job,
    set_team_status,
    withdraw_entry,
)
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.export import export_contest
from tokumei.apps.contest.services.monitoring import read_audit_log, read_judge_state, read_queue
from tokumei.apps.contest.services.passwords import create_reset_code
from tokumei.apps.contest.web.audit_labels import ACTION_GROUPS
from tokumei.apps.contest.web.formatting import parse_field_value
from tokumei.apps.contest.web.rendering import (
    TemplateValue,
    add_form_page,
    redirect,
    render_contest_page,
    render_live_part,
)
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
    SmallForm,
)
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

router = APIRouter()
PER_PAGE = 100
CONSOLE_SECTIONS = {
    "queue": ("", Message("Queue")),
    "teams": ("/teams", Message("Teams")),
    "entries": ("/entries", Message("Entries")),
    "phases": ("/phases", Message("Phases")),
    "settings": ("/settings", Message("Settings")),
    "files": ("/files", Message("Files")),
    "rejudge": ("/rejudge", Message("Judge again", context="a heading")),
    "invites": ("/invites", Message("Invites")),
    "organisers": ("/organisers", Message("Organisers")),
    "collusion": ("/collusion", Message("Collusion")),
    "audit": ("/audit", Message("Audit log")),
    "export": ("/export", Message("Export")),
}
TEAM_CHANGES: dict[str, tuple[dict[str, bool], Message]] = {
    "hide": ({"hidden": True}, Message("“{team}” is hidden.")),
    "show": ({"hidden": False}, Message("“{team}” is shown again.")),
    "ban": ({"banned": True}, Message("“{team}” is banned.")),
    "unban": ({"banned": False}, Message("“{team}” may take part again.")),
}
ENTRY_CHANGES = {
    "withdraw": (withdraw_entry, Message("An entry of “{team}” is withdrawn.")),
    "restore": (restore_entry, Message("An entry of “{team}” takes part again.")),
}


def render_console_page(
    visit: RequestContext,
    slug: str,
    section: str,
    *,
    template: str = "",
    title: Message | None = None,
    **variables: TemplateValue,
) -> Response:
    """A page of the console."""
    visit.viewer.require_organiser()
    return render_contest_page(
        visit,
        slug,
        "console",
        template=template or f"console/{section}.html",
        title=title or CONSOLE_SECTIONS[section][1],
        section=section,
        sections=CONSOLE_SECTIONS,
        judge=visit.ask(read_judge_state, slug),
        **variables,
    )


def _queue_page(visit: RequestContext, slug: str) -> Response:
    """What is judged and what waits."""
    return render_console_page(visit, slug, "queue", queue=visit.ask(read_queue, slug))


def _retry_job(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    """Have a failed upload judged again."""
    visit.ask(retry_job, slug, form.number("job"))
    return FlashMessage(Message("It will be judged again."))


add_form_page(router, "/c/{slug}/console", _queue_page, _retry_job)


@router.get("/c/{slug}/console/queue")
def show_queue_part(visit: CurrentRequest, slug: str) -> Response:
    """The same, for the page that shows it."""
    variables = {"queue": visit.ask(read_queue, slug), "contest": visit.ask(get_contest_view, slug)}
    return render_live_part(visit, "console/jobs.html", finished=False, **variables)


@router.get("/c/{slug}/console/audit")
def show_audit(
    visit: CurrentRequest, slug: str, before: int | None = None, who: str = "", what: str = ""
) -> Response:
    """What was done by whom; of one person, of one kind."""
    kind = what if what in ACTION_GROUPS else ""
    audit_page = visit.ask(read_audit_log, slug, before=before, who=who, action=kind)
    filters = {"who": who, "what": kind}
    return render_console_page(
        visit,
        slug,
        "audit",
        audit=audit_page,
        before=before,
        groups=ACTION_GROUPS,
        chosen=filters,
        kept=urlencode(filters),
    )


@router.get("/c/{slug}/console/export")
def show_export(visit: CurrentRequest, slug: str) -> Response:
    """What an export holds."""
    return render_console_page(visit, slug, "export")


@router.get("/c/{slug}/console/export.zip")
def send_export(visit: CurrentRequest, slug: str) -> Response:
    """Everything in one zip."""
    download = visit.ask(export_contest, slug)
    remove = BackgroundTask(download.path.unlink, missing_ok=True)
    return FileResponse(
        download.path, filename=download.name, media_type="application/zip", background=remove
    )


def _phases_page(visit: RequestContext, slug: str) -> Response:
    return render_console_page(visit, slug, "phases", typed=visit.typed)


def _move_phase(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    minutes = visit.ask(get_contest_view, slug).offset_minutes
    times = {name: _parse_time_field(form, name, minutes) for name in ("starts", "ends")}
    visit.ask(change_phase, slug, form.number("phase"), reason=form["reason"], **times)
    return FlashMessage(Message("The phase has new times."))


add_form_page(router, "/c/{slug}/console/phases", _phases_page, _move_phase)


@router.post("/c/{slug}/console/entries")
def change_entry_status(visit: CurrentRequest, slug: str, form: SmallForm) -> Response:
    """Take an entry out of the contest, or back in."""
    visit.viewer.require_organiser()
    try:
        change, outcome = form.chosen(ENTRY_CHANGES)
        team = visit.ask(change, slug, form["entry"], form["reason"]).team
    except TokumeiError as refusal:
        visit.refusal, visit.typed = refusal, form
        return show_entries(visit, slug, form["text"], form.number_or("page", 1))
    note = FlashMessage(outcome.fill(team=team))
    query = urlencode({"text": form["text"], "page": form.number_or("page", 1)})
    return redirect(visit, f"/c/{slug}/console/entries?{query}", note)


def _parse_time_field(form: PostedForm, name: str, minutes: int) -> datetime:
    try:
        return parse_field_value(form[name], minutes=minutes)
    except ValueError:
        raise UnprocessableContent("a time is missing or wrong") from None


@router.get("/c/{slug}/console/entries")
def show_entries(visit: CurrentRequest, slug: str, text: str = "", page: int = 1) -> Response:
    """All entries of all teams."""
    search_text = text.casefold()
    matches = [
        entry
        for entry in visit.ask(list_entries, slug)
        if search_text in f"{entry.team} {entry.label} {entry.file_name} {entry.id}".casefold()
    ]
    pages = max(1, -(-len(matches) // PER_PAGE))
    page = min(max(1, page), pages)
    return render_console_page(
        visit,
        slug,
        "entries",
        typed=visit.typed,
        entries=matches[(page - 1) * PER_PAGE : page * PER_PAGE],
        found=len(matches),
        text=text,
        number=page,
        pages=pages,
    )


def _teams_page(visit: RequestContext, slug: str) -> Response:
    teams = visit.ask(list_teams, slug)
    return render_console_page(visit, slug, "teams", teams=teams, typed=visit.typed)


def _set_team_status(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    """Hide or ban a team, or take it back."""
    change, outcome = form.chosen(TEAM_CHANGES)
    team = visit.ask(set_team_status, slug, form.number("team"), reason=form["reason"], **change)
    return FlashMessage(outcome.fill(team=team.name))


add_form_page(router, "/c/{slug}/console/teams", _teams_page, _set_team_status)


def _invites_page(visit: RequestContext, slug: str) -> Response:
    invite_views = visit.ask(list_invites, slug)
    return render_console_page(visit, slug, "invites", invites=invite_views, typed=visit.typed)


def _create_invite(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    kinds: dict[str, Literal["register", "organiser"]]
    kinds = {"register": "register", "organiser": "organiser"}
    kind = form.chosen(kinds, "kind")
    new_code = visit.ask(
        create_invite,
        kind,
        slug=slug if kind == "register" else None,
        uses=form.number("uses"),
        days=form.number("days"),
    )
    return FlashMessage(
        Message("New code (uses: {uses}). Copy it now, it is not shown again.", uses=new_code.uses),
        new_code.code,
    )


def _create_reset_link(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    reset_code = visit.ask(create_reset_code, slug, form["name"])
    return FlashMessage(
        Message(
            "A link for “{account}”, valid for 24 hours. Copy it now, it is not shown again.",
            account=reset_code.name,
        ),
        f"{visit.server}/reset?code={reset_code.code}",
    )


def _end_invite(visit: RequestContext, _: str, form: PostedForm) -> FlashMessage:
    visit.ask(revoke_invite, form.number("id"))
    return FlashMessage(Message("The code is no longer valid."))


add_form_page(
    router,
    "/c/{slug}/console/invites",
    _invites_page,
    {"make": _create_invite, "end": _end_invite, "reset": _create_reset_link},
)
