"""Pages and short answers.

page(visit, "login.html", title=Text("Log in", "ログイン"), next="/")
contest_page(visit, "cup", "team.html", here="team", title=Text("Team", "チーム"))
go(visit, "/c/cup/team", Note("saved", "保存しました"))
"""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.news import newest, unanswered
from tokumei.contest.desk.teams import my_team
from tokumei.contest.desk.views import ContestView, Download, TeamView
from tokumei.contest.web import actions, figures, words
from tokumei.contest.web.figures import figure
from tokumei.contest.web.prose import first_line, prose
from tokumei.contest.web.visit import Note, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text, language
from tokumei.http.pages import sentence, templates_of
from tokumei.http.refusals import NotFound, headers_of, status_of


def page(
    visit: Visit,
    template: str,
    *,
    title: Text,
    refusal: TokumeiError | None = None,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **shown: Any,
) -> Response:
    """A whole page; with a refusal, that on top and its status."""
    if refusal is not None:
        status = status_of(refusal)
        headers = page_headers(refusal) | (headers or {})
    text = fragment(visit, template, title=title, refusal=refusal, **shown)
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
    return JSONResponse(
        {"message": _said(visit, refusal)}, status_of(refusal), page_headers(refusal)
    )


def _said(visit: Visit, refusal: TokumeiError) -> str:
    with language(visit.lang):
        return "\n".join(map(sentence, [refusal.message, *(f.message for f in refusal.faults)]))


def page_headers(error: TokumeiError) -> dict[str, str]:
    """The HTTP headers of an error for browsers, which know nothing of bearer tokens."""
    return {name: v for name, v in headers_of(error).items() if name != "www-authenticate"}


@cache
def environment() -> Environment:
    """Where the templates are, and what they may call."""
    made = templates_of("tokumei.contest.web")
    made.globals.update(words=words, left=figures.left, zone_name=figures.zone_name)
    made.filters.update(
        score=figures.score,
        figure=figure,
        size=figures.size,
        found=figures.found,
        moment=figures.moment,
        stamp=figures.stamp,
        field_value=figures.field_value,
        prose=prose,
        first_line=first_line,
        action=actions.action,
        about=actions.about,
        details=actions.details,
    )
    return made


def contest_page(
    visit: Visit,
    slug: str,
    template: str,
    *,
    here: str,
    title: Text,
    contest: ContestView | None = None,
    **shown: Any,
) -> Response:
    """A page of a contest; `here` is its tab."""
    return page(
        visit,
        template,
        title=title,
        here=here,
        contest=contest or visit.ask(contest_of, slug),
        team=team_of(visit, slug),
        newest=visit.ask(newest, slug),
        unanswered=visit.ask(unanswered, slug),
        **shown,
    )


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
