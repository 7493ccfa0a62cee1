"""Submitting a release; published releases of others, and attacking them."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.entries import my_entries
from tokumei.contest.desk.entry_views import TargetView
from tokumei.contest.desk.published import public_file, target_of, targets
from tokumei.contest.desk.receiving import Received, receive_file
from tokumei.contest.desk.teams import my_team
from tokumei.contest.desk.uploads import attack, may_upload, submit
from tokumei.contest.web.render import contest_page, go, refused, send_file, team_of
from tokumei.contest.web.visit import Form, Here, Visit, read_form
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.pool import in_upload_thread
from tokumei.http.refusals import Wrong

router = APIRouter()
MOST_GUESS_FILES = 20


async def _release_sent(request: Request, visit: Here, slug: str) -> Form:
    return await read_form(request, visit, most=lambda: visit.ask(may_upload, slug))


async def _guess_sent(request: Request, visit: Here, slug: str, id: str) -> Form:
    def most() -> int:
        return visit.ask(may_upload, slug, target=id)

    return await read_form(request, visit, most=most, files=MOST_GUESS_FILES)


@router.get("/c/{slug}/submit")
def show_submit(visit: Here, slug: str) -> Response:
    """The form to submit."""
    visit.ask(my_team, slug)
    return _submit_page(visit, slug)


@router.post("/c/{slug}/submit")
async def do_submit(
    visit: Here, slug: str, form: Annotated[Form, Depends(_release_sent)]
) -> Response:
    """Take a release and go to its page."""
    return await in_upload_thread(_submit, visit, slug, form)


def _submit(visit: Visit, slug: str, form: Form) -> Response:
    try:
        chosen = form.files("file")
        if not chosen:
            raise _no_file()
        received = _receive(visit, chosen[0], visit.ask(may_upload, slug))
        entry = visit.ask(submit, slug, received, label=form["label"], key=form["key"] or None)
    except TokumeiError as refusal:
        if visit.by_script:
            return refused(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _submit_page(visit, slug)
    return go(visit, f"/c/{slug}/entries/{entry.id}")


def _receive(visit: Visit, file: UploadFile, most: int, name: str | None = None) -> Received:
    """A sent file on its way to the inbox."""
    return receive_file(visit.place, file.file, name or file.filename or "", most_bytes=most)


def _no_file() -> Wrong:
    return Wrong("choose a file first", "ファイルを選んでください")


def _submit_page(visit: Visit, slug: str) -> Response:
    return contest_page(
        visit,
        slug,
        "submit",
        title=Text("Submit a release", "匿名加工データの提出"),
        label=visit.tried("label"),
        key=secrets.token_urlsafe(18),
    )


@router.get("/c/{slug}/targets")
def show_targets(visit: Here, slug: str) -> Response:
    """All published releases."""
    found = visit.ask(targets, slug)
    title = Text("Targets", "攻撃対象")
    return contest_page(visit, slug, "targets", title=title, targets=found)


@router.get("/c/{slug}/targets/{id}")
def show_target(visit: Here, slug: str, id: str) -> Response:
    """One of them, with the form to attack it."""
    return _target_page(visit, slug, visit.ask(target_of, slug, id))


@router.get("/c/{slug}/targets/{id}/public")
def send_target(visit: Here, slug: str, id: str) -> Response:
    """Its public file."""
    visit.ask(target_of, slug, id)
    return send_file(visit.ask(public_file, slug, id))


@router.post("/c/{slug}/targets/{id}")
async def do_attack(
    visit: Here, slug: str, id: str, form: Annotated[Form, Depends(_guess_sent)]
) -> Response:
    """Take an attack and go to its page."""
    return await in_upload_thread(_attack, visit, slug, id, form)


def _attack(visit: Visit, slug: str, id: str, form: Form) -> Response:
    target = visit.ask(target_of, slug, id)
    try:
        received = _guesses(visit, slug, target, form)
        entry = visit.ask(attack, slug, id, received, label=form["label"], key=form["key"] or None)
    except TokumeiError as refusal:
        if visit.by_script:
            return refused(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _target_page(visit, slug, target)
    return go(visit, f"/c/{slug}/attacks/{entry.id}")


def _guesses(visit: Visit, slug: str, target: TargetView, form: Form) -> list[Received]:
    """The zip if there is one, else every guess file under the name it must have."""
    most = visit.ask(may_upload, slug, target=target.id)
    if whole := form.files("file"):
        return [_receive(visit, whole[0], most)]
    kept: list[Received] = []
    for name, file in _one_by_one(target, form):
        kept.append(_receive(visit, file, most, name))
        most -= kept[-1].size
    return kept


def _one_by_one(target: TargetView, form: Form) -> list[tuple[str, UploadFile]]:
    found = [
        (name, file)
        for place, name in enumerate(target.guess_files)
        for file in form.files(f"guess-{place}")
    ]
    if not found:
        raise _no_file()
    if missing := ", ".join(name for name in target.guess_files if name not in dict(found)):
        raise Wrong(f"these files are missing: {missing}", f"次のファイルがありません: {missing}")
    return found


def _target_page(visit: Visit, slug: str, target: TargetView) -> Response:
    attempts = visit.ask(my_entries, slug, kind="attack") if team_of(visit, slug) else ()
    return contest_page(
        visit,
        slug,
        "targets",
        template="target.html",
        title=Text(target.team, target.team),
        target=target,
        attempts=[entry for entry in attempts if entry.target == target.id],
        label=visit.tried("label"),
        key=secrets.token_urlsafe(18),
    )
