"""The whole site: pages for people, the interface for programs.

    app = make_app(open_place(home))

Pages are kept from foreign scripts, bursts of one address, bugs that talk; people see instead of a
page that cannot be why, and where to go on.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tokumei._version import __version__
from tokumei.contest.api.app import LOG, PREFIX, api_app
from tokumei.contest.desk.place import Place
from tokumei.contest.web import watching
from tokumei.contest.web.pages import (
    console,
    entries,
    home,
    news,
    people,
    rejudge,
    settings,
    uploads,
)
from tokumei.contest.web.render import page, page_headers, refused
from tokumei.contest.web.visit import open_visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.answers import add_errors
from tokumei.http.counting import Rates, Requests
from tokumei.http.gate import Gate
from tokumei.http.headers import OWN_PAGES, security_headers
from tokumei.http.refusals import Broken, Busy, LogInFirst, NotFound, TooMany, status_of

PAGES_AT_ONCE, PAGES_PER_SECOND = 2000, 100
"""For one address: a whole class may be behind it, and open pages ask every few seconds."""
FREE = (PREFIX + "/", "/static/", *watching.PATHS)
"""Programs have their own rates."""
LINGER_SECONDS = 5.0
TITLES = {
    403: Text("Not allowed", "この操作はできません"),
    404: Text("Page not found", "ページが見つかりません"),
    405: Text("Method not allowed", "この方法では使えません"),
    409: Text("Not now", "今はできません"),
    413: Text("Too large", "大きすぎます"),
    429: Text("Too many", "回数の上限です"),
    500: Text("Something went wrong", "エラーが発生しました"),
    503: Text("Busy", "混み合っています"),
}
OTHER = Text("This did not work", "処理できませんでした")
PAGES = (home, people, uploads, entries, news, console, rejudge, settings)
YEAR = "public, max-age=31536000, immutable"


async def answer(request: Request, error: TokumeiError) -> Response:
    """A page for an error; visitors who could do it after logging in are led there."""
    return await run_in_threadpool(_error_page, request, error)


def _error_page(request: Request, error: TokumeiError) -> Response:
    visit = open_visit(request)
    if visit.by_script:
        return refused(visit, error)
    if isinstance(error, LogInFirst):
        return RedirectResponse("/login?" + urlencode({"next": request.url.path}), 303)
    status = status_of(error)
    return page(
        visit,
        "error.html",
        title=TITLES.get(status, OTHER),
        status=status,
        headers=page_headers(error),
        code=status,
        message=error.message,
        faults=error.faults,
        back=request.url.path if request.method == "POST" else None,
    )


def guard(
    *, secure: bool, rates: Rates | None = None, counts: Requests | None = None
) -> dict[str, Any]:
    """How the gate of the whole site is set; `secure` if it is reached over HTTPS alone."""
    held = rates or Rates(burst=PAGES_AT_ONCE, per_second=PAGES_PER_SECOND)

    def require(scope: Scope) -> None:
        client = scope.get("client")
        if client is not None and not scope["path"].startswith(FREE):
            held.require(client[0])

    headers = security_headers(OWN_PAGES, referrer="same-origin", https=secure)
    return {
        "answer": _answer,
        "log": LOG,
        "require": require,
        "headers": headers,
        "linger_seconds": LINGER_SECONDS,
        "log_requests": True,
        "counts": counts,
        "translate": partial(watching.database_away, log=LOG),
    }


async def _answer(request: Request, error: TokumeiError) -> Response:
    if not isinstance(error, TooMany | Busy):
        return await answer(request, error)
    # Not as a page: that costs as much as what was asked for, and asks the database.
    told = f"{error.message.en}\n{error.message.ja}\n"
    return PlainTextResponse(told, error.status, error.headers)


class Assets(StaticFiles):
    """Style sheets and scripts; their addresses change with them, so browsers may keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file of ours."""
        response = await super().get_response(path, scope)
        if b"v=" in scope.get("query_string", b""):
            response.headers["cache-control"] = YEAR
        return response


def make_app(place: Place, *, rates: Rates | None = None) -> FastAPI:
    """The application over an opened home; `rates` of pages for others than the usual."""
    app = FastAPI(
        title="Tokumei contest server",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.place, app.state.counts = place, Requests()
    app.include_router(watching.router, include_in_schema=False)
    app.state.api = api_app(place, translate=partial(watching.database_away, log=LOG))
    app.mount(PREFIX, app.state.api)
    for pages in PAGES:
        app.include_router(pages.router, include_in_schema=False)
    app.mount("/static", Assets(packages=[("tokumei.contest.web", "static")]))
    add_errors(app, answer, fields=lambda _: NotFound(), unreadable=Broken())
    held = guard(secure=place.home.settings.https, rates=rates, counts=app.state.counts)
    app.add_middleware(Gate, **held)
    return app
