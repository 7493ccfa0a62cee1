"""Pages and short answers, figures as people read them, and what pages send."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Path
from jinja2 import Environment
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tokumei.core.errors import TokumeiError
from tokumei.core.figures import percent
from tokumei.core.text import Language, Text, language
from tokumei.http.answers import Json
from tokumei.http.headers import COOKIE, YEAR, language_of
from tokumei.http.pages import Looking, sentence, templates_of
from tokumei.http.refusals import Wrong, field_faults, headers_of, status_of
from tokumei.studio.jobs.board import Jobs
from tokumei.studio.store.home import Home
from tokumei.studio.store.project import Project
from tokumei.studio.web.access import Access

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Visit(Looking):
    """One request of one browser, and what it is about."""

    request: Request
    home: Home
    jobs: Jobs
    access: Access
    lang: Language
    seconds: float
    """For one search of candidates."""

    @property
    def base(self) -> str:
        """What stands before every address."""
        return self.access.base

    @property
    def here(self) -> str:
        """The address of this page, without its query."""
        return self.request.url.path

    def start(self, project: Project, what: str, **args: Any) -> None:
        """Begin a job, which speaks the language of the page."""
        self.jobs.start(project, what, args, lang=self.lang)

    def dress(self, response: Response) -> Response:
        """Keep the language that was chosen."""
        if self.request.query_params.get("lang") == self.lang:
            response.set_cookie(
                COOKIE, self.lang, YEAR, path=f"{self.base}/", httponly=True, samesite="strict"
            )
        return response


def open_visit(request: Request) -> Visit:
    """What is known about a request."""
    state = request.app.state
    return Visit(request, state.home, state.jobs, state.access, language_of(request), state.seconds)


def page(visit: Visit, template: str, *, title: Text, status: int = 200, **shown: Any) -> Response:
    """A whole page."""
    return visit.dress(HTMLResponse(fragment(visit, template, title=title, **shown), status))


def fragment(visit: Visit, template: str, **shown: Any) -> str:
    """A template filled in, in the visit's language."""
    with language(visit.lang):
        made = environment().get_template(template)
        return made.render(visit=visit, base=visit.base, lang=visit.lang, **shown)


def go(visit: Visit, path: str) -> Response:
    """On to another page of ours."""
    address = f"{visit.base}/{path}"
    if visit.by_script:
        return visit.dress(Json({"ok": True, "location": address}))
    return visit.dress(RedirectResponse(address, 303))


def error_page(visit: Visit, error: TokumeiError) -> Response:
    """An error as a page, or for our script as plain data in the visit's language."""
    with language(visit.lang):
        told = [sentence(error.message), *(sentence(one.message) for one in error.faults)]
    status, headers = status_of(error), headers_of(error)
    if visit.by_script:
        return Json({"ok": False, "message": told[0], "faults": told[1:]}, status, headers)
    title = Text("This did not work", "処理できませんでした")
    return page(visit, "error.html", title=title, status=status, told=told)


@cache
def environment() -> Environment:
    """Where the templates are, and what they may call."""
    made = templates_of("tokumei.studio.web")
    made.filters.update({one.__name__: one for one in (percent, number, people, moment, size)})
    made.filters["t"] = lambda pair: Text(*pair)
    return made


def number(value: float) -> str:
    """A count with separators of thousands; the next whole one unless it is tiny."""
    if value != int(value) and value < 10:
        return f"{value:.1f}"
    return f"{round(value):,}"


def people(value: float) -> str:
    """So many people; what rounds to nobody but is more says so."""
    if 0 < value < 0.5:
        return str(Text("fewer than 1", "1 人未満"))
    return f"{round(value):,}"


def moment(text: str) -> str:
    """A moment as a person reads it, in UTC."""
    try:
        return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return text


def size(count: int) -> str:
    """Bytes in a unit that fits."""
    for unit, power in (("GB", 30), ("MB", 20), ("kB", 10)):
        if count >= 1 << power:
            return f"{count / (1 << power):.1f} {unit}"
    return f"{count} B"


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


def project_of(request: Request, id: Annotated[str, Path(max_length=80)]) -> Project:
    """The project in the address."""
    found: Project = request.app.state.home.project(id)
    return found


Here = Annotated[Visit, Depends(open_visit)]
At = Annotated[Project, Depends(project_of)]
Posted = Annotated[dict[str, Any], Depends(posted)]
