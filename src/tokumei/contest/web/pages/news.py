"""Announcements and questions; the console's pages about organisers and collusion; the API,
as its OpenAPI document describes it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk import news, roles
from tokumei.contest.desk.accounts import new_invite
from tokumei.contest.desk.collusion import hints
from tokumei.contest.desk.place import Viewer
from tokumei.contest.web.pages.console import console_page
from tokumei.contest.web.render import contest_page, form_page, go, page
from tokumei.contest.web.visit import Form, Here, Note, Visit
from tokumei.core.text import Text

router = APIRouter()
HINTS = {
    "same-file": Text("the very same file was uploaded", "同一のファイルを提出"),
    "same-release": Text("the same released rows", "公開データが同一"),
    "alike-releases": Text("many equal rows that nobody else has", "他にない同一の行が多い"),
    "alike-guesses": Text(
        "guesses with the same mistakes, which nobody else makes",
        "推定の誤りが他に例のないほど共通",
    ),
    "same-address": Text("uploads from one address", "同じアドレスからの提出"),
}


def _page(visit: Visit, slug: str) -> Response:
    names = ("question", "en", "ja", "answer-en", "answer-ja", "id", "public")
    return contest_page(
        visit,
        slug,
        "news",
        title=Text("News and questions", "お知らせと質問"),
        news=visit.ask(news.news, slug),
        typed={name: visit.tried(name) for name in names},
        most=news.MOST,
    )


def _ask(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(news.ask, slug, form["question"])
    return Note(
        "The organisers have your question; the answer appears here.",
        "主催者に送りました。回答はこのページに表示されます。",
    )


def _announce(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(news.announce, slug, {"en": form["en"], "ja": form["ja"]})
    return Note("Announced on every page.", "全ページに表示しました。")


def _answer(visit: Visit, slug: str, form: Form) -> Note:
    words = {"en": form["answer-en"], "ja": form["answer-ja"]}
    public = form["public"] == "yes"
    visit.ask(news.answer, slug, form.number("id"), words, public=public)
    if public:
        return Note(
            "Question and answer are shown to everybody.", "質問と回答を全員に公開しました。"
        )
    return Note("Answered, to who asked.", "質問した人に回答しました。")


form_page(
    router,
    "/c/{slug}/news",
    _page,
    {"ask": _ask, "announce": _announce, "answer": _answer},
    require=Viewer.require_account,
)


def _organisers_page(visit: Visit, slug: str) -> Response:
    """With the names that were typed, by what was to be done with them."""
    names = {visit.tried("do"): visit.tried("name")}
    found = visit.ask(roles.organisers, slug)
    return console_page(visit, slug, "organisers", organisers=found, names=names)


def _add(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(roles.add_organiser, slug, form["name"])
    return Note("One more organiser of this contest.", "このコンテストの主催者を加えました。")


def _remove(visit: Visit, slug: str, form: Form) -> Note | Response:
    """Who removed oneself cannot see the console any more."""
    visit.ask(roles.remove_organiser, slug, form.number("account"))
    note = Note("No longer an organiser.", "主催者から外しました。")
    oneself = form["account"] == str(visit.viewer.account_id)
    return go(visit, f"/c/{slug}", note) if oneself else note


def _code(visit: Visit, slug: str, _: Form) -> Note:
    made = visit.ask(new_invite, "organiser", slug=slug)
    return Note(
        "Whoever registers with this code organises this contest. Copy it now.",
        "このコードで登録した人はこのコンテストの主催者になります。今コピーしてください。",
        made.code,
    )


def _close(visit: Visit, _: str, form: Form) -> Note:
    visit.ask(roles.close_account_of, form["name"])
    return Note("The account is closed.", "アカウントを閉じました。")


form_page(
    router,
    "/c/{slug}/console/organisers",
    _organisers_page,
    {"add": _add, "remove": _remove, "code": _code, "close": _close},
)


@router.get("/c/{slug}/console/collusion")
def show_hints(visit: Here, slug: str) -> Response:
    """What may show that teams work together."""
    visit.viewer.require_organiser()
    return console_page(visit, slug, "collusion", hints=visit.ask(hints, slug), kinds=HINTS)


@router.get("/api")
def show_api(visit: Here, request: Request) -> Response:
    """The interface for programs, to be read in a browser without anything from elsewhere."""
    groups = described(request.app.state.api)
    title = Text("Interface for programs", "プログラム用インターフェース")
    return page(visit, "api.html", title=title, groups=groups)


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a body."""

    name: str
    where: str
    kind: str
    required: bool
    about: str


@dataclass(frozen=True)
class Described:
    """A route."""

    method: str
    path: str
    summary: str
    about: str
    fields: tuple[Field, ...]
    answers: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        letters = (one if one.isalnum() else "-" for one in f"{self.method} {self.path}".lower())
        return "".join(letters).strip("-")


def described(api: FastAPI) -> dict[str, list[Described]]:
    """Routes by their tag."""
    document = api.openapi()
    models = document["components"]["schemas"]
    groups: dict[str, list[Described]] = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            groups[told.get("tags", ["other"])[0]].append(_route(method, path, told, models))
    return dict(groups)


def _route(method: str, path: str, told: dict[str, Any], models: dict[str, Any]) -> Described:
    given = [
        Field(
            one["name"],
            one["in"],
            _kind(one["schema"]),
            one.get("required", False),
            one.get("description", ""),
        )
        for one in told.get("parameters", ())
    ]
    for content in told.get("requestBody", {}).get("content", {}).values():
        given += _body(content["schema"], models)
    answers = tuple(status for status in told["responses"] if status.startswith("2"))
    about = told.get("description", "")
    return Described(method.upper(), path, told["summary"], about, tuple(given), answers)


def _body(schema: dict[str, Any], models: dict[str, Any]) -> list[Field]:
    held = models[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    needed = held.get("required", ())
    return [
        Field(name, "body", _kind(one), name in needed, one.get("description", ""))
        for name, one in held.get("properties", {}).items()
    ]


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " | ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema.get("type") == "array":
        return f"[{_kind(schema.get('items', {}))}]"
    return str(schema.get("format") or schema.get("type") or schema.get("const", ""))
