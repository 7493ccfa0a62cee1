"""The REST API as an application of its own, to be mounted at /api/v1.

    app.mount("/api/v1", api_app(place))

Every error has one JSON shape: TokumeiError.as_json() and the HTTP status. Requests of one account
are counted together; bodies of uploads are left to their routes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import Any

from fastapi import FastAPI
from starlette.types import Scope

from tokumei._version import __version__
from tokumei.contest.api import admin, contests, news, people
from tokumei.contest.api.routes import refusals
from tokumei.contest.desk.place import Place
from tokumei.core.errors import TokumeiError
from tokumei.http.answers import FieldErrors, add_errors, json_answer
from tokumei.http.counting import MOST_ASKERS, Rates
from tokumei.http.gate import Gate
from tokumei.http.refusals import FIELDS, NotFound, Refusal, Wrong, field_faults, status_of

LOG = logging.getLogger("tokumei.contest.api")
UNREADABLE = Wrong("the body cannot be read", "本文を読み取れません")
MOST_BODY = 64 << 10
UPLOADS = re.compile(rb"POST .*/(contests|submissions|targets/[^/]+/attacks)")
PREFIX = "/api/v1"
PARTS = (
    *(people.routes, contests.routes, people.teams, contests.uploads),
    *(news.routes, admin.routes, news.admin),
)
BODY_SECONDS = 30.0
LINGER_SECONDS = 5.0
ABOUT = (
    "Teams anonymize the same data, then attack each other's releases. A lower score is better. "
    "Every error has one shape, in English and Japanese; things that one may not know of answer "
    "404. Times are UTC. 429 comes with Retry-After where waiting helps."
)


def error_json(error: TokumeiError) -> dict[str, Any]:
    """The one shape."""
    return error.as_json() | {"status": status_of(error)}


answer = json_answer(error_json)


def field_error(found: FieldErrors) -> Refusal:
    """What is wrong with the fields of a request; an address that cannot be is just not there."""
    if any(fault["loc"][0] == "path" for fault in found):
        return NotFound()
    return Wrong(FIELDS, faults=field_faults(found))


class Askers:
    """Requests of one account are counted together, others by the address they come from."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._accounts: dict[bytes, int] = {}
        """Whose tokens were valid, by the header they came in."""

    def require(self, scope: Scope) -> None:
        """TooMany if one asks too often.

        Only a header that was valid before counts: anybody can make up a new one each time. So
        whoever looks a token up tells `scope["remember"]` whose it is.
        """
        header: bytes = dict(scope["headers"]).get(b"authorization", b"")
        account, client = self._accounts.get(header), scope.get("client")
        asker: Hashable = ("account", account) if account is not None else client and client[0]
        self._rates.require(asker)
        scope["remember"] = lambda found: self._remember(header, found)

    def _remember(self, header: bytes, account: int) -> None:
        if len(self._accounts) >= MOST_ASKERS:
            self._accounts.clear()
        self._accounts[header] = account


def most_body(scope: Scope) -> int | None:
    """Uploads are read by their routes (forms.py), straight to disk."""
    told = f"{scope['method']} {scope['path']}".encode("utf-8", "surrogatepass")
    return None if UPLOADS.fullmatch(told) else MOST_BODY


def api_app(
    place: Place,
    *,
    rates: Rates | None = None,
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
        responses=refusals(401, 404, 405, 408, 413, 422, 429, 500),
        generate_unique_id_function=attrgetter("name"),
        redirect_slashes=False,
    )
    app.state.place = place
    for part in PARTS:
        app.include_router(part.router)
    add_errors(app, answer, fields=field_error, unreadable=UNREADABLE)
    app.add_middleware(
        Gate,
        answer=answer,
        log=LOG,
        require=Askers(rates or Rates()).require,
        most_body=most_body,
        body_seconds=BODY_SECONDS,
        linger_seconds=LINGER_SECONDS,
        translate=translate,
    )
    return app
