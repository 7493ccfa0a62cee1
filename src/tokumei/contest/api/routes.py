"""Routes that answer with views: what a function returns is what OpenAPI tells.

    routes = Routes(prefix="/contests/{slug}", tags=["teams"])

    @routes.get("/team", "One's own team", 401, 404)
    def own_team(slug: Slug, place: Here, asker: Asker) -> TeamView: ...

The statuses are those of refusals. A function that returns None answers 204.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.responses import FileResponse, JSONResponse, Response

from tokumei.contest.api.asking import file_answer, refusals
from tokumei.contest.desk.views import View
from tokumei.http.answers import Json

Route = TypeVar("Route", bound=Callable[..., Any])


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
        **told: Any,
    ) -> Callable[[Route], Route]:
        """`sends` is the type of the file that the route answers with."""

        def add(route: Route) -> Route:
            signature = inspect.signature(route, eval_str=True)
            model = signature.return_annotation
            is_view = inspect.isclass(model) and issubclass(model, View)
            found = 204 if model is None else status
            self.router.add_api_route(
                path,
                _answering(route, signature, found),
                methods=[method],
                summary=summary,
                status_code=found,
                response_model=model if is_view else None,
                response_class=JSONResponse if sends is None else FileResponse,
                responses=refusals(*refused) | file_answer(sends),
                **told,
            )
            return route

        return add


def _answering(route: Callable[..., Any], signature: inspect.Signature, status: int) -> Any:
    """The route with its view, or nothing, as a response."""

    def answer(found: Any) -> Response:
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
