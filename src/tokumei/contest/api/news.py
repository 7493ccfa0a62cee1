"""Routes of announcements and questions, of organisers and of what may show that teams collude."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field
from starlette.responses import FileResponse

from tokumei.contest.api.routes import CHANGE, LOOK, Asker, Here, Number, Question, Routes, Slug
from tokumei.contest.desk import news, roles
from tokumei.contest.desk.collusion import hints
from tokumei.contest.desk.console_views import HintView, OrganiserView
from tokumei.contest.desk.settings import attachment, attachments, set_stage
from tokumei.contest.desk.views import AttachmentView, ContestView, NoticeView

routes = Routes(prefix="/contests/{slug}", tags=["news"])
admin = Routes(prefix="/contests/{slug}/admin", tags=["organisers"])
BYTES = "application/octet-stream"
FileName = Annotated[str, Path(max_length=200)]
Long = Annotated[str, Field(max_length=4 * news.MOST)]


class Asked(Question):
    """A question, in Markdown."""

    text: Long


class Both(Question):
    """A text in Markdown; where one language is empty, the other stands for it."""

    en: Long = ""
    ja: Long = ""


class Answer(Both):
    """An answer; `public`: question and answer are shown to everybody, without a name."""

    public: bool = False


class AccountNamed(Question):
    """An account by its name."""

    name: Annotated[str, Field(max_length=200)]


class Stage(Question):
    """draft: organisers alone see it; archived: nothing more is taken."""

    stage: Literal["draft", "open", "archived"]
    reason: Annotated[str, Field(max_length=2000)]


@routes.get("/news", "Announcements and questions", 404, lists="News")
def see_news(slug: Slug, place: Here, asker: Asker) -> tuple[NoticeView, ...]:
    """The newest first; private questions to who asked, their team and organisers."""
    return news.news(place, asker, slug)


@routes.get("/attachments", "Files beside the contest's texts", 404, lists="Attachments")
def see_attachments(slug: Slug, place: Here, asker: Asker) -> tuple[AttachmentView, ...]:
    """By name."""
    return attachments(place, asker, slug)


@routes.get("/attachments/{name}", "One of these files", 404, sends=BYTES)
def send_attachment(slug: Slug, name: FileName, place: Here, asker: Asker) -> FileResponse:
    """To be saved, never shown."""
    found = attachment(place, asker, slug, name)
    return FileResponse(found.path, filename=found.name, media_type=BYTES)


@routes.post("/questions", "Ask the organisers", *CHANGE, 429, status=201)
def ask(slug: Slug, question: Asked, place: Here, asker: Asker) -> NoticeView:
    """Private, until it is answered to all."""
    return news.ask(place, asker, slug, question.text)


@admin.post("/news", "Announce something to everybody", *CHANGE, status=201)
def announce(slug: Slug, question: Both, place: Here, asker: Asker) -> NoticeView:
    """Shown on every page of the contest."""
    return news.announce(place, asker, slug, question.model_dump())


@admin.post("/questions/{notice_id}/answer", "Answer a question", *CHANGE)
def answer(
    slug: Slug, notice_id: Number, question: Answer, place: Here, asker: Asker
) -> NoticeView:
    """Again: the answer is corrected."""
    words = question.model_dump(exclude={"public"})
    return news.answer(place, asker, slug, notice_id, words, public=question.public)


@admin.get("/organisers", "Who organises this contest", *LOOK, lists="Organisers")
def see_organisers(slug: Slug, place: Here, asker: Asker) -> tuple[OrganiserView, ...]:
    """Those of the server too."""
    return roles.organisers(place, asker, slug)


@admin.post(
    "/organisers", "Let an account organise this contest", *CHANGE, status=201, lists="Organisers"
)
def add_organiser(
    slug: Slug, question: AccountNamed, place: Here, asker: Asker
) -> tuple[OrganiserView, ...]:
    """Nobody who is in one of its teams."""
    roles.add_organiser(place, asker, slug, question.name)
    return roles.organisers(place, asker, slug)


@admin.delete("/organisers/{account_id}", "End somebody's role", *LOOK, 409)
def remove_organiser(slug: Slug, account_id: Number, place: Here, asker: Asker) -> None:
    """One of the server's: by another of the server's."""
    roles.remove_organiser(place, asker, slug, account_id)


@admin.put("/stage", "Draft, open or archived", *CHANGE)
def change_stage(slug: Slug, question: Stage, place: Here, asker: Asker) -> ContestView:
    """With uploads nothing becomes a draft again."""
    return set_stage(place, asker, slug, question.stage, reason=question.reason)


@admin.get("/collusion", "What may show that teams work together", *LOOK, lists="Hints")
def see_hints(slug: Slug, place: Here, asker: Asker) -> tuple[HintView, ...]:
    """Hints, no proof."""
    return hints(place, asker, slug)
