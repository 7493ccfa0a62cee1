"""What pages are kept from: foreign scripts, bursts of one address, bugs that talk.

And what people see instead of a page that cannot be: why, and where to go on.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope

from tokumei.contest.api.app import PREFIX
from tokumei.contest.api.errors import LOG
from tokumei.contest.web.render import page, page_headers, refused
from tokumei.contest.web.visit import open_visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.headers import security_headers
from tokumei.http.rates import Rates
from tokumei.http.refusals import LogInFirst, TooMany, status_of

PAGES_AT_ONCE, PAGES_PER_SECOND = 2000, 100
"""For one address: a whole class may be behind it, and open pages ask every few seconds."""
FREE = (PREFIX + "/", "/static/")
"""Programs have their own rates."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
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


def guard(*, secure: bool, rates: Rates | None = None) -> dict[str, Any]:
    """How the gate of the whole site is set; `secure` if it is reached over HTTPS alone."""
    held = rates or Rates(burst=PAGES_AT_ONCE, per_second=PAGES_PER_SECOND)

    def require(scope: Scope) -> None:
        client = scope.get("client")
        if client is not None and not scope["path"].startswith(FREE):
            held.require(client[0])

    headers = security_headers(POLICY, referrer="same-origin", https=secure)
    return {
        "answer": _answer,
        "log": LOG,
        "require": require,
        "headers": headers,
        "linger_seconds": LINGER_SECONDS,
    }


async def _answer(request: Request, error: TokumeiError) -> Response:
    if not isinstance(error, TooMany):
        return await answer(request, error)
    # Not as a page: that costs as much as what was asked for.
    told = f"{error.message.en}\n{error.message.ja}\n"
    return PlainTextResponse(told, error.status, error.headers)
