"""Builds the site: pages and the mounted API.

    app = make_app(open_app_context(home))

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
from tokumei.apps.contest.api.app import LOG, PREFIX, make_api_app
from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.contest.web import health
from tokumei.apps.contest.web.pages import (
    console,
    entries,
    home,
    new_contest,
    news,
    people,
    rejudge,
    settings,
    targets_archive,
    uploads,
)
from tokumei.apps.contest.web.rendering import (
    browser_error_headers,
    render_page,
    script_error_response,
)
from tokumei.apps.contest.web.request_context import open_request_context
from tokumei.apps.http.errors import (
    InternalError,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    http_status,
)
from tokumei.apps.http.headers import SAME_ORIGIN_POLICY, security_headers
from tokumei.apps.http.metrics import RequestMetrics
from tokumei.apps.http.middleware import RequestLimitsMiddleware
from tokumei.apps.http.rate_limit import RateLimiter
from tokumei.apps.http.responses import add_error_handlers
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

PAGES_AT_ONCE, PAGES_PER_SECOND = 2000, 100
"""For one address: a whole class may be behind it, and open pages ask every few seconds."""
UNLIMITED_PATHS = (PREFIX + "/", "/static/", *health.HEALTH_PATHS)
"""Programs have their own rates."""
LINGER_SECONDS = 5.0
ERROR_TITLES = {
    403: Message("Not allowed"),
    404: Message("Page not found"),
    405: Message("Method not allowed"),
    409: Message("Not now"),
    413: Message("Too large"),
    429: Message("Too many requests"),
    500: Message("Something went wrong"),
    503: Message("Busy"),
}
OTHER_ERROR_TITLE = Message("This did not work")
PAGE_MODULES = (
    home,
    new_contest,
    people,
    uploads,
    entries,
    news,
    console,
    rejudge,
    settings,
    targets_archive,
)
CACHE_ONE_YEAR = "public, max-age=31536000, immutable"


async def error_page_response(request: Request, error: TokumeiError) -> Response:
    """A page for an error; visitors who could do it after logging in are led there."""
    return await run_in_threadpool(_render_error_page, request, error)


def _render_error_page(request: Request, error: TokumeiError) -> Response:
    visit = open_request_context(request)
    if visit.is_script_request:
        return script_error_response(visit, error)
    if isinstance(error, Unauthorized):
        return RedirectResponse("/login?" + urlencode({"next": request.url.path}), 303)
    status = http_status(error)
    return render_page(
        visit,
        "error.html",
        title=ERROR_TITLES.get(status, OTHER_ERROR_TITLE),
        status=status,
        headers=browser_error_headers(error),
        code=status,
        message=error.message,
        faults=error.faults,
        back=request.url.path if request.method == "POST" else None,
    )


def middleware_options(
    *, secure: bool, rates: RateLimiter | None = None, counts: RequestMetrics | None = None
) -> dict[str, Any]:
    """Settings of the site's request limits; `secure` if it is served over HTTPS only."""
    limiter = rates or RateLimiter(burst=PAGES_AT_ONCE, per_second=PAGES_PER_SECOND)

    def require(scope: Scope) -> None:
        client = scope.get("client")
        if client is not None and not scope["path"].startswith(UNLIMITED_PATHS):
            limiter.require(client[0])

    headers = security_headers(SAME_ORIGIN_POLICY, referrer="same-origin", https=secure)
    return {
        "answer": _limited_error_response,
        "log": LOG,
        "require": require,
        "headers": headers,
        "linger_seconds": LINGER_SECONDS,
        "log_requests": True,
        "counts": counts,
        "translate": partial(health.translate_database_error, log=LOG),
    }


async def _limited_error_response(request: Request, error: TokumeiError) -> Response:
    if not isinstance(error, TooManyRequests | ServiceUnavailable):
        return await error_page_response(request, error)
    # Not as a page: that costs as much as what was asked for, and asks the database.
    message_text = "".join(f"{text}\n" for text in error.message.texts().values())
    return PlainTextResponse(message_text, error.status, error.headers)


class VersionedStaticFiles(StaticFiles):
    """Style sheets and scripts; their addresses change with them, so browsers may keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file of ours."""
        response = await super().get_response(path, scope)
        if b"v=" in scope.get("query_string", b""):
            response.headers["cache-control"] = CACHE_ONE_YEAR
        return response


def make_app(context: AppContext, *, rates: RateLimiter | None = None) -> FastAPI:
    """The application over an opened home; `rates` of pages for others than the usual."""
    app = FastAPI(
        title="Tokumei contest server",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.place, app.state.counts = context, RequestMetrics()
    app.include_router(health.router, include_in_schema=False)
    app.state.api = make_api_app(
        context, translate=partial(health.translate_database_error, log=LOG)
    )
    app.mount(PREFIX, app.state.api)
    for pages in PAGE_MODULES:
        app.include_router(pages.router, include_in_schema=False)
    app.mount("/static", VersionedStaticFiles(packages=[("tokumei.apps.contest.web", "static")]))
    add_error_handlers(
        app, error_page_response, fields=lambda _: NotFound(), unreadable=InternalError()
    )
    options = middleware_options(
        secure=context.home.settings.https, rates=rates, counts=app.state.counts
    )
    app.add_middleware(RequestLimitsMiddleware, **options)
    return app
