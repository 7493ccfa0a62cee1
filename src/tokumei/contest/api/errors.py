"""Every error of the API in one JSON shape: TokumeiError.as_json() and the HTTP status."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.refusals import NotFound, Wrong
from tokumei.core.errors import Fault, TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Refusal, headers_of, json_bytes, status_of

LOG = logging.getLogger("tokumei.contest.api")
KINDS = {
    "missing": Text("is missing", "がありません"),
    "extra_forbidden": Text("is not a known field", "は知らない項目です"),
    "string_too_long": Text("is too long", "が長すぎます"),
    "string_too_short": Text("is too short", "が短すぎます"),
    "json_invalid": Text("is not JSON", "が JSON ではありません"),
}
OTHER = Text("has a value that cannot be used", "の値が正しくありません")
BROKEN = Text(
    "something broke in the server; its log says where",
    "サーバー内部で問題が起きました。ログを確認してください",
)


class Broken(Refusal):
    """A bug of ours."""

    status = 500


class WrongMethod(Refusal):
    """The address takes another method."""

    status = 405

    def __init__(self, allowed: str) -> None:
        super().__init__(
            Text("this address takes another method", "このアドレスは別のメソッドを受け付けます"),
            headers={"allow": allowed},
        )


class Json(Response):
    """A JSON response."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Plain data as JSON."""
        return json_bytes(content)


def error_json(error: TokumeiError) -> dict[str, Any]:
    """The one shape."""
    return error.as_json() | {"status": status_of(error)}


def error_response(error: TokumeiError) -> Response:
    """An error as a response."""
    return Json(error_json(error), status_code=status_of(error), headers=headers_of(error))


def add_errors(app: FastAPI) -> None:
    """Answer every error in that shape."""

    @app.exception_handler(TokumeiError)
    async def ours(_: Request, error: TokumeiError) -> Response:
        return error_response(error)

    @app.exception_handler(RequestValidationError)
    async def fields(_: Request, error: RequestValidationError) -> Response:
        return error_response(field_error(error.errors()))

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        return error_response(_of_status(error))


def field_error(found: Sequence[Mapping[str, Any]]) -> Refusal:
    """What is wrong with the fields of a request; what was sent is not repeated."""
    if any(fault["loc"][0] == "path" for fault in found):
        return NotFound()
    faults = [_fault(fault) for fault in found]
    return Wrong(
        Text("fields are unknown, missing or wrong", "項目に不足や誤りがあります"), faults=faults
    )


def _fault(found: Mapping[str, Any]) -> Fault:
    place = ".".join(str(part) for part in found["loc"][1:] if isinstance(part, str))
    kind = KINDS.get(found["type"], OTHER)
    name = place[:100] or "body"
    message = Text(f"{name} {kind.en}", f"{name} {kind.ja}")
    return Fault(rule="field", message=message, column=name)


def _of_status(error: HTTPException) -> Refusal:
    if error.status_code == 405:
        return WrongMethod((error.headers or {}).get("Allow", ""))
    if error.status_code == 404:
        return NotFound(Text("there is nothing at this address", "このアドレスには何もありません"))
    return Wrong(Text("the body cannot be read", "本文を読み取れません"))
