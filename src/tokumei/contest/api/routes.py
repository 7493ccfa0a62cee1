"""Routes that answer with views: what a function returns is what OpenAPI tells.

    routes = Routes(prefix="/contests/{slug}", tags=["teams"])

    @routes.get("/team", "One's own team", 401, 404)
    def own_team(slug: Slug, place: Here, asker: Asker) -> TeamView: ...

The statuses are those of refusals. A function that returns None answers 204. What routes ask for
(the place, who asks, names in addresses that can exist) and lists of views stand here, too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Annotated, Any, TypeVar, cast

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, create_model
from starlette.responses import FileResponse, JSONResponse, Response

from tokumei.contest.desk.logins import viewer_of_token
from tokumei.contest.desk.place import VISITOR, Place, Viewer
from tokumei.contest.desk.roles import entering
from tokumei.contest.desk.views import View
from tokumei.http.answers import ErrorAnswer, Json
from tokumei.http.refusals import LogInFirst

BIGGEST = 2**31 - 1
FILE = {"type": "string", "format": "binary"}
LOOK = (401, 403, 404)
CHANGE = (*LOOK, 409, 422)
_BEARER = HTTPBearer(auto_error=False, description="a token of POST /tokens")
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
Route = TypeVar("Route", bound=Callable[..., Any])


class Health(View):
    """The server is up and its database answers."""

    ok: bool
    version: str


LISTS = {
    "Tokens": "One's tokens.",
    "Contests": "All contests, the newest first.",
    "Entries": "Entries of one's team, the newest first; without faults, steps and history.",
    "Targets": "Published releases.",
    "Points": "Releases on the utility–safety plot.",
    "Teams": "All teams of a contest.",
    "AllEntries": "All entries of a contest, the newest first.",
    "Runs": "All re-judgements and re-checks, the newest first.",
    "Invites": "All codes, the newest first.",
    "Attachments": "All files beside the contest's texts, by name.",
    "News": "Announcements and questions, the newest first.",
    "Organisers": "All who organise a contest, by name.",
    "Hints": "The strongest first.",
}
"""Answers that are a list, named by the last word: {"entries": [...]}."""


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
    slug = request.path_params.get("slug")
    if given is not None:
        viewer = replace(viewer_of_token(place, given.credentials), address=client_of(request))
        request.scope["remember"](viewer.account_id)
        return viewer if slug is None else entering(place, viewer, slug)
    if request.headers.get("authorization"):
        raise LogInFirst(
            "send the header Authorization: Bearer tkm_…",
            "ヘッダー Authorization: Bearer tkm_… を送ってください",
        )
    return VISITOR if slug is None else entering(place, VISITOR, slug)


Asker = Annotated[Viewer, Depends(asker_of)]


class Question(BaseModel):
    """Base of all bodies: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class Error(ErrorAnswer):
    """Every error has this shape."""

    status: int


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route may answer instead, for OpenAPI."""
    return {status: {"model": Error} for status in statuses}


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


class Routes:
    """A router of such routes."""

    def __init__(self, **given: Any) -> None:
        self.router = APIRouter(**given)
        self.get = partial(self._add, "GET")
        self.post = partial(self._add, "POST")
        self.put = partial(self._add, "PUT")
        self.delete = partial(self._add, "DELETE")

    def _add(
        self,
        method: str,
        path: str,
        summary: str,
        *refused: int,
        status: int = 200,
        sends: str | None = None,
        lists: str = "",
        **told: Any,
    ) -> Callable[[Route], Route]:
        """`sends`: the type of the file that the route answers with; `lists`: one of `LISTS`."""

        def add(route: Route) -> Route:
            signature = inspect.signature(route, eval_str=True)
            model, key = signature.return_annotation, lists.removeprefix("All").lower()
            if lists:
                parts: Any = {key: (model, ...)}
                model = create_model(lists, __doc__=LISTS[lists], **parts)
            is_view = inspect.isclass(model) and issubclass(model, View | BaseModel)
            found = 204 if model is None else status
            answers = refusals(*refused)
            if sends is not None:
                answers[200] = {"content": {sends: {"schema": FILE}}}
            self.router.add_api_route(
                path,
                _answering(route, signature, found, key),
                methods=[method],
                summary=summary,
                status_code=found,
                response_model=model if is_view else None,
                response_class=JSONResponse if sends is None else FileResponse,
                responses=answers,
                **told,
            )
            return route

        return add


def _answering(
    route: Callable[..., Any], signature: inspect.Signature, status: int, key: str
) -> Any:
    """The route with its view, or views by a key, or nothing, as a response."""

    def answer(found: Any) -> Response:
        if key:
            return Json({key: [view.as_json() for view in found]}, status_code=status)
        if isinstance(found, View):
            return Json(found.as_json(), status_code=status)
        return Response(status_code=status) if found is None else found

    answering: Any
    if inspect.iscoroutinefunction(route):

        @wraps(route)
        async def answering(*given: Any, **named: Any) -> Response:
            return answer(await route(*given, **named))

    else:

        @wraps(route)
        def answering(*given: Any, **named: Any) -> Response:
            return answer(route(*given, **named))

    answering.__signature__ = signature.replace(return_annotation=Response)
    return answering
