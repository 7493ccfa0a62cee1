"""Router whose routes return views; the return type is the OpenAPI schema.

    routes = ViewRouter(prefix="/contests/{slug}", tags=["teams"])

    @routes.get("/team", "One's own team", 401, 404)
    def get_own_team(slug: Slug, place: Here, asker: Asker) -> TeamView: ...

The statuses are those of refusals. A function that returns None answers 204. What routes ask for
(the place, who asks, names in addresses that can exist) and lists of views stand here, too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial, wraps
from typing import Annotated, Any, TypeVar, cast

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, create_model
from starlette.responses import FileResponse, JSONResponse, Response

from tokumei.apps.contest.services.authentication import viewer_from_token
from tokumei.apps.contest.services.context import VISITOR, AppContext, Viewer
from tokumei.apps.contest.services.organiser_roles import with_contest_rights
from tokumei.apps.contest.services.view_models import View
from tokumei.apps.http.errors import Unauthorized
from tokumei.apps.http.responses import ErrorAnswer, JsonResponse

BIGGEST_NUMBER = 2**31 - 1
FILE_SCHEMA = {"type": "string", "format": "binary"}
READ_ERRORS = (401, 403, 404)
WRITE_ERRORS = (*READ_ERRORS, 409, 422)
_BEARER = HTTPBearer(auto_error=False, description="a token of POST /tokens")
Slug = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the contest")]
EntryId = Annotated[str, Path(pattern=r"^[a-z0-9]{20}$")]
RowId = Annotated[int, Path(ge=0, le=BIGGEST_NUMBER)]
FaultsFrom = Annotated[
    int,
    Query(ge=0, le=BIGGEST_NUMBER, description="leave out so many faults; 1,000 come at a time"),
]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="the same upload with the same key is taken once",
    ),
]
Route = TypeVar("Route", bound=Callable[..., object])


class ServerHealthView(View):
    """The server is up and its database answers."""

    ok: bool
    version: str


LIST_DESCRIPTIONS = {
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


def get_app_context(request: Request) -> AppContext:
    """The server's home."""
    return cast("AppContext", request.app.state.place)


CurrentContext = Annotated[AppContext, Depends(get_app_context)]


def get_current_viewer(
    context: CurrentContext,
    request: Request,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
) -> Viewer:
    """Who asks; a token that is not valid is refused, none is a visitor's."""
    slug = request.path_params.get("slug")
    if bearer is not None:
        viewer = replace(
            viewer_from_token(context, bearer.credentials), address=client_address(request)
        )
        request.scope["remember"](viewer.account_id)
        return viewer if slug is None else with_contest_rights(context, viewer, slug)
    if request.headers.get("authorization"):
        raise Unauthorized("send the header Authorization: Bearer tkm_…")
    return VISITOR if slug is None else with_contest_rights(context, VISITOR, slug)


CurrentViewer = Annotated[Viewer, Depends(get_current_viewer)]


class RequestBody(BaseModel):
    """Base of all bodies: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class ApiErrorBody(ErrorAnswer):
    """Every error has this shape."""

    status: int


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route may answer instead, for OpenAPI."""
    return {status: {"model": ApiErrorBody} for status in statuses}


def client_address(request: Request) -> str:
    """The client's address."""
    return request.client.host if request.client else ""


def form_schema(
    fields: Mapping[str, object] | None = None, *, several: bool = False
) -> dict[str, object]:
    """A form with a file (or `several`) and text fields, for OpenAPI."""
    file = {"type": "array", "items": FILE_SCHEMA} if several else FILE_SCHEMA
    properties = {"file": file, **(fields or {})}
    schema = {"type": "object", "properties": properties, "required": ["file"]}
    return {
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
    }


class ViewRouter:
    """A router of such routes."""

    def __init__(self, *, tags: list[str | Enum], prefix: str = "") -> None:
        self.router = APIRouter(prefix=prefix, tags=tags)
        self.get = partial(self._add_route, "GET")
        self.post = partial(self._add_route, "POST")
        self.put = partial(self._add_route, "PUT")
        self.delete = partial(self._add_route, "DELETE")

    def _add_route(
        self,
        method: str,
        path: str,
        summary: str,
        *error_statuses: int,
        status: int = 200,
        sends: str | None = None,
        lists: str = "",
        openapi_extra: dict[str, object] | None = None,
    ) -> Callable[[Route], Route]:
        """`sends`: the type of the file that a route sends; `lists`: one of `LIST_DESCRIPTIONS`."""

        def add(route: Route) -> Route:
            signature = inspect.signature(route, eval_str=True)
            model, key = signature.return_annotation, lists.removeprefix("All").lower()
            if lists:
                parts: Any = {key: (model, ...)}
                model = create_model(lists, __doc__=LIST_DESCRIPTIONS[lists], **parts)
            is_view = inspect.isclass(model) and issubclass(model, View | BaseModel)
            success_status = 204 if model is None else status
            responses = error_responses(*error_statuses)
            if sends is not None:
                responses[200] = {"content": {sends: {"schema": FILE_SCHEMA}}}
            self.router.add_api_route(
                path,
                _wrap_route(route, signature, success_status, key),
                methods=[method],
                summary=summary,
                status_code=success_status,
                response_model=model if is_view else None,
                response_class=JSONResponse if sends is None else FileResponse,
                responses=responses,
                openapi_extra=openapi_extra,
            )
            return route

        return add


def _wrap_route(
    route: Callable[..., Any], signature: inspect.Signature, status: int, key: str
) -> Any:
    """The route with its view, or views by a key, or nothing, as a response."""

    def answer(result: Any) -> Response:
        if key:
            return JsonResponse({key: [view.as_json() for view in result]}, status_code=status)
        if isinstance(result, View):
            return JsonResponse(result.as_json(), status_code=status)
        return Response(status_code=status) if result is None else result

    answering: Any
    if inspect.iscoroutinefunction(route):

        @wraps(route)
        async def answering(*given: object, **named: object) -> Response:
            return answer(await route(*given, **named))

    else:

        @wraps(route)
        def answering(*given: object, **named: object) -> Response:
            return answer(route(*given, **named))

    answering.__signature__ = signature.replace(return_annotation=Response)
    return answering
