"""The service as an ASGI application, and on a port.

app = create_app(Desk({"people": session}, [prices]))
with listening("127.0.0.1", 8000) as taken:
    service_server(app, limits).run(sockets=[taken])
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import cache
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from starlette.types import Scope

from tokumei._version import __version__
from tokumei.core.text import Language, Text
from tokumei.http.answers import ErrorAnswer, Json, add_errors
from tokumei.http.gate import Gate
from tokumei.http.headers import language_of, only_for, security_headers
from tokumei.http.pool import ClientLeft, WorkPool
from tokumei.http.refusals import WrongContent, WrongMethod
from tokumei.http.serving import PatientConnection, Server, make_server
from tokumei.price.service.answers import (
    LOG,
    NOT_JSON,
    AddedPrices,
    Health,
    Optimum,
    PriceLists,
    SessionList,
    answer,
    body_error,
    error_json,
)
from tokumei.price.service.desk import Desk, Limits
from tokumei.price.service.questions import OptimumQuestion, optimum
from tokumei.report.html import content_policy, environment, inert_json, template_source

ABOUT = (
    "Finds, among all recodings in which every group has at least k people, the one that is worth "
    "most, and proves it. Every error has the same shape, in English and Japanese."
)
REFUSALS: dict[int | str, dict[str, Any]] = {
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
PRICES = "/v1/prices"
BUSY = Text(
    "too many searches are waiting; try again in a moment",
    "待っている探索が多すぎます。少し待ってからもう一度お試しください",
)
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
    desk: Desk, limits: Limits | None = None, *, hosts: Iterable[str] | None = None
) -> FastAPI:
    """The application; `hosts` are the names it answers for (None: any)."""
    limits = limits or Limits()
    pool = WorkPool(limits.searches, limits.waiting, busy=BUSY)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        pool.close()

    app = FastAPI(
        title="Tokumei price service",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=REFUSALS,
    )
    app.add_middleware(
        Gate,
        answer=answer,
        log=LOG,
        require=only_for(hosts),
        most_body=lambda scope: _most_body(scope, limits),
        body_seconds=limits.body_seconds,
        headers=security_headers(),
        log_requests=True,
    )
    add_errors(app, answer, fields=body_error, unreadable=NOT_JSON)
    _add_looks(app, desk, limits, pool)
    _add_questions(app, desk, limits, pool)
    return app


def _add_questions(app: FastAPI, desk: Desk, limits: Limits, pool: WorkPool) -> None:
    @app.post("/v1/optimum", response_model=Optimum, summary="The recoding that is worth most")
    async def ask(question: OptimumQuestion, request: Request) -> Response:
        try:
            found = await pool.run(
                lambda cancelled: optimum(desk, question, limits, cancelled), request.receive
            )
        except ClientLeft:
            return Response(status_code=499)
        return Json(found)

    @app.post(
        PRICES,
        response_model=AddedPrices,
        status_code=201,
        summary="Add a price file",
        openapi_extra=CSV_BODY,
    )
    async def add_prices(
        request: Request,
        name: Annotated[str, Query(min_length=1, max_length=200, description="file name")],
    ) -> Response:
        _require_uploads(request, limits)
        content = await request.body()
        try:
            found = await pool.run(lambda _: desk.add(content, name), request.receive)
        except ClientLeft:
            return Response(status_code=499)
        return Json({"ok": True, **found.as_json()}, status_code=201)


def _add_looks(app: FastAPI, desk: Desk, limits: Limits, pool: WorkPool) -> None:
    @app.get("/healthz", response_model=Health, summary="Whether the service is up")
    async def health() -> Response:
        return Json({"ok": True, "version": __version__, "searches": pool.under_way})

    @app.get("/v1/sessions", response_model=SessionList, summary="Data to ask about")
    async def sessions() -> Response:
        return Json({"ok": True, "sessions": desk.sessions_json()})

    @app.get(PRICES, response_model=PriceLists, summary="Price lists")
    async def prices() -> Response:
        return Json({"ok": True, "prices": desk.prices_json()})

    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        html = render_page(desk, limits, language_of(request))
        return HTMLResponse(html, headers={"content-security-policy": page_policy()})


def _most_body(scope: Scope, limits: Limits) -> int:
    return limits.price_bytes if scope["path"] == PRICES else limits.question_bytes


def _require_uploads(request: Request, limits: Limits) -> None:
    if not limits.uploads:
        raise WrongMethod(
            "this service takes no price files", "このサービスは価格表を受け付けません"
        )
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in CSV_TYPES:
        raise WrongContent(
            f"send the price file as it is, with content-type {CSV_TYPES[0]}",
            f"価格表はそのまま content-type {CSV_TYPES[0]} で送ってください",
        )


def service_server(app: FastAPI, limits: Limits) -> Server:
    """A server that is ready to run on a listening socket."""

    class Connection(PatientConnection):
        head_seconds = limits.idle_seconds
        tells_late = True
        shape = staticmethod(error_json)

    return make_server(app, connection=Connection, idle_seconds=limits.idle_seconds)


HERE = "tokumei.price.service"
TITLE = Text("What is this release worth?", "この匿名加工データの価値は？")


def render_page(desk: Desk, limits: Limits, lang: Language) -> str:
    """The page, opening in `lang`."""
    known = {
        "sessions": desk.sessions_json(),
        "prices": desk.prices_json(),
        "least_k": limits.least_k,
    }
    return (
        environment(HERE)
        .get_template("price.html")
        .render(
            lang=lang,
            title=TITLE,
            uploads=limits.uploads,
            styles=Markup(template_source("report.css") + template_source("price.css", HERE)),
            scripts=[Markup(script) for script in _scripts()],
            policy=page_policy(header=False),
            payload=Markup(inert_json(known)),
        )
    )


@cache
def page_policy(*, header: bool = True) -> str:
    """Our own scripts and our own service, and nothing else; frames only the header can forbid."""
    own = content_policy(_scripts()) + "; connect-src 'self'"
    return own + "; frame-ancestors 'none'" if header else own


def _scripts() -> list[str]:
    return [template_source("report.js"), template_source("price.js", HERE)]
