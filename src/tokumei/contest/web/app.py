"""The whole site: pages for people, the interface for programs.

app = make_app(open_place(home))
"""

from __future__ import annotations

from fastapi import FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tokumei._version import __version__
from tokumei.contest.api.app import PREFIX, api_app
from tokumei.contest.desk.place import Place
from tokumei.contest.web.guard import answer, guard
from tokumei.contest.web.pages import board, contests, entries, home, people, submit, targets, team
from tokumei.contest.web.pages.console import control, rejudge, watch
from tokumei.contest.web.pages.console import people as console_people
from tokumei.http.answers import add_errors
from tokumei.http.gate import Gate
from tokumei.http.rates import Rates
from tokumei.http.refusals import Broken, NotFound

PAGES = (
    contests,
    people,
    home,
    team,
    submit,
    entries,
    targets,
    board,
    watch,
    console_people,
    control,
    rejudge,
)
YEAR = "public, max-age=31536000, immutable"


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
    app.state.place = place
    app.mount(PREFIX, api_app(place))
    for page in PAGES:
        app.include_router(page.router, include_in_schema=False)
    app.mount("/static", Assets(packages=[("tokumei.contest.web", "static")]))
    add_errors(app, answer, fields=lambda _: NotFound(), unreadable=Broken())
    secure = (place.settings.public_url or "").startswith("https:")
    app.add_middleware(Gate, **guard(secure=secure, rates=rates))
    return app
