"""Announcements and questions; the console's pages about organisers and collusion; the API,
as its OpenAPI document describes it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, TypeAlias

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from tokumei.apps.contest.services import news, organiser_roles
from tokumei.apps.contest.services.accounts import create_invite
from tokumei.apps.contest.services.collusion import find_collusion_hints
from tokumei.apps.contest.services.context import Viewer
from tokumei.apps.contest.web.pages.console import render_console_page
from tokumei.apps.contest.web.rendering import (
    add_form_page,
    redirect,
    render_contest_page,
    render_page,
)
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
)
from tokumei.core.messages import Message

router = APIRouter()
HINT_LABELS = {
    "same-file": Message("the very same file was uploaded"),
    "same-release": Message("the same released rows"),
    "alike-releases": Message("many equal rows that nobody else has"),
    "alike-guesses": Message("guesses with the same mistakes, which nobody else makes"),
    "same-address": Message("uploads from one address"),
}


def _news_page(visit: RequestContext, slug: str) -> Response:
    names = ("question", "en", "ja", "answer-en", "answer-ja", "id", "public")
    return render_contest_page(
        visit,
        slug,
        "news",
        title=Message("News and questions"),
        news=visit.ask(news.list_news, slug),
        typed={name: visit.tried(name) for name in names},
        most=news.MOST_CHARACTERS,
    )


def _ask_question(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    visit.ask(news.ask_question, slug, form["question"])
    return FlashMessage(Message("The organisers have your question; the answer appears here."))


def _post_announcement(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    visit.ask(news.post_announcement, slug, {"en": form["en"], "ja": form["ja"]})
    return FlashMessage(Message("Announced on every page."))


def _answer_question(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    words = {"en": form["answer-en"], "ja": form["answer-ja"]}
    public = form["public"] == "yes"
    visit.ask(news.answer_question, slug, form.number("id"), words, public=public)
    if public:
        return FlashMessage(Message("Question and answer are shown to everybody."))
    return FlashMessage(Message("The answer is shown to those who asked."))


add_form_page(
    router,
    "/c/{slug}/news",
    _news_page,
    {"ask": _ask_question, "announce": _post_announcement, "answer": _answer_question},
    require=Viewer.require_account,
)


def _organisers_page(visit: RequestContext, slug: str) -> Response:
    """With the names that were typed, by what was to be done with them."""
    names = {visit.tried("do"): visit.tried("name")}
    organisers = visit.ask(organiser_roles.list_organisers, slug)
    return render_console_page(visit, slug, "organisers", organisers=organisers, names=names)


def _add_organiser(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    visit.ask(organiser_roles.add_organiser, slug, form["name"])
    return FlashMessage(Message("The account now organises this contest."))


def _remove_organiser(
    visit: RequestContext, slug: str, form: PostedForm
) -> FlashMessage | Response:
    """Who removed oneself cannot see the console any more."""
    visit.ask(organiser_roles.remove_organiser, slug, form.number("account"))
    note = FlashMessage(Message("The account no longer organises this contest."))
    oneself = form["account"] == str(visit.viewer.account_id)
    return redirect(visit, f"/c/{slug}", note) if oneself else note


def _create_organiser_code(visit: RequestContext, slug: str, _: PostedForm) -> FlashMessage:
    new_code = visit.ask(create_invite, "organiser", slug=slug)
    return FlashMessage(
        Message("Whoever registers with this code organises this contest. Copy it now."),
        new_code.code,
    )


def _close_account(visit: RequestContext, _: str, form: PostedForm) -> FlashMessage:
    visit.ask(organiser_roles.close_account_by_name, form["name"])
    return FlashMessage(Message("The account is closed."))


add_form_page(
    router,
    "/c/{slug}/console/organisers",
    _organisers_page,
    {
        "add": _add_organiser,
        "remove": _remove_organiser,
        "code": _create_organiser_code,
        "close": _close_account,
    },
)


@router.get("/c/{slug}/console/collusion")
def show_hints(visit: CurrentRequest, slug: str) -> Response:
    """What may show that teams work together."""
    visit.viewer.require_organiser()
    return render_console_page(
        visit, slug, "collusion", hints=visit.ask(find_collusion_hints, slug), kinds=HINT_LABELS
    )


@router.get("/api")
def show_api(visit: CurrentRequest, request: Request) -> Response:
    """The interface for programs, to be read in a browser without anything from elsewhere."""
    groups = describe_routes(request.app.state.api)
    title = Message("Interface for programs")
    return render_page(visit, "api.html", title=title, groups=groups)


@dataclass(frozen=True)
class RouteField:
    """A parameter, or a field of a body."""

    name: str
    where: str
    kind: str
    required: bool
    about: str


Schema: TypeAlias = dict[str, Any]
"""A part of an OpenAPI document."""


@dataclass(frozen=True)
class RouteDescription:
    """A route."""

    method: str
    path: str
    summary: str
    about: str
    fields: tuple[RouteField, ...]
    answers: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        letters = (
            letter if letter.isalnum() else "-" for letter in f"{self.method} {self.path}".lower()
        )
        return "".join(letters).strip("-")


def describe_routes(api: FastAPI) -> dict[str, list[RouteDescription]]:
    """Routes by their tag."""
    document = api.openapi()
    models = document["components"]["schemas"]
    groups: dict[str, list[RouteDescription]] = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            groups[operation.get("tags", ["other"])[0]].append(
                _describe_route(method, path, operation, models)
            )
    return dict(groups)


def _describe_route(method: str, path: str, operation: Schema, models: Schema) -> RouteDescription:
    fields = [
        RouteField(
            parameter["name"],
            parameter["in"],
            _schema_type(parameter["schema"]),
            parameter.get("required", False),
            parameter.get("description", ""),
        )
        for parameter in operation.get("parameters", ())
    ]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        fields += _describe_body(content["schema"], models)
    answers = tuple(status for status in operation["responses"] if status.startswith("2"))
    about = operation.get("description", "")
    return RouteDescription(
        method.upper(), path, operation["summary"], about, tuple(fields), answers
    )


def _describe_body(schema: Schema, models: Schema) -> list[RouteField]:
    model = models[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    needed = model.get("required", ())
    return [
        RouteField(
            name,
            "body",
            _schema_type(property_schema),
            name in needed,
            property_schema.get("description", ""),
        )
        for name, property_schema in model.get("properties", {}).items()
    ]


def _schema_type(schema: Schema) -> str:
    if "anyOf" in schema:
        return " | ".join(_schema_type(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema.get("type") == "array":
        return f"[{_schema_type(schema.get('items', {}))}]"
    return str(schema.get("format") or schema.get("type") or schema.get("const", ""))
