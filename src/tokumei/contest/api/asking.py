"""What routes ask for: the place, who asks, and names in addresses that can exist."""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import Depends, Header, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict

from tokumei.contest.desk.place import Place
from tokumei.contest.desk.tokens import viewer_of_token
from tokumei.contest.desk.viewer import VISITOR, Viewer
from tokumei.core.text import Text
from tokumei.http.answers import ErrorAnswer
from tokumei.http.refusals import LogInFirst

BIGGEST = 2**31 - 1
FILE = {"type": "string", "format": "binary"}
LOOK = (401, 403, 404)
CHANGE = (*LOOK, 409, 422)
_BEARER = HTTPBearer(auto_error=False, description="a token of POST /tokens")


def place_of(request: Request) -> Place:
    """The server's home."""
    return cast("Place", request.app.state.place)


Here = Annotated[Place, Depends(place_of)]


def asker_of(
    place: Here,
    request: Request,
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
) -> Viewer:
    """Who asks; a token that is not valid is refused, none is a visitor's."""
    if given is not None:
        viewer = viewer_of_token(place, given.credentials)
        request.scope["remember"](viewer.account_id)
        return viewer
    if request.headers.get("authorization"):
        raise LogInFirst(
            Text(
                "send the header Authorization: Bearer tkm_…",
                "ヘッダー Authorization: Bearer tkm_… を送ってください",
            )
        )
    return VISITOR


Asker = Annotated[Viewer, Depends(asker_of)]
Slug = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the contest")]
EntryId = Annotated[str, Path(pattern=r"^[a-z0-9]{20}$")]
Number = Annotated[int, Path(ge=0, le=BIGGEST)]
FaultsFrom = Annotated[
    int, Query(ge=0, le=BIGGEST, description="leave out so many faults; 1,000 come at a time")
]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="the same upload with the same key is taken once",
    ),
]


class Question(BaseModel):
    """Base of all bodies: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class Error(ErrorAnswer):
    """Every error has this shape."""

    status: int


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route may answer instead, for OpenAPI."""
    return {status: {"model": Error} for status in statuses}


def file_answer(kind: str | None) -> dict[int | str, dict[str, Any]]:
    """A file as an answer, for OpenAPI."""
    return {} if kind is None else {200: {"content": {kind: {"schema": FILE}}}}


def client_of(request: Request) -> str:
    """The client's address."""
    return request.client.host if request.client else ""


def form(fields: dict[str, Any] | None = None, *, several: bool = False) -> dict[str, Any]:
    """A form with a file (or `several`) and text fields, for OpenAPI."""
    file = {"type": "array", "items": FILE} if several else FILE
    given = {"file": file, **(fields or {})}
    schema = {"type": "object", "properties": given, "required": ["file"]}
    return {
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
    }
