"""Builds the REST API as an application that is mounted at /api/v1.

    app.mount("/api/v1", make_api_app(place))

Every error has one JSON shape: TokumeiError.as_json() and the HTTP status. Requests of one account
are counted together; bodies of uploads are left to their routes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Hashable
from operator import attrgetter

from fastapi import FastAPI
from starlette.types import Scope

from tokumei._version import __version__
from tokumei.apps.contest.api import admin, contests, news, people, uploads
from tokumei.apps.contest.api.routing import error_responses
from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.http.errors import (
    INVALID_FIELDS,
    HttpError,
    NotFound,
    UnprocessableContent,
    field_violations,
    http_status,
)
from tokumei.apps.http.middleware import RequestLimitsMiddleware
from tokumei.apps.http.rate_limit import MAX_TRACKED_CLIENTS, RateLimiter
from tokumei.apps.http.responses import FieldErrors, add_error_handlers, json_error_responder
from tokumei.core.errors import TokumeiError
from tokumei.core.json_types import JsonObject

LOG = logging.getLogger("tokumei.apps.contest.api")
UNREADABLE_BODY = UnprocessableContent("the body cannot be read")
MOST_BODY = 64 << 10
UPLOADS = re.compile(rb"POST .*/(contests|submissions|targets/[^/]+/attacks)")
PREFIX = "/api/v1"
ROUTERS = (
    *(people.routes, contests.routes, people.team_routes, uploads.routes),
    *(news.routes, admin.routes, news.admin_routes),
)
BODY_SECONDS = 30.0
LINGER_SECONDS = 5.0
ABOUT = (
    "Teams anonymize the same data, then attack each other's releases. A lower score is better. "
    "Every error has one shape, in English and Japanese; things that one may not know of answer "
    "404. Times are UTC. 429 comes with Retry-After where waiting helps."
)


def error_json(error: TokumeiError) -> JsonObject:
    """The one shape."""
    return error.as_json() | {"status": http_status(error)}


error_response = json_error_responder(error_json)


def to_http_error(field_errors: FieldErrors) -> HttpError:
    """What is wrong with the fields of a request; an address that cannot be is just not there."""
    if any(fault["loc"][0] == "path" for fault in field_errors):
        return NotFound()
    return UnprocessableContent(INVALID_FIELDS, faults=field_violations(field_errors))


class ApiRateLimiter:
    """Requests of one account are counted together, others by the address they come from."""

    def __init__(self, rates: RateLimiter) -> None:
        self._limiter = rates
        self._accounts: dict[bytes, int] = {}
        """Whose tokens were valid, by the header they came in."""

    def require_within_rate(self, scope: Scope) -> None:
        """TooManyRequests if one asks too often.

        Only a header that was valid before counts: anybody can make up a new one each time. So
        whoever looks a token up tells `scope["remember"]` whose it is.
        """
        header: bytes = dict(scope["headers"]).get(b"authorization", b"")
        account, client = self._accounts.get(header), scope.get("client")
        client_key: Hashable = ("account", account) if account is not None else client and client[0]
        self._limiter.require(client_key)
        scope["remember"] = lambda account_id: self._remember_account(header, account_id)

    def _remember_account(self, header: bytes, account: int) -> None:
        if len(self._accounts) >= MAX_TRACKED_CLIENTS:
            self._accounts.clear()
        self._accounts[header] = account


def body_limit(scope: Scope) -> int | None:
    """Uploads are read by their routes (forms.py), straight to disk."""
    request_line = f"{scope['method']} {scope['path']}".encode("utf-8", "surrogatepass")
    return None if UPLOADS.fullmatch(request_line) else MOST_BODY


def make_api_app(
    context: AppContext,
    *,
    rates: RateLimiter | None = None,
    translate: Callable[[Exception], TokumeiError | None] = lambda error: None,
) -> FastAPI:
    """The application over an opened home; `rates` for others than the usual.

    `translate` gives the refusal of an exception that is no bug.
    """
    app = FastAPI(
        title="Tokumei contest",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        responses=error_responses(401, 404, 405, 408, 413, 422, 429, 500),
        generate_unique_id_function=attrgetter("name"),
        redirect_slashes=False,
    )
    app.state.place = context
    for router in ROUTERS:
        app.include_router(router.router)
    add_error_handlers(app, error_response, fields=to_http_error, unreadable=UNREADABLE_BODY)
    app.add_middleware(
        RequestLimitsMiddleware,
        answer=error_response,
        log=LOG,
        require=ApiRateLimiter(rates or RateLimiter()).require_within_rate,
        most_body=body_limit,
        body_seconds=BODY_SECONDS,
        linger_seconds=LINGER_SECONDS,
        translate=translate,
    )
    return app
