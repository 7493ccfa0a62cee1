"""The studio as an application over a home.

    app = make_app(home, jobs, Access.fresh(port))

Everything stands below a random path. No page may load, send or run anything that is not of this
server; nothing may be framed or stored.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tokumei._version import __version__
from tokumei.core.errors import TokumeiError
from tokumei.http.answers import FieldErrors, add_errors
from tokumei.http.gate import Gate
from tokumei.http.headers import OWN_PAGES, security_headers
from tokumei.http.refusals import Broken, NotAllowed, NotFound, Wrong, WrongHost, field_faults
from tokumei.studio.jobs.board import Jobs
from tokumei.studio.store.home import Home
from tokumei.studio.web.access import Access
from tokumei.studio.web.pages import (
    attack,
    candidates,
    events,
    home,
    joint,
    look,
    purpose,
    release,
    trees,
)
from tokumei.studio.web.render import error_page, open_visit

LOG = logging.getLogger("tokumei.studio")
FORM_BYTES = 1 << 20
SECONDS = 60.0
PAGES = (home, look, purpose, candidates, attack, joint, release, trees, events)


def make_app(home: Home, jobs: Jobs, access: Access, *, seconds: float = SECONDS) -> FastAPI:
    """The application; nobody else's request reaches a route. `seconds`: for candidates."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(jobs.close)

    app = FastAPI(
        title="Tokumei studio",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.home, app.state.jobs, app.state.access = home, jobs, access
    app.state.seconds = seconds
    for pages in PAGES:
        app.include_router(pages.router, prefix=access.base)
    app.mount(f"{access.base}/static", StaticFiles(packages=[("tokumei.studio.web", "static")]))

    def wrong(errors: FieldErrors) -> TokumeiError:
        return Wrong(faults=field_faults(errors))

    def most_body(scope: Scope) -> int | None:
        return None if scope["path"] == f"{access.base}/upload" else FORM_BYTES

    add_errors(app, _answer, fields=wrong, unreadable=Broken())
    app.add_middleware(
        Gate,
        answer=_answer,
        log=LOG,
        require=access.require,
        most_body=most_body,
        headers=security_headers(OWN_PAGES, referrer="same-origin"),
    )
    return app


async def _answer(request: Request, error: TokumeiError) -> Response:
    if isinstance(error, NotAllowed | WrongHost) or (
        isinstance(error, NotFound)
        and not request.url.path.startswith(request.app.state.access.base)
    ):
        # To strangers: no page, no address, no word of what is here.
        return PlainTextResponse(f"{error.message.en}\n{error.message.ja}\n", error.status)
    return await run_in_threadpool(lambda: error_page(open_visit(request), error))
