"""Pages for a new contest: by a form, or from contest.yaml with its data files."""

from __future__ import annotations

import re
import shutil
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.apps.contest.services.contests import create_contest
from tokumei.apps.contest.services.new_contest import NewContestPlan, create_from_plan
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.contest.web.labels import SETTING_CHOICES, SETTING_LABELS
from tokumei.apps.contest.web.rendering import redirect, render_page, script_error_response
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
    read_posted_form,
)
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.core.releases_folder import to_file_name

router = APIRouter()
MOST_BYTES = 1_000_000_000
MOST_FILES = 50
MAX_SLUG = 40
PRESET_LABELS = {
    "table": (
        Message("A table"),
        Message("Teams release rows of people; others link them back and guess private values."),
    ),
    "pws2018": (
        Message("Purchase histories, generalized (2018)"),
        Message("What is lost ranks the teams; a test of safety must be passed."),
    ),
    "pws2017": (
        Message("Purchase histories under pseudonyms (2017)"),
        Message("Pseudonyms change from month to month; others find out whose is whose."),
    ),
}
DEFAULT_ROWS = 1000
PLAN_DEFAULTS = {"preset": "table", "registration": "invite", "feedback": "exact"}
PHASE_DAYS = (0, 14, 28)


async def _read_contest_form(request: Request, visit: CurrentRequest) -> PostedForm:
    def most() -> int:
        visit.viewer.require_server()
        return MOST_BYTES

    return await read_posted_form(request, visit, most=most, files=MOST_FILES)


@router.get("/contests/new")
def show_new_contest(visit: CurrentRequest) -> Response:
    """The form to make a contest."""
    visit.viewer.require_server()
    return _new_contest_page(visit)


@router.post("/contests/new")
def make_contest(
    visit: CurrentRequest, form: Annotated[PostedForm, Depends(_read_contest_form)]
) -> Response:
    """A contest from a zip, or from contest.yaml and its data files."""
    try:
        contest = _create_from_files(visit, form.files("files"), draft=form["draft"] == "yes")
    except TokumeiError as refusal:
        if visit.is_script_request:
            return script_error_response(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _new_contest_page(visit)
    return redirect(visit, f"/c/{contest.slug}", _created_message(contest))


@router.post("/contests/new/plan")
def make_contest_from_plan(
    visit: CurrentRequest, form: Annotated[PostedForm, Depends(_read_contest_form)]
) -> Response:
    """A draft from the answers of the form, with data that were dropped or are generated."""
    try:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "contest"
            plan = _parse_plan(form, Path(scratch))
            contest = visit.ask(create_from_plan, plan, folder)
    except TokumeiError as refusal:
        if visit.is_script_request:
            return script_error_response(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _new_contest_page(visit)
    return redirect(visit, f"/c/{contest.slug}", FlashMessage(DRAFT_FROM_PLAN))


DRAFT_FROM_PLAN = Message(
    "The draft is made: this is the page that teams will see. Change its texts and open it in the "
    "console, under Settings; contest.yaml stands among the files."
)


def _parse_plan(form: PostedForm, folder: Path) -> NewContestPlan:
    """The answers of the form; a file that was dropped is copied into the folder."""
    files, data = form.files("data"), None
    if files:
        suffix = "".join(Path(_require_file_name(files[0])).suffixes[-2:])
        data = folder / f"original{suffix}"
        with data.open("wb") as copy:
            shutil.copyfileobj(files[0].file, copy)
    starts, attack_starts, ends = (
        _parse_time(form, name) for name in ("starts", "attack_starts", "ends")
    )
    title = form["title"].strip()
    if not title:
        raise UnprocessableContent("give the contest a title")
    if form["preset"] not in PRESET_LABELS:
        raise UnprocessableContent("choose what is anonymized")
    return NewContestPlan(
        slug=form["slug"].strip() or to_file_name(title).lower()[:MAX_SLUG],
        title=title,
        about=form["about"].strip().replace("\r\n", "\n"),
        preset=form["preset"],
        starts=starts,
        attack_starts=attack_starts,
        ends=ends,
        rows=None if data else form.number_or("rows", DEFAULT_ROWS),
        data=data,
        **{name: form[name] for name in SETTING_CHOICES if form[name] in SETTING_CHOICES[name]},
    )


def _parse_time(form: PostedForm, name: str) -> datetime:
    """A time by the clock of the organiser's browser; without its script it is UTC."""
    offset = form["offset"]
    minutes = int(offset) if re.fullmatch(r"-?\d{1,3}", offset) else 0
    try:
        local = datetime.fromisoformat(form[name])
    except ValueError:
        raise UnprocessableContent("give every phase its day and time") from None
    return local.replace(tzinfo=timezone(-timedelta(minutes=minutes)))


def _created_message(contest: ContestView) -> FlashMessage:
    if contest.stage == "draft":
        return FlashMessage(Message("The draft is made; open it in the console, under Settings."))
    over = [phase for phase in contest.phases if phase.state == "over"]
    if not over:
        return FlashMessage(Message("The contest is open."))
    return FlashMessage(
        Message(
            "The contest is open, but {over} of its {phases} phases are over already.",
            over=len(over),
            phases=len(contest.phases),
        )
    )


def _new_contest_page(visit: RequestContext) -> Response:
    title, draft = Message("New contest"), visit.tried("draft") == "yes"
    tomorrow = visit.place.clock().replace(minute=0, second=0, microsecond=0) + timedelta(days=1)
    days = [f"{tomorrow + timedelta(days=days):%Y-%m-%dT%H:%M}" for days in PHASE_DAYS]
    defaults = {
        **dict(zip(("starts", "attack_starts", "ends"), days, strict=True)),
        **PLAN_DEFAULTS,
    }
    return render_page(
        visit,
        "new_contest.html",
        title=title,
        most=MOST_BYTES,
        draft=draft,
        presets=PRESET_LABELS,
        choices={name: (SETTING_LABELS[name], SETTING_CHOICES[name]) for name in SETTING_CHOICES},
        defaults=defaults,
        rows=DEFAULT_ROWS,
    )


def _create_from_files(
    visit: RequestContext, files: list[UploadFile], *, draft: bool
) -> ContestView:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for file in files:
            with (folder / _require_file_name(file)).open("wb") as copy:
                shutil.copyfileobj(file.file, copy)
        return visit.ask(create_contest, _contest_source(folder), draft=draft)


def _contest_source(folder: Path) -> Path:
    """The folder itself, or the zip that is alone in it."""
    paths = list(folder.iterdir())
    return paths[0] if len(paths) == 1 and paths[0].suffix.lower() == ".zip" else folder


def _require_file_name(file: UploadFile) -> str:
    """A name without any folder, as contest.yaml names files."""
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2]
    if not name or name.startswith(".") or not name.isprintable() or len(name) > 100:
        raise UnprocessableContent("a file has no usable name")
    return name
