"""The service as an ASGI application.

app = create_app(Desk({"people": session}, [prices]))
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from tokumei._version import __version__
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import headers_of, json_bytes, status_of
from tokumei.price.service.answers import (
    AddedPrices,
    ErrorAnswer,
    Health,
    Optimum,
    PriceLists,
    SessionList,
)
from tokumei.price.service.ask import optimum
from tokumei.price.service.desk import Desk
from tokumei.price.service.field_faults import NOT_JSON, body_error
from tokumei.price.service.gate import PRICES, Gate
from tokumei.price.service.limits import Limits
from tokumei.price.service.page import page_policy, render_page
from tokumei.price.service.pool import ClientLeft, SearchPool
from tokumei.price.service.questions import OptimumQuestion
from tokumei.price.service.refusals import (
    BROKEN,
    ContentError,
    MethodError,
    NotFoundError,
    RequestError,
    ServiceError,
)

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


class Json(Response):
    """A JSON response of ours."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Plain data as JSON."""
        return json_bytes(content)


def create_app(
    desk: Desk, limits: Limits | None = None, *, hosts: Iterable[str] | None = None
) -> FastAPI:
    """The application; `hosts` are the names it answers for (None: any)."""
    limits = limits or Limits()
    pool = SearchPool(limits)

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
    app.add_middleware(Gate, limits=limits, hosts=hosts)
    _add_errors(app)
    _add_looks(app, desk, limits, pool)
    _add_questions(app, desk, limits, pool)
    return app


def _add_questions(app: FastAPI, desk: Desk, limits: Limits, pool: SearchPool) -> None:
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


def _add_looks(app: FastAPI, desk: Desk, limits: Limits, pool: SearchPool) -> None:
    @app.get("/healthz", response_model=Health, summary="Whether the service is up")
    async def health() -> Response:
        return Json({"ok": True, "version": __version__, "searches": pool.searches})

    @app.get("/v1/sessions", response_model=SessionList, summary="Data to ask about")
    async def sessions() -> Response:
        return Json({"ok": True, "sessions": desk.sessions_json()})

    @app.get(PRICES, response_model=PriceLists, summary="Price lists")
    async def prices() -> Response:
        return Json({"ok": True, "prices": desk.prices_json()})

    @app.get("/", include_in_schema=False)
    async def page(request: Request, lang: str | None = None) -> Response:
        preferred = lang or request.headers.get("accept-language", "")
        html = render_page(desk, limits, "ja" if preferred.lower().startswith("ja") else "en")
        return HTMLResponse(html, headers={"content-security-policy": page_policy()})


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(TokumeiError)
    async def ours(_: Request, error: TokumeiError) -> Response:
        return Json(error.as_json(), status_code=status_of(error), headers=headers_of(error))

    @app.exception_handler(RequestValidationError)
    async def fields(request: Request, error: RequestValidationError) -> Response:
        return await ours(request, body_error(error.errors()))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return await ours(request, _http_error(error))

    @app.exception_handler(Exception)
    async def bug(request: Request, _: Exception) -> Response:
        # The gate logs it.
        return await ours(request, ServiceError(BROKEN))


def _http_error(error: HTTPException) -> RequestError:
    if error.status_code == 404:
        return NotFoundError(
            Text("there is nothing at this address", "このアドレスには何もありません")
        )
    if error.status_code == 405:
        return MethodError(
            Text("this address takes another method", "このアドレスは別のメソッドを受け付けます"),
            headers=error.headers,
        )
    return RequestError(NOT_JSON)


def _require_uploads(request: Request, limits: Limits) -> None:
    if not limits.uploads:
        raise MethodError(
            Text("this service takes no price files", "このサービスは価格表を受け付けません")
        )
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in CSV_TYPES:
        raise ContentError(
            Text(
                f"send the price file as it is, with content-type {CSV_TYPES[0]}",
                f"価格表はそのまま content-type {CSV_TYPES[0]} で送ってください",
            )
        )
