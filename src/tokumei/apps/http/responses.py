"""JSON responses, and one shape for all errors.

    add_error_handlers(
        app, json_error_responder(shape), fields=field_error, unreadable=UnprocessableContent(…)
    )

A shape gives the fields of an error; `answer` makes a response of it, which for people may be a
page instead.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tokumei.apps.http.errors import MethodNotAllowed, NotFound, http_headers, http_status
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

ErrorShape = Callable[[TokumeiError], Mapping[str, object]]
ErrorResponder = Callable[[Request, TokumeiError], Awaitable[Response]]
FieldErrors = Sequence[ErrorDetails]
NO_SUCH_ADDRESS = Message("there is nothing at this address")


class FaultItem(BaseModel):
    """One thing that is wrong, and where."""

    line: int | None
    column: str | None
    rule: str
    message_en: str
    message_ja: str


class ErrorAnswer(BaseModel):
    """The one shape of all errors."""

    ok: Literal[False]
    error: str = Field(description="kind of error", examples=["NotFound"])
    message_en: str
    message_ja: str
    total: int = Field(description="how many faults there are; at most 20 are listed")
    faults: list[FaultItem]


def json_bytes(content: object) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which UTF-8 cannot hold, stays escaped."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


class JsonResponse(Response):
    """A JSON response."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Plain data as JSON."""
        return json_bytes(content)


def json_error_responder(shape: ErrorShape) -> ErrorResponder:
    """Errors as JSON of that shape."""

    async def answer(_: Request, error: TokumeiError) -> Response:
        return JsonResponse(
            shape(error), status_code=http_status(error), headers=http_headers(error)
        )

    return answer


def add_error_handlers(
    app: FastAPI,
    answer: ErrorResponder,
    *,
    fields: Callable[[FieldErrors], TokumeiError],
    unreadable: TokumeiError,
) -> None:
    """Answer every error of an application; `unreadable` is for what FastAPI could not read."""

    @app.exception_handler(TokumeiError)
    async def handle_tokumei_error(request: Request, error: TokumeiError) -> Response:
        return await answer(request, error)

    @app.exception_handler(RequestValidationError)
    async def handle_validation_error(request: Request, error: RequestValidationError) -> Response:
        return await answer(request, fields(error.errors()))

    @app.exception_handler(HTTPException)
    async def handle_http_exception(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return await answer(request, NotFound(NO_SUCH_ADDRESS))
        if error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "")
            return await answer(request, MethodNotAllowed(headers={"allow": allowed}))
        return await answer(request, unreadable)
