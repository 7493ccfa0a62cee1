"""Pages and short answers.

page(visit, "home.html", title=Text("Home", "ホーム"), recent=recent)
go(visit, "p/customers-3f2a/look")
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tokumei.core.errors import TokumeiError
from tokumei.core.figures import percent
from tokumei.core.text import Language, Text, language
from tokumei.http.answers import Json
from tokumei.http.headers import COOKIE, YEAR, language_of
from tokumei.http.pages import Looking, sentence, templates_of
from tokumei.http.refusals import headers_of, status_of
from tokumei.studio.jobs.board import Jobs
from tokumei.studio.store.home import Home
from tokumei.studio.web import figures
from tokumei.studio.web.access import Access


@dataclass(frozen=True)
class Visit(Looking):
    """One request of one browser, and what it is about."""

    request: Request
    home: Home
    jobs: Jobs
    access: Access
    lang: Language
    seconds: float
    """For one search of candidates."""

    @property
    def base(self) -> str:
        """What stands before every address."""
        return self.access.base

    @property
    def here(self) -> str:
        """The address of this page, without its query."""
        return self.request.url.path

    def dress(self, response: Response) -> Response:
        """Keep the language that was chosen."""
        if self.request.query_params.get("lang") == self.lang:
            response.set_cookie(
                COOKIE, self.lang, YEAR, path=f"{self.base}/", httponly=True, samesite="strict"
            )
        return response


def open_visit(request: Request) -> Visit:
    """What is known about a request."""
    state = request.app.state
    return Visit(request, state.home, state.jobs, state.access, language_of(request), state.seconds)


def page(visit: Visit, template: str, *, title: Text, status: int = 200, **shown: Any) -> Response:
    """A whole page."""
    return visit.dress(HTMLResponse(fragment(visit, template, title=title, **shown), status))


def fragment(visit: Visit, template: str, **shown: Any) -> str:
    """A template filled in, in the visit's language."""
    with language(visit.lang):
        made = environment().get_template(template)
        return made.render(visit=visit, base=visit.base, lang=visit.lang, **shown)


def go(visit: Visit, path: str) -> Response:
    """On to another page of ours."""
    address = f"{visit.base}/{path}"
    if visit.by_script:
        return visit.dress(Json({"ok": True, "location": address}))
    return visit.dress(RedirectResponse(address, 303))


def error_page(visit: Visit, error: TokumeiError) -> Response:
    """An error as a page, or for our script as plain data in the visit's language."""
    with language(visit.lang):
        told = [sentence(error.message), *(sentence(one.message) for one in error.faults)]
    status, headers = status_of(error), headers_of(error)
    if visit.by_script:
        return Json({"ok": False, "message": told[0], "faults": told[1:]}, status, headers)
    title = Text("This did not work", "処理できませんでした")
    return page(visit, "error.html", title=title, status=status, told=told)


@cache
def environment() -> Environment:
    """Where the templates are, and what they may call."""
    made = templates_of("tokumei.studio.web")
    made.filters.update(
        t=lambda pair: Text(*pair),
        percent=percent,
        number=figures.number,
        people=figures.people,
        moment=figures.moment,
        size=figures.size,
    )
    return made
