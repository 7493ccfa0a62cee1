"""Renders pages and short responses, formats figures, and reads forms."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, TypeVar, Unpack

from fastapi import Depends, Path
from jinja2 import Environment
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tokumei.apps.http.errors import (
    UnprocessableContent,
    field_violations,
    http_headers,
    http_status,
)
from tokumei.apps.http.headers import LANGUAGE_COOKIE, SECONDS_PER_YEAR, request_language
from tokumei.apps.http.responses import JsonResponse
from tokumei.apps.http.templates import PageRequest, format_sentence, make_template_environment
from tokumei.apps.studio.jobs.manager import JobManager
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import JobArguments
from tokumei.apps.studio.web.access import StudioAccess
from tokumei.core.errors import TokumeiError
from tokumei.core.formatting import format_number, format_percent, format_value
from tokumei.core.language import Language, current_language, language_context
from tokumei.core.messages import Message

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class StudioRequest(PageRequest):
    """One request of one browser, and what it is about."""

    request: Request
    home: StudioHome
    jobs: JobManager
    access: StudioAccess
    lang: Language
    seconds: float
    """For one search of candidates."""

    @property
    def base(self) -> str:
        """The prefix of every address."""
        return self.access.base

    @property
    def page_path(self) -> str:
        """The address of this page, without its query."""
        return self.request.url.path

    def start(self, project: Project, job_name: str, **args: Unpack[JobArguments]) -> None:
        """Begin a job, which speaks the language of the page."""
        self.jobs.start(project, job_name, args, lang=self.lang)

    def dress(self, response: Response) -> Response:
        """Keep the language that was chosen."""
        if self.request.query_params.get("lang") == self.lang:
            response.set_cookie(
                LANGUAGE_COOKIE,
                self.lang,
                SECONDS_PER_YEAR,
                path=f"{self.base}/",
                httponly=True,
                samesite="strict",
            )
        return response


def open_request(request: Request) -> StudioRequest:
    """The studio's view of a request."""
    state = request.app.state
    return StudioRequest(
        request, state.home, state.jobs, state.access, request_language(request), state.seconds
    )


def render_page(
    visit: StudioRequest, template: str, *, title: Message, status: int = 200, **shown: object
) -> Response:
    """A whole page."""
    return visit.dress(HTMLResponse(render_template(visit, template, title=title, **shown), status))


def render_template(visit: StudioRequest, template: str, **shown: object) -> str:
    """A template filled in, in the visit's language."""
    with language_context(visit.lang):
        loaded_template = make_studio_environment().get_template(template)
        return loaded_template.render(visit=visit, base=visit.base, lang=visit.lang, **shown)


def redirect(visit: StudioRequest, path: str) -> Response:
    """Redirect to another page of the studio."""
    address = f"{visit.base}/{path}"
    if visit.is_script_request:
        return visit.dress(JsonResponse({"ok": True, "location": address}))
    return visit.dress(RedirectResponse(address, 303))


def error_page(visit: StudioRequest, error: TokumeiError) -> Response:
    """An error as a page, or for our script as plain data in the visit's language."""
    with language_context(visit.lang):
        messages = [
            format_sentence(error.message),
            *(format_sentence(violation.message) for violation in error.faults),
        ]
    status, headers = http_status(error), http_headers(error)
    if visit.is_script_request:
        return JsonResponse(
            {"ok": False, "message": messages[0], "faults": messages[1:]}, status, headers
        )
    title = Message("This did not work")
    return render_page(visit, "error.html", title=title, status=status, messages=messages)


@cache
def make_studio_environment() -> Environment:
    """The template environment with the studio's filters."""
    templates = make_template_environment("tokumei.apps.studio.web")
    templates.filters.update(
        percent=format_percent,
        number=format_count,
        figure=format_number,
        people=format_people,
        moment=format_utc_moment,
        size=format_bytes,
    )
    # A sentence of a result: all of it, or what stands in a record under name_en and so on.
    templates.filters.update(t=Message.of_texts, sentence_of=Message.of_json)
    return templates


def format_count(value: float) -> str:
    """A count with separators of thousands; the next whole one unless it is tiny."""
    spec = ".1f" if value != int(value) and value < 10 else ",.0f"
    return format_value(float(value), spec, current_language())


def format_people(value: float) -> str:
    """A number of people; below one half it reads 'fewer than 1'."""
    return Message("fewer than 1").show() if 0 < value < 0.5 else format_count(round(value))


def format_utc_moment(text: str) -> str:
    """A moment as a person reads it, in UTC."""
    try:
        return Message("{moment:date} UTC", moment=datetime.fromisoformat(text)).show()
    except ValueError:
        return text


def format_bytes(count: int) -> str:
    """Bytes in a unit that fits."""
    for unit, power in (("GB", 30), ("MB", 20), ("kB", 10)):
        if count >= 1 << power:
            return f"{format_value(count / (1 << power), '.1f', current_language())} {unit}"
    return f"{count} B"


async def read_form(request: Request) -> dict[str, object]:
    """The fields of a form or of a JSON object; a field that stands several times is a list."""
    if request.headers.get("content-type", "").startswith("application/json"):
        try:
            fields = json.loads(await request.body())
        except ValueError:
            raise UnprocessableContent("this is not JSON") from None
        if not isinstance(fields, dict):
            raise UnprocessableContent("this is no JSON object")
        return fields
    form = await request.form()
    return {name: values if len(values := form.getlist(name)) > 1 else values[0] for name in form}


def validate_form(model: type[Model], data: dict[str, object]) -> Model:
    """Validate plain data as a model; the error lists every invalid field."""
    try:
        return model.model_validate(data)
    except ValidationError as err:
        faults = field_violations(
            [{**field_error, "loc": ("body", *field_error["loc"])} for field_error in err.errors()]
        )
        raise UnprocessableContent("some answers cannot be used", faults=faults) from None


def as_list(value: object) -> list[str]:
    """The values of a field that was sent never, once or several times."""
    if value is None or value == "":
        return []
    return [str(element) for element in value] if isinstance(value, list) else [str(value)]


def find_project(request: Request, id: Annotated[str, Path(max_length=80)]) -> Project:
    """The project in the address."""
    project: Project = request.app.state.home.project(id)
    return project


CurrentStudioRequest = Annotated[StudioRequest, Depends(open_request)]
CurrentProject = Annotated[Project, Depends(find_project)]
FormFields = Annotated[dict[str, object], Depends(read_form)]
