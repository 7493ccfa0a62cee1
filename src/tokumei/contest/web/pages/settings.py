"""The console's settings: title, text, quotas, what is shown when; and removal of a contest."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.settings import JUDGED, change_settings, delete_contest, set_stage
from tokumei.contest.web.pages.console import console_page
from tokumei.contest.web.render import go
from tokumei.contest.web.visit import Form, Here, Note, Posted, Visit
from tokumei.contest.web.words import FEEDBACK, QUOTAS, REGISTRATION, SETTINGS, STAGES, VISIBLE
from tokumei.core.errors import TokumeiError

router = APIRouter()
CHOICES = {
    name: (SETTINGS[name], options)
    for name, options in (
        ("feedback", FEEDBACK),
        ("leaderboard", VISIBLE),
        ("registration", REGISTRATION),
    )
}
CHANGED = {name: label for name, label in QUOTAS.items() if name != JUDGED}


@router.get("/c/{slug}/console/settings")
def show_settings(visit: Here, slug: str) -> Response:
    """What can be changed without judging again."""
    return _page(visit, slug)


@router.post("/c/{slug}/console/settings")
def act_on_settings(visit: Here, slug: str, form: Posted) -> Response:
    """Change settings, or remove a contest without uploads."""
    visit.viewer.require_organiser()
    try:
        return form.chosen({"change": _change, "delete": _delete, "stage": _stage})(
            visit, slug, form
        )
    except TokumeiError as refusal:
        return _page(visit, slug, refusal=refusal, typed=form)


def _change(visit: Visit, slug: str, form: Form) -> Response:
    changes: dict[str, Any] = {
        # Browsers send lines with \r\n, and an untouched text must stay the same.
        name: {lang: form[f"{name}-{lang}"].replace("\r\n", "\n") for lang in ("en", "ja")}
        for name in ("title", "about")
    }
    changes["quotas"] = {name: form.number(name) for name in CHANGED}
    changes |= {name: form[name] for name in CHOICES}
    visit.ask(change_settings, slug, changes, reason=form["reason"])
    note = Note("The settings are changed.", "設定を変更しました。")
    return go(visit, f"/c/{slug}/console/settings", note)


def _delete(visit: Visit, slug: str, form: Form) -> Response:
    visit.ask(delete_contest, slug, reason=form["reason"])
    return go(visit, "/", Note("The contest is deleted.", "コンテストを削除しました。"))


def _stage(visit: Visit, slug: str, form: Form) -> Response:
    visit.ask(set_stage, slug, form["stage"], reason=form["reason"])
    note = Note("Its stage is changed.", "公開の段階を変えました。")
    return go(visit, f"/c/{slug}/console/settings", note)


def _page(
    visit: Visit, slug: str, *, refusal: TokumeiError | None = None, typed: Form | None = None
) -> Response:
    contest = visit.ask(contest_of, slug)
    held = {
        "title-en": contest.title.en,
        "title-ja": contest.title.ja,
        "about-en": contest.about.en,
        "about-ja": contest.about.ja,
        **{name: str(contest.quotas[name]) for name in CHANGED},
        **{name: str(getattr(contest, name)) for name in CHOICES},
        "reason": "",
    }
    tried = "" if typed is None else typed["do"]
    values = held if typed is None or tried != "change" else {name: typed[name] for name in held}
    return console_page(
        visit,
        slug,
        "settings",
        refusal=refusal,
        values=values,
        quotas=CHANGED,
        choices=CHOICES,
        unused=not (contest.submissions or contest.attacks),
        stages=STAGES,
        stage=typed["stage"] if typed is not None and tried == "stage" else contest.stage,
        reasons={} if typed is None else {tried: typed["reason"]},
    )
