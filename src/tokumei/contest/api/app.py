"""The REST API as an application of its own, to be mounted at /api/v1.

app.mount("/api/v1", api_app(place))
"""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.routing import APIRoute

from tokumei._version import __version__
from tokumei.contest.api import admin, contests, entries, people, teams
from tokumei.contest.api.asking import refusals
from tokumei.contest.api.errors import LOG, UNREADABLE, answer, field_error
from tokumei.contest.api.gate import Askers, most_body
from tokumei.contest.desk.place import Place
from tokumei.http.answers import add_errors
from tokumei.http.gate import Gate
from tokumei.http.rates import Rates

PREFIX = "/api/v1"
BODY_SECONDS = 30.0
LINGER_SECONDS = 5.0
ABOUT = (
    "Teams anonymize the same data, then attack each other's releases. A lower score is better. "
    "Every error has one shape, in English and Japanese; things that one may not know of answer "
    "404. Times are UTC. 429 comes with Retry-After where waiting helps."
)


def api_app(place: Place, *, rates: Rates | None = None) -> FastAPI:
    """The application over an opened home; `rates` for others than the usual."""
    app = FastAPI(
        title="Tokumei contest",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        responses=refusals(401, 404, 405, 408, 413, 422, 429, 500),
        generate_unique_id_function=_id_of,
        redirect_slashes=False,
    )
    app.state.place = place
    for part in (people, contests, teams, entries, admin):
        app.include_router(part.routes.router)
    add_errors(app, answer, fields=field_error, unreadable=UNREADABLE)
    app.add_middleware(
        Gate,
        answer=answer,
        log=LOG,
        require=Askers(rates or Rates()).require,
        most_body=most_body,
        body_seconds=BODY_SECONDS,
        linger_seconds=LINGER_SECONDS,
    )
    return app


def _id_of(route: APIRoute) -> str:
    return route.name
