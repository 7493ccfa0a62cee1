"""Routes about announcements, questions, organisers and hints of collusion."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field
from starlette.responses import FileResponse

from tokumei.apps.contest.api.routing import (
    READ_ERRORS,
    WRITE_ERRORS,
    CurrentContext,
    CurrentViewer,
    RequestBody,
    RowId,
    Slug,
    ViewRouter,
)
from tokumei.apps.contest.services import news, organiser_roles
from tokumei.apps.contest.services.admin_views import CollusionHintView, OrganiserView
from tokumei.apps.contest.services.collusion import find_collusion_hints
from tokumei.apps.contest.services.contest_settings import (
    get_attachment,
    list_attachments,
    set_stage,
)
from tokumei.apps.contest.services.view_models import AttachmentView, ContestView, NoticeView

routes = ViewRouter(prefix="/contests/{slug}", tags=["news"])
admin_routes = ViewRouter(prefix="/contests/{slug}/admin", tags=["organisers"])
BINARY_TYPE = "application/octet-stream"
FileName = Annotated[str, Path(max_length=200)]
LongText = Annotated[str, Field(max_length=4 * news.MOST_CHARACTERS)]


class QuestionBody(RequestBody):
    """A question, in Markdown."""

    text: LongText


class AnnouncementBody(RequestBody):
    """A text in Markdown; where one language is empty, the other stands for it."""

    en: LongText = ""
    ja: LongText = ""


class AnswerBody(AnnouncementBody):
    """An answer; `public`: question and answer are shown to everybody, without a name."""

    public: bool = False


class OrganiserBody(RequestBody):
    """An account by its name."""

    name: Annotated[str, Field(max_length=200)]


class StageBody(RequestBody):
    """draft: organisers alone see it; archived: nothing more is taken."""

    stage: Literal["draft", "open", "archived"]
    reason: Annotated[str, Field(max_length=2000)]


@routes.get("/news", "Announcements and questions", 404, lists="News")
def get_news(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[NoticeView, ...]:
    """The newest first; private questions to who asked, their team and organisers."""
    return news.list_news(place, asker, slug)


@routes.get("/attachments", "Files beside the contest's texts", 404, lists="Attachments")
def get_attachments(
    slug: Slug, place: CurrentContext, asker: CurrentViewer
) -> tuple[AttachmentView, ...]:
    """By name."""
    return list_attachments(place, asker, slug)


@routes.get("/attachments/{name}", "One of these files", 404, sends=BINARY_TYPE)
def download_attachment(
    slug: Slug, name: FileName, place: CurrentContext, asker: CurrentViewer
) -> FileResponse:
    """To be saved, never shown."""
    download = get_attachment(place, asker, slug, name)
    return FileResponse(download.path, filename=download.name, media_type=BINARY_TYPE)


@routes.post("/questions", "Ask the organisers", *WRITE_ERRORS, 429, status=201)
def post_question(
    slug: Slug, question: QuestionBody, place: CurrentContext, asker: CurrentViewer
) -> NoticeView:
    """Private, until it is answered to all."""
    return news.ask_question(place, asker, slug, question.text)


@admin_routes.post("/news", "Announce something to everybody", *WRITE_ERRORS, status=201)
def create_announcement(
    slug: Slug, question: AnnouncementBody, place: CurrentContext, asker: CurrentViewer
) -> NoticeView:
    """Shown on every page of the contest."""
    return news.post_announcement(place, asker, slug, question.model_dump())


@admin_routes.post("/questions/{notice_id}/answer", "Answer a question", *WRITE_ERRORS)
def create_answer(
    slug: Slug, notice_id: RowId, question: AnswerBody, place: CurrentContext, asker: CurrentViewer
) -> NoticeView:
    """Again: the answer is corrected."""
    words = question.model_dump(exclude={"public"})
    return news.answer_question(place, asker, slug, notice_id, words, public=question.public)


@admin_routes.get("/organisers", "Who organises this contest", *READ_ERRORS, lists="Organisers")
def get_organisers(
    slug: Slug, place: CurrentContext, asker: CurrentViewer
) -> tuple[OrganiserView, ...]:
    """Those of the server too."""
    return organiser_roles.list_organisers(place, asker, slug)


@admin_routes.post(
    "/organisers",
    "Let an account organise this contest",
    *WRITE_ERRORS,
    status=201,
    lists="Organisers",
)
def add_organiser(
    slug: Slug, question: OrganiserBody, place: CurrentContext, asker: CurrentViewer
) -> tuple[OrganiserView, ...]:
    """Nobody who is in one of its teams."""
    organiser_roles.add_organiser(place, asker, slug, question.name)
    return organiser_roles.list_organisers(place, asker, slug)


@admin_routes.delete("/organisers/{account_id}", "End somebody's role", *READ_ERRORS, 409)
def remove_organiser(
    slug: Slug, account_id: RowId, place: CurrentContext, asker: CurrentViewer
) -> None:
    """One of the server's: by another of the server's."""
    organiser_roles.remove_organiser(place, asker, slug, account_id)


@admin_routes.put("/stage", "Draft, open or archived", *WRITE_ERRORS)
def update_stage(
    slug: Slug, question: StageBody, place: CurrentContext, asker: CurrentViewer
) -> ContestView:
    """With uploads nothing becomes a draft again."""
    return set_stage(place, asker, slug, question.stage, reason=question.reason)


@admin_routes.get(
    "/collusion", "What may show that teams work together", *READ_ERRORS, lists="Hints"
)
def get_collusion_hints(
    slug: Slug, place: CurrentContext, asker: CurrentViewer
) -> tuple[CollusionHintView, ...]:
    """Hints, no proof."""
    return find_collusion_hints(place, asker, slug)
