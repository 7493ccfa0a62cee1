"""Pages and short answers.

page(visit, "home.html", title=Text("Home", "ホーム"), recent=recent)
go(visit, "p/customers-3f2a/look")
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tokumei.core.errors import TokumeiError
from tokumei.core.figures import percent
from tokumei.core.text import Language, Text, language
from tokumei.http.answers import Json
from tokumei.http.headers import COOKIE, YEAR, language_of
from tokumei.http.refusals import headers_of, status_of
from tokumei.studio.jobs.board import Jobs
from tokumei.studio.store.home import Home
from tokumei.studio.web import figures
from tokumei.studio.web.access import Access

HOME = "tokumei.studio.web"


@dataclass(frozen=True)
class Visit:
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

    def in_language(self, lang: Language) -> str:
        """The address of this page in another language; all else in it stays."""
        kept = [one for one in self.request.query_params.multi_items() if one[0] != "lang"]
        return "?" + urlencode([*kept, ("lang", lang)])

    @property
    def by_script(self) -> bool:
        """Whether our own script sent this, and wants a short answer."""
        return self.request.headers.get("x-script") == "yes"

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
    response = page(visit, "error.html", title=title, status=status, told=told)
    return response


@cache
def environment() -> Environment:
    """Where the templates are, and what they may call."""
    made = Environment(
        loader=PackageLoader(HOME, "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.globals.update(w=Text, asset=asset)
    made.filters.update(
        t=lambda pair: Text(*pair),
        sentence=sentence,
        percent=percent,
        number=figures.number,
        people=figures.people,
        moment=figures.moment,
        size=figures.size,
    )
    return made


def sentence(text: Text) -> str:
    """A message that stands alone: as a sentence, with its first letter and its end."""
    shown = text.show()
    whole = shown[:1].upper() + shown[1:]
    return whole if whole.endswith((".", "。", "!", "?", "？")) else whole + str(Text(".", "。"))


@cache
def asset(name: str) -> str:
    """The end of an address of a style sheet or script; it changes when the file does."""
    data = resources.files(HOME).joinpath("static", name).read_bytes()
    return f"static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"
