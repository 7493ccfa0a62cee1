"""Renders pages, redirects and short responses.

render_page(visit, "login.html", title=Message("Log in"), next="/")
render_contest_page(visit, "cup", "team", title=Message("Team"))
redirect(visit, "/c/cup/team", FlashMessage(Message("You left the team.")))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias
from urllib.parse import quote

from fastapi import APIRouter, Depends
from jinja2 import Environment
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.context import Viewer
from tokumei.apps.contest.services.news import count_unanswered_questions, latest_announcement
from tokumei.apps.contest.services.teams import get_team_view
from tokumei.apps.contest.services.view_models import ContestView, Download, TeamView
from tokumei.apps.contest.web import audit_labels, formatting, labels
from tokumei.apps.contest.web.markdown import first_line, prose
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
    read_small_form,
)
from tokumei.apps.http.errors import NotFound, http_headers, http_status
from tokumei.apps.http.templates import format_sentence, make_template_environment
from tokumei.core.errors import TokumeiError
from tokumei.core.language import language_context
from tokumei.core.messages import Message

TEMPLATE_FILTERS = (
    *(
        formatting.score,
        formatting.figure,
        formatting.size,
        formatting.number,
        formatting.percent,
        formatting.found,
        formatting.moment,
        formatting.stamp,
    ),
    *(
        formatting.field_value,
        prose,
        first_line,
        audit_labels.action,
        audit_labels.about,
        audit_labels.details,
    ),
)
"""What templates may write a value with, by their own names."""
TemplateValue: TypeAlias = Any
"""Whatever a template shows."""
FormAction = Callable[..., FlashMessage | Response]
"""What a button does: given the visit, what stands in the address, and the form."""


def render_page(
    visit: RequestContext,
    template: str,
    *,
    title: Message,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **variables: object,
) -> Response:
    """A whole page; after a refusal, that on top and its status."""
    if visit.refusal is not None:
        status = http_status(visit.refusal)
        headers = browser_error_headers(visit.refusal) | (headers or {})
    text = render_fragment(visit, template, title=title, refusal=visit.refusal, **variables)
    return visit.dress(HTMLResponse(text, status, headers))


def render_fragment(visit: RequestContext, template: str, **variables: object) -> str:
    """A template filled in, in the visit's language."""
    with language_context(visit.lang):
        return (
            template_environment()
            .get_template(template)
            .render(visit=visit, viewer=visit.viewer, lang=visit.lang, **variables)
        )


def render_live_part(
    visit: RequestContext, template: str, *, finished: bool, **variables: object
) -> Response:
    """A live part of a page; `finished` lets the page load itself again."""
    headers = {"x-finished": "yes"} if finished else {}
    return HTMLResponse(render_fragment(visit, template, **variables), headers=headers)


def redirect(visit: RequestContext, path: str, note: FlashMessage | None = None) -> Response:
    """On to another of our pages, with a note for it."""
    if note is not None:
        visit.leave_note(note)
    # What is no ASCII cannot stand in a header, and half a character nowhere.
    address = quote(path, safe="/?#=&%+:@,;~", errors="replace")
    if visit.is_script_request:
        return visit.dress(Response(headers={"x-location": address}))
    return visit.dress(RedirectResponse(address, 303))


def script_error_response(visit: RequestContext, refusal: TokumeiError) -> Response:
    """A short answer to our own script."""
    with language_context(visit.lang):
        sentences = [
            format_sentence(refusal.message),
            *(format_sentence(violation.message) for violation in refusal.faults),
        ]
    message = {"message": "\n".join(sentences)}
    return JSONResponse(message, http_status(refusal), browser_error_headers(refusal))


def browser_error_headers(error: TokumeiError) -> dict[str, str]:
    """The HTTP headers of an error for browsers, which know nothing of bearer tokens."""
    return {name: v for name, v in http_headers(error).items() if name != "www-authenticate"}


@cache
def template_environment() -> Environment:
    """Where the templates are, and what they may call."""
    templates = make_template_environment("tokumei.apps.contest.web")
    templates.globals.update(
        words=labels, left=formatting.format_duration, zone_name=formatting.zone_name
    )
    templates.filters.update(
        {filter_function.__name__: filter_function for filter_function in TEMPLATE_FILTERS}
    )
    return templates


def render_contest_page(
    visit: RequestContext,
    slug: str,
    here: str,
    *,
    title: Message,
    template: str = "",
    contest: ContestView | None = None,
    **variables: TemplateValue,
) -> Response:
    """A page of a contest; `here` is its tab."""
    return render_page(
        visit,
        template or f"{here}.html",
        title=title,
        here=here,
        contest=contest or visit.ask(get_contest_view, slug),
        team=find_own_team(visit, slug),
        newest=visit.ask(latest_announcement, slug),
        unanswered=visit.ask(count_unanswered_questions, slug),
        **variables,
    )


def add_form_page(
    router: APIRouter,
    path: str,
    show: Callable[..., Response],
    does: FormAction | Mapping[str, FormAction],
    *,
    require: Callable[[Viewer], object] = Viewer.require_organiser,
    sent: Callable[..., object] = read_small_form,
) -> None:
    """A page and what its form does, by its buttons; refused, it is shown again with the reason.

    `require` refuses those who may not send it, `sent` reads it.
    """
    form_dependency = Depends(sent)

    @router.get(path)
    def look(visit: CurrentRequest) -> Response:
        return show(visit, **visit.request.path_params)

    @router.post(path)
    def act(visit: CurrentRequest, form: PostedForm = form_dependency) -> Response:
        require(visit.viewer)
        path_params = visit.request.path_params
        try:
            action = does if callable(does) else form.chosen(does)
            result = action(visit, *path_params.values(), form)
        except TokumeiError as refusal:
            visit.refusal, visit.typed = refusal, form
            return show(visit, **path_params)
        return (
            redirect(visit, visit.request.url.path, result)
            if isinstance(result, FlashMessage)
            else result
        )


def find_own_team(visit: RequestContext, slug: str) -> TeamView | None:
    """The viewer's team in a contest, if any."""
    if visit.viewer.account_id is None:
        return None
    try:
        return visit.ask(get_team_view, slug)
    except NotFound:
        return None


def file_download_response(download: Download) -> Response:
    """A file to be saved, never shown; whatever its name says, no browser runs it."""
    return FileResponse(
        download.path, filename=download.name, media_type="application/octet-stream"
    )
