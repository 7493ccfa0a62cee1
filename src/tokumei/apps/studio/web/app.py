"""Builds the studio as an application for a home folder.

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
from tokumei.apps.http.errors import (
    Forbidden,
    InternalError,
    MisdirectedRequest,
    NotFound,
    UnprocessableContent,
    field_violations,
)
from tokumei.apps.http.headers import SAME_ORIGIN_POLICY, security_headers
from tokumei.apps.http.middleware import RequestLimitsMiddleware
from tokumei.apps.http.responses import FieldErrors, add_error_handlers
from tokumei.apps.studio.jobs.manager import JobManager
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.web.access import StudioAccess
from tokumei.apps.studio.web.pages import (
    attack,
    candidates,
    events,
    hierarchies,
    home,
    ledger,
    look,
    purpose,
    reading,
    release,
)
from tokumei.apps.studio.web.rendering import error_page, open_request
from tokumei.core.errors import TokumeiError

STUDIO_LOG = logging.getLogger("tokumei.apps.studio")
MAX_FORM_BYTES = 1 << 20
SEARCH_SECONDS = 60.0
PAGE_MODULES = (
    home,
    look,
    reading,
    purpose,
    candidates,
    attack,
    ledger,
    release,
    hierarchies,
    events,
)


def create_studio_app(
    home: StudioHome, jobs: JobManager, access: StudioAccess, *, seconds: float = SEARCH_SECONDS
) -> FastAPI:
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
    for page_module in PAGE_MODULES:
        app.include_router(page_module.router, prefix=access.base)
    app.mount(
        f"{access.base}/static", StaticFiles(packages=[("tokumei.apps.studio.web", "static")])
    )

    def field_error(errors: FieldErrors) -> TokumeiError:
        return UnprocessableContent(faults=field_violations(errors))

    def max_body_bytes(scope: Scope) -> int | None:
        return None if scope["path"] == f"{access.base}/upload" else MAX_FORM_BYTES

    add_error_handlers(app, _answer_error, fields=field_error, unreadable=InternalError())
    app.add_middleware(
        RequestLimitsMiddleware,
        answer=_answer_error,
        log=STUDIO_LOG,
        require=access.require_own_request,
        most_body=max_body_bytes,
        headers=security_headers(SAME_ORIGIN_POLICY, referrer="same-origin"),
    )
    return app


async def _answer_error(request: Request, error: TokumeiError) -> Response:
    if isinstance(error, Forbidden | MisdirectedRequest) or (
        isinstance(error, NotFound)
        and not request.url.path.startswith(request.app.state.access.base)
    ):
        # To strangers: no page, no address, no word of what is here.
        text = "".join(f"{line}\n" for line in error.message.texts().values())
        return PlainTextResponse(text, error.status)
    return await run_in_threadpool(lambda: error_page(open_request(request), error))
