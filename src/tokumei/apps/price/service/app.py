"""Builds the price service as an ASGI application, and its server.

app = create_app(Desk({"people": session}, [prices]))
with open_listening_socket("127.0.0.1", 8000) as socket:
    make_service_server(app, limits).run(sockets=[socket])
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import FastAPI, Query, Request
from fastapi.responses import HTMLResponse, Response
from starlette.types import Scope

from tokumei._version import __version__
from tokumei.apps.http.errors import MethodNotAllowed, UnsupportedMediaType
from tokumei.apps.http.executor import ClientDisconnected, WorkPool
from tokumei.apps.http.headers import request_language, require_allowed_host, security_headers
from tokumei.apps.http.middleware import RequestLimitsMiddleware
from tokumei.apps.http.responses import ErrorAnswer, JsonResponse, add_error_handlers
from tokumei.apps.http.server import ThreadedServer, TimeoutConnection, make_server
from tokumei.apps.price.service.catalog import Catalog, Limits
from tokumei.apps.price.service.optimum_request import OptimumQuestion, answer_optimum
from tokumei.apps.price.service.page import page_policy, render_price_page
from tokumei.apps.price.service.responses import (
    NOT_JSON_ERROR,
    SERVICE_LOG,
    AddedPrices,
    Health,
    Optimum,
    PriceLists,
    SessionList,
    answer_error,
    body_error,
    error_json,
)
from tokumei.core.messages import Message

SERVICE_DESCRIPTION = (
    "Finds, among all recodings in which every group has at least k people, the one that is worth "
    "most, and proves it. Every error has the same shape, in every language."
)
ERROR_RESPONSES: dict[int | str, dict[str, object]] = {
    status: {"model": ErrorAnswer, "description": words}
    for status, words in {
        400: "not HTTP or not JSON",
        404: "no such address, session or price list",
        408: "the request did not arrive in time",
        413: "the body is too large",
        415: "the body is of another type",
        422: "unknown, missing or wrong fields; a question without an answer",
        503: "too many searches are waiting; see Retry-After",
    }.items()
}
PRICES_PATH = "/v1/prices"
BUSY_MESSAGE = Message("too many searches are waiting; try again in a moment")
CSV_TYPES = ("text/csv", "text/tab-separated-values", "application/octet-stream")
CSV_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "text/csv": {
                "schema": {"type": "string", "format": "binary"},
                "example": "attribute,pattern,value,word,price\nage,original,12,12歳,18\n",
            }
        },
    }
}


def create_app(
    desk: Catalog, limits: Limits | None = None, *, hosts: Iterable[str] | None = None
) -> FastAPI:
    """The application; `hosts` are the names it answers for (None: any)."""
    limits = limits or Limits()
    pool = WorkPool(limits.searches, limits.waiting, busy=BUSY_MESSAGE)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        pool.close()

    app = FastAPI(
        title="Tokumei price service",
        version=__version__,
        description=SERVICE_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=ERROR_RESPONSES,
    )
    app.add_middleware(
        RequestLimitsMiddleware,
        answer=answer_error,
        log=SERVICE_LOG,
        require=require_allowed_host(hosts),
        most_body=lambda scope: _max_body_bytes(scope, limits),
        body_seconds=limits.body_seconds,
        headers=security_headers(),
        log_requests=True,
    )
    add_error_handlers(app, answer_error, fields=body_error, unreadable=NOT_JSON_ERROR)
    _add_read_routes(app, desk, limits, pool)
    _add_question_routes(app, desk, limits, pool)
    return app


def _add_question_routes(app: FastAPI, desk: Catalog, limits: Limits, pool: WorkPool) -> None:
    @app.post("/v1/optimum", response_model=Optimum, summary="The recoding that is worth most")
    async def ask(question: OptimumQuestion, request: Request) -> Response:
        try:
            optimum_json = await pool.run(
                lambda cancelled: answer_optimum(desk, question, limits, cancelled), request.receive
            )
        except ClientDisconnected:
            return Response(status_code=499)
        return JsonResponse(optimum_json)

    @app.post(
        PRICES_PATH,
        response_model=AddedPrices,
        status_code=201,
        summary="Add a price file",
        openapi_extra=CSV_BODY,
    )
    async def add_prices(
        request: Request,
        name: Annotated[str, Query(min_length=1, max_length=200, description="file name")],
    ) -> Response:
        _require_csv_uploads_allowed(request, limits)
        content = await request.body()
        try:
            added = await pool.run(lambda _: desk.add(content, name), request.receive)
        except ClientDisconnected:
            return Response(status_code=499)
        return JsonResponse({"ok": True, **added.as_json()}, status_code=201)


def _add_read_routes(app: FastAPI, desk: Catalog, limits: Limits, pool: WorkPool) -> None:
    @app.get("/healthz", response_model=Health, summary="Whether the service is up")
    async def health() -> Response:
        return JsonResponse({"ok": True, "version": __version__, "searches": pool.active_job_count})

    @app.get("/v1/sessions", response_model=SessionList, summary="Data to ask about")
    async def sessions() -> Response:
        return JsonResponse({"ok": True, "sessions": desk.sessions_json()})

    @app.get(PRICES_PATH, response_model=PriceLists, summary="Price lists")
    async def prices() -> Response:
        return JsonResponse({"ok": True, "prices": desk.prices_json()})

    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        html = render_price_page(desk, limits, request_language(request))
        return HTMLResponse(html, headers={"content-security-policy": page_policy()})


def _max_body_bytes(scope: Scope, limits: Limits) -> int:
    return limits.price_bytes if scope["path"] == PRICES_PATH else limits.question_bytes


def _require_csv_uploads_allowed(request: Request, limits: Limits) -> None:
    if not limits.uploads:
        raise MethodNotAllowed("this service takes no price files")
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type not in CSV_TYPES:
        raise UnsupportedMediaType(
            "send the price file as it is, with content-type {media_type}", media_type=CSV_TYPES[0]
        )


def make_service_server(app: FastAPI, limits: Limits) -> ThreadedServer:
    """A server that is ready to run on a listening socket."""

    class Connection(TimeoutConnection):
        head_seconds = limits.idle_seconds
        responds_when_late = True
        shape = staticmethod(error_json)

    return make_server(app, connection=Connection, idle_seconds=limits.idle_seconds)
