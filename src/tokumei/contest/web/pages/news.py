"""Announcements and questions; the console's pages about organisers and collusion; API pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk import news, roles
from tokumei.contest.desk.accounts import new_invite
from tokumei.contest.desk.collusion import hints
from tokumei.contest.web.described import described
from tokumei.contest.web.pages.console import console_page
from tokumei.contest.web.render import contest_page, go, page
from tokumei.contest.web.visit import Form, Here, Note, Posted, Visit
from tokumei.core.errors import TokumeiError
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


@router.get("/c/{slug}/news")
def show_news(visit: Here, slug: str) -> Response:
    """What was announced, asked and answered."""
    return _page(visit, slug)


@router.post("/c/{slug}/news")
def act_on_news(visit: Here, slug: str, form: Posted) -> Response:
    """Ask; announce and answer, for organisers."""
    visit.viewer.require_account()
    try:
        note = form.chosen({"ask": _ask, "announce": _announce, "answer": _answer})(
            visit, slug, form
        )
    except TokumeiError as refusal:
        return _page(visit, slug, refusal, form)
    return go(visit, f"/c/{slug}/news", note)


def _page(
    visit: Visit, slug: str, refusal: TokumeiError | None = None, typed: Form | None = None
) -> Response:
    names = ("question", "en", "ja", "answer-en", "answer-ja", "id", "public")
    return contest_page(
        visit,
        slug,
        "news.html",
        here="news",
        title=Text("News and questions", "お知らせと質問"),
        refusal=refusal,
        news=visit.ask(news.news, slug),
        typed={name: "" if typed is None else typed[name] for name in names},
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


@router.get("/c/{slug}/console/organisers")
def show_organisers(visit: Here, slug: str) -> Response:
    """Who organises."""
    return _organisers_page(visit, slug)


@router.post("/c/{slug}/console/organisers")
def change_organisers(visit: Here, slug: str, form: Posted) -> Response:
    """Add or remove somebody, make a code, close an account."""
    visit.viewer.require_organiser()
    chosen = {"add": _add, "remove": _remove, "code": _code, "close": _close}
    try:
        note = form.chosen(chosen)(visit, slug, form)
    except TokumeiError as refusal:
        return _organisers_page(visit, slug, refusal, {form["do"]: form["name"]})
    removed_oneself = form["account"] == str(visit.viewer.account_id)
    return go(visit, f"/c/{slug}" if removed_oneself else f"/c/{slug}/console/organisers", note)


def _organisers_page(
    visit: Visit,
    slug: str,
    refusal: TokumeiError | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """With the names that were typed, by what was to be done with them."""
    found = visit.ask(roles.organisers, slug)
    return console_page(visit, slug, "organisers", refusal=refusal, organisers=found, names=names)


def _add(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(roles.add_organiser, slug, form["name"])
    return Note("One more organiser of this contest.", "このコンテストの主催者を加えました。")


def _remove(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(roles.remove_organiser, slug, form.number("account"))
    return Note("No longer an organiser.", "主催者から外しました。")


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
