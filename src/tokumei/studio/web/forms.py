"""What pages send: small forms and small JSON, refused where a field is wrong."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Path
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from tokumei.http.refusals import Wrong, field_faults
from tokumei.studio.store.project import Project
from tokumei.studio.web.render import Visit, open_visit

Model = TypeVar("Model", bound=BaseModel)


async def posted(request: Request) -> dict[str, Any]:
    """The fields of a form or of a JSON object; a field that stands several times is a list."""
    if request.headers.get("content-type", "").startswith("application/json"):
        try:
            found = json.loads(await request.body())
        except ValueError:
            raise Wrong("this is not JSON", "JSON ではありません") from None
        if not isinstance(found, dict):
            raise Wrong("this is no JSON object", "JSON のオブジェクトではありません")
        return found
    form = await request.form()
    return {name: values if len(values := form.getlist(name)) > 1 else values[0] for name in form}


def as_model(model: type[Model], data: dict[str, Any]) -> Model:
    """Plain data as a model; every field that is wrong is told."""
    try:
        return model.model_validate(data)
    except ValidationError as err:
        faults = field_faults([{**one, "loc": ("body", *one["loc"])} for one in err.errors()])
        raise Wrong(
            "some answers cannot be used", "使えない回答があります", faults=faults
        ) from None


def many(value: Any) -> list[str]:
    """A field that may stand never, once or several times."""
    if value is None or value == "":
        return []
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def here(request: Request) -> Visit:
    """What is known about a request."""
    return open_visit(request)


def project_of(request: Request, id: Annotated[str, Path(max_length=80)]) -> Project:
    """The project in the address."""
    found: Project = request.app.state.home.project(id)
    return found


Here = Annotated[Visit, Depends(here)]
At = Annotated[Project, Depends(project_of)]
Posted = Annotated[dict[str, Any], Depends(posted)]
