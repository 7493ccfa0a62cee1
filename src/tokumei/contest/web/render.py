"""Pages and short answers.

page(visit, "login.html", title=Text("Log in", "ログイン"), next="/")
contest_page(visit, "cup", "team.html", here="team", title=Text("Team", "チーム"))
go(visit, "/c/cup/team", Note("saved", "保存しました"))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Depends
from jinja2 import Environment
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.news import newest, unanswered
from tokumei.contest.desk.place import Viewer
from tokumei.contest.desk.teams import my_team
from tokumei.contest.desk.views import ContestView, Download, TeamView
from tokumei.contest.web import actions, figures, words
from tokumei.contest.web.prose import first_line, prose
from tokumei.contest.web.visit import Form, Here, Note, Visit, posted
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text, language
from tokumei.http.pages import sentence, templates_of
from tokumei.http.refusals import NotFound, headers_of, status_of

FILTERS = (
    *(figures.score, figures.figure, figures.size, figures.found, figures.moment, figures.stamp),
    *(figures.field_value, prose, first_line, actions.action, actions.about, actions.details),
)
"""What templates may write a value with, by their own names."""
Act = Callable[..., Note | Response]
"""What a button does: given the visit, what stands in the address, and the form."""


def page(
    visit: Visit,
    template: str,
    *,
    title: Text,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **shown: Any,
) -> Response:
    """A whole page; after a refusal, that on top and its status."""
    if visit.refusal is not None:
        status = status_of(visit.refusal)
        headers = page_headers(visit.refusal) | (headers or {})
    text = fragment(visit, template, title=title, refusal=visit.refusal, **shown)
    return visit.dress(HTMLResponse(text, status, headers))


def fragment(visit: Visit, template: str, **shown: Any) -> str:
    """A template filled in, in the visit's language."""
    with language(visit.lang):
        return (
            environment()
            .get_template(template)
            .render(visit=visit, viewer=visit.viewer, lang=visit.lang, **shown)
        )


def part(visit: Visit, template: str, *, finished: bool, **shown: Any) -> Response:
    """A live part of a page; `finished` lets the page load itself again."""
    headers = {"x-finished": "yes"} if finished else {}
    return HTMLResponse(fragment(visit, template, **shown), headers=headers)


def go(visit: Visit, path: str, note: Note | None = None) -> Response:
    """On to another of our pages, with a note for it."""
    if note is not None:
        visit.leave_note(note)
    # What is no ASCII cannot stand in a header, and half a character nowhere.
    address = quote(path, safe="/?#=&%+:@,;~", errors="replace")
    if visit.by_script:
        return visit.dress(Response(headers={"x-location": address}))
    return visit.dress(RedirectResponse(address, 303))


def refused(visit: Visit, refusal: TokumeiError) -> Response:
    """A short answer to our own script."""
    with language(visit.lang):
        told = [sentence(refusal.message), *(sentence(one.message) for one in refusal.faults)]
    message = {"message": "\n".join(told)}
    return JSONResponse(message, status_of(refusal), page_headers(refusal))


def page_headers(error: TokumeiError) -> dict[str, str]:
    """The HTTP headers of an error for browsers, which know nothing of bearer tokens."""
    return {name: v for name, v in headers_of(error).items() if name != "www-authenticate"}


@cache
def environment() -> Environment:
    """Where the templates are, and what they may call."""
    made = templates_of("tokumei.contest.web")
    made.globals.update(words=words, left=figures.left, zone_name=figures.zone_name)
    made.filters.update({one.__name__: one for one in FILTERS})
    return made


def contest_page(
    visit: Visit,
    slug: str,
    here: str,
    *,
    title: Text,
    template: str = "",
    contest: ContestView | None = None,
    **shown: Any,
) -> Response:
    """A page of a contest; `here` is its tab."""
    return page(
        visit,
        template or f"{here}.html",
        title=title,
        here=here,
        contest=contest or visit.ask(contest_of, slug),
        team=team_of(visit, slug),
        newest=visit.ask(newest, slug),
        unanswered=visit.ask(unanswered, slug),
        **shown,
    )


def form_page(
    router: APIRouter,
    path: str,
    show: Callable[..., Response],
    does: Act | Mapping[str, Act],
    *,
    require: Callable[[Viewer], object] = Viewer.require_organiser,
    sent: Callable[..., Any] = posted,
) -> None:
    """A page and what its form does, by its buttons; refused, it is shown again with the reason.

    `require` refuses those who may not send it, `sent` reads it.
    """
    arrives = Depends(sent)

    @router.get(path)
    def look(visit: Here) -> Response:
        return show(visit, **visit.request.path_params)

    @router.post(path)
    def act(visit: Here, form: Form = arrives) -> Response:
        require(visit.viewer)
        given = visit.request.path_params
        try:
            chosen = does if callable(does) else form.chosen(does)
            done = chosen(visit, *given.values(), form)
        except TokumeiError as refusal:
            visit.refusal, visit.typed = refusal, form
            return show(visit, **given)
        return go(visit, visit.request.url.path, done) if isinstance(done, Note) else done


def team_of(visit: Visit, slug: str) -> TeamView | None:
    """The viewer's team in a contest, if any."""
    if visit.viewer.account_id is None:
        return None
    try:
        return visit.ask(my_team, slug)
    except NotFound:
        return None


def send_file(download: Download) -> Response:
    """A file to be saved, never shown; whatever its name says, no browser runs it."""
    return FileResponse(
        download.path, filename=download.name, media_type="application/octet-stream"
    )
