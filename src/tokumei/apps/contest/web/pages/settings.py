"""Pages of contest settings: title, text, quotas, visibility, files, deletion."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tokumei.apps.contest.services.contest_settings import (
    JUDGED_QUOTA,
    MOST_BYTES,
    add_attachment,
    change_settings,
    delete_contest,
    get_attachment,
    list_attachments,
    remove_attachment,
    set_stage,
)
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.web.labels import QUOTAS, SETTING_CHOICES, SETTING_LABELS, STAGES
from tokumei.apps.contest.web.pages.console import render_console_page
from tokumei.apps.contest.web.rendering import add_form_page, file_download_response, redirect
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
    read_posted_form,
)
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.core.messages import Message

router = APIRouter()
CHOICE_FIELDS = {name: (SETTING_LABELS[name], options) for name, options in SETTING_CHOICES.items()}
QUOTA_FIELDS = {name: label for name, label in QUOTAS.items() if name != JUDGED_QUOTA}


def _change_settings(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    changes: dict[str, object] = {
        # Browsers send lines with \r\n, and an untouched text must stay the same.
        name: {lang: form[f"{name}-{lang}"].replace("\r\n", "\n") for lang in ("en", "ja")}
        for name in ("title", "about")
    }
    changes["quotas"] = {name: form.number(name) for name in QUOTA_FIELDS}
    changes |= {name: form[name] for name in CHOICE_FIELDS}
    visit.ask(change_settings, slug, changes, reason=form["reason"])
    return FlashMessage(Message("The settings are changed."))


def _delete_contest(visit: RequestContext, slug: str, form: PostedForm) -> Response:
    visit.ask(delete_contest, slug, reason=form["reason"])
    return redirect(visit, "/", FlashMessage(Message("The contest is deleted.")))


def _change_stage(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    visit.ask(set_stage, slug, form["stage"], reason=form["reason"])
    return FlashMessage(Message("The stage is changed."))


def _settings_page(visit: RequestContext, slug: str) -> Response:
    contest = visit.ask(get_contest_view, slug)
    current_values = {
        "title-en": contest.title.show("en"),
        "title-ja": contest.title.show("ja"),
        "about-en": contest.about.show("en"),
        "about-ja": contest.about.show("ja"),
        **{name: str(contest.quotas[name]) for name in QUOTA_FIELDS},
        **{name: str(getattr(contest, name)) for name in CHOICE_FIELDS},
        "reason": "",
    }
    pressed_button = visit.tried("do")
    values = (
        {name: visit.tried(name) for name in current_values}
        if pressed_button == "change"
        else current_values
    )
    return render_console_page(
        visit,
        slug,
        "settings",
        values=values,
        quotas=QUOTA_FIELDS,
        choices=CHOICE_FIELDS,
        unused=not (contest.submissions or contest.attacks),
        stages=STAGES,
        stage=visit.tried("stage") if pressed_button == "stage" else contest.stage,
        reasons={pressed_button: visit.tried("reason")},
    )


add_form_page(
    router,
    "/c/{slug}/console/settings",
    _settings_page,
    {"change": _change_settings, "delete": _delete_contest, "stage": _change_stage},
)


async def _read_attachment_form(request: Request, visit: CurrentRequest) -> PostedForm:
    def most() -> int:
        visit.viewer.require_organiser()
        return MOST_BYTES

    return await read_posted_form(request, visit, most=most, files=1)


@router.get("/c/{slug}/files/{name}")
def send_attachment(visit: CurrentRequest, slug: str, name: str) -> Response:
    """A file to be saved."""
    return file_download_response(visit.ask(get_attachment, slug, name))


def _add_attachment(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    files = form.files("file")
    if not files:
        raise UnprocessableContent("choose a file")
    content = files[0].file.read(MOST_BYTES + 1)
    new_attachment = visit.ask(add_attachment, slug, files[0].filename or "", content)
    return FlashMessage(
        Message("Attached as {name}; link to it with the address below.", name=new_attachment.name)
    )


def _remove_attachment(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    visit.ask(remove_attachment, slug, form.number("attachment"))
    return FlashMessage(Message("The file is no longer given out."))


def _files_page(visit: RequestContext, slug: str) -> Response:
    visit.viewer.require_organiser()
    attachment_views = visit.ask(list_attachments, slug)
    return render_console_page(visit, slug, "files", attachments=attachment_views, most=MOST_BYTES)


add_form_page(
    router,
    "/c/{slug}/console/files",
    _files_page,
    {"attach": _add_attachment, "remove": _remove_attachment},
    sent=_read_attachment_form,
)
