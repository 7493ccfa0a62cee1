"""The console's settings: title, text, quotas, what is shown when, files; removal of a contest."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.settings import (
    JUDGED,
    MOST_BYTES,
    attach,
    attachment,
    attachments,
    change_settings,
    delete_contest,
    detach,
    set_stage,
)
from tokumei.contest.web.pages.console import console_page
from tokumei.contest.web.render import form_page, go, send_file
from tokumei.contest.web.visit import Form, Here, Note, Visit, read_form
from tokumei.contest.web.words import CHOICES, QUOTAS, SETTINGS, STAGES
from tokumei.http.refusals import Wrong

router = APIRouter()
CHOSEN = {name: (SETTINGS[name], options) for name, options in CHOICES.items()}
CHANGED = {name: label for name, label in QUOTAS.items() if name != JUDGED}


def _change(visit: Visit, slug: str, form: Form) -> Note:
    changes: dict[str, Any] = {
        # Browsers send lines with \r\n, and an untouched text must stay the same.
        name: {lang: form[f"{name}-{lang}"].replace("\r\n", "\n") for lang in ("en", "ja")}
        for name in ("title", "about")
    }
    changes["quotas"] = {name: form.number(name) for name in CHANGED}
    changes |= {name: form[name] for name in CHOSEN}
    visit.ask(change_settings, slug, changes, reason=form["reason"])
    return Note("The settings are changed.", "設定を変更しました。")


def _delete(visit: Visit, slug: str, form: Form) -> Response:
    visit.ask(delete_contest, slug, reason=form["reason"])
    return go(visit, "/", Note("The contest is deleted.", "コンテストを削除しました。"))


def _stage(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(set_stage, slug, form["stage"], reason=form["reason"])
    return Note("Its stage is changed.", "公開の段階を変えました。")


def _page(visit: Visit, slug: str) -> Response:
    contest = visit.ask(contest_of, slug)
    held = {
        "title-en": contest.title.en,
        "title-ja": contest.title.ja,
        "about-en": contest.about.en,
        "about-ja": contest.about.ja,
        **{name: str(contest.quotas[name]) for name in CHANGED},
        **{name: str(getattr(contest, name)) for name in CHOSEN},
        "reason": "",
    }
    tried = visit.tried("do")
    values = {name: visit.tried(name) for name in held} if tried == "change" else held
    return console_page(
        visit,
        slug,
        "settings",
        values=values,
        quotas=CHANGED,
        choices=CHOSEN,
        unused=not (contest.submissions or contest.attacks),
        stages=STAGES,
        stage=visit.tried("stage") if tried == "stage" else contest.stage,
        reasons={tried: visit.tried("reason")},
    )


form_page(
    router,
    "/c/{slug}/console/settings",
    _page,
    {"change": _change, "delete": _delete, "stage": _stage},
)


async def _sent(request: Request, visit: Here) -> Form:
    def most() -> int:
        visit.viewer.require_organiser()
        return MOST_BYTES

    return await read_form(request, visit, most=most, files=1)


@router.get("/c/{slug}/files/{name}")
def send_attachment(visit: Here, slug: str, name: str) -> Response:
    """A file to be saved."""
    return send_file(visit.ask(attachment, slug, name))


def _attach(visit: Visit, slug: str, form: Form) -> Note:
    files = form.files("file")
    if not files:
        raise Wrong("choose a file", "ファイルを選んでください")
    content = files[0].file.read(MOST_BYTES + 1)
    made = visit.ask(attach, slug, files[0].filename or "", content)
    return Note(
        f"Attached as {made.name}; link to it with the address below.",
        f"{made.name} を添付しました。下のアドレスで文章からリンクできます。",
    )


def _remove(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(detach, slug, form.number("attachment"))
    return Note("The file is no longer given out.", "ファイルの配布を終えました。")


def _files_page(visit: Visit, slug: str) -> Response:
    visit.viewer.require_organiser()
    found = visit.ask(attachments, slug)
    return console_page(visit, slug, "files", attachments=found, most=MOST_BYTES)


form_page(
    router,
    "/c/{slug}/console/files",
    _files_page,
    {"attach": _attach, "remove": _remove},
    sent=_sent,
)
