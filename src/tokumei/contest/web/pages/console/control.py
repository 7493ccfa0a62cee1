"""Steering: times of phases, entries taken out."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk.console import all_entries, change_phase, withdraw
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.web.forms import Form, Posted
from tokumei.contest.web.pages.console.frame import console_page
from tokumei.contest.web.render import go
from tokumei.contest.web.times import from_field
from tokumei.contest.web.visit import Here, Note, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Wrong

router = APIRouter()
PER_PAGE = 100


@router.get("/c/{slug}/console/phases")
def show_phases(visit: Here, slug: str) -> Response:
    """All phases."""
    return console_page(visit, slug, "phases")


@router.post("/c/{slug}/console/phases")
def move_phase(visit: Here, slug: str, form: Posted) -> Response:
    """New times of a phase."""
    visit.viewer.require_organiser()
    minutes = contest_of(visit.place, visit.viewer, slug).offset_minutes
    try:
        change_phase(
            visit.place,
            visit.viewer,
            slug,
            form.number("phase"),
            starts=_time(form, "starts", minutes),
            ends=_time(form, "ends", minutes),
            reason=form["reason"],
        )
    except TokumeiError as refusal:
        return console_page(visit, slug, "phases", refusal=refusal)
    note = Note(Text("The phase has new times.", "日程を変更しました。"))
    return go(visit, f"/c/{slug}/console/phases", note)


@router.get("/c/{slug}/console/entries")
def show_entries(visit: Here, slug: str, text: str = "", page: int = 1) -> Response:
    """All entries of all teams."""
    return _entries_page(visit, slug, None, text, page)


@router.post("/c/{slug}/console/entries")
def withdraw_entry(visit: Here, slug: str, form: Posted) -> Response:
    """Take an entry out of the contest."""
    visit.viewer.require_organiser()
    try:
        gone = withdraw(visit.place, visit.viewer, slug, form["entry"], form["reason"])
    except TokumeiError as refusal:
        return _entries_page(visit, slug, refusal, "", 1)
    note = Note(
        Text(f"An entry of “{gone.team}” is withdrawn.", f"「{gone.team}」の提出を取り下げました。")
    )
    return go(visit, f"/c/{slug}/console/entries", note)


def _time(form: Form, name: str, minutes: int) -> datetime:
    try:
        return from_field(form[name], minutes=minutes)
    except ValueError:
        raise Wrong(Text("a time is missing or wrong", "日時が正しくありません")) from None


def _entries_page(
    visit: Visit, slug: str, refusal: TokumeiError | None, text: str, page: int
) -> Response:
    wanted = text.casefold()
    found = [
        entry
        for entry in all_entries(visit.place, visit.viewer, slug)
        if wanted in f"{entry.team} {entry.label} {entry.file_name} {entry.id}".casefold()
    ]
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(max(1, page), pages)
    return console_page(
        visit,
        slug,
        "entries",
        refusal=refusal,
        entries=found[(page - 1) * PER_PAGE : page * PER_PAGE],
        found=len(found),
        text=text,
        number=page,
        pages=pages,
    )
