"""Published releases of others, and attacking them."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.entries import my_entries
from tokumei.contest.desk.entry_views import TargetView
from tokumei.contest.desk.spooling import Received
from tokumei.contest.desk.targets import public_file, target_of, targets
from tokumei.contest.desk.uploads import attack, may_upload
from tokumei.contest.web.contest_page import contest_page, send_file, team_of
from tokumei.contest.web.forms import Form, read_form
from tokumei.contest.web.pages.submit import NO_FILE, receive
from tokumei.contest.web.render import go, refused
from tokumei.contest.web.visit import Here, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.pool import in_upload_thread
from tokumei.http.refusals import Wrong

router = APIRouter()


async def _sent(request: Request, visit: Here, slug: str, id: str) -> Form:
    def most() -> int:
        return may_upload(visit.place, visit.viewer, slug, target=id).most_bytes

    return await read_form(request, visit, most=most, files=20)


@router.get("/c/{slug}/targets")
def show_targets(visit: Here, slug: str) -> Response:
    """All published releases."""
    found = targets(visit.place, visit.viewer, slug)
    title = Text("Targets", "攻撃対象")
    return contest_page(visit, slug, "targets.html", here="targets", title=title, targets=found)


@router.get("/c/{slug}/targets/{id}")
def show_target(visit: Here, slug: str, id: str) -> Response:
    """One of them, with the form to attack it."""
    return _page(visit, slug, target_of(visit.place, visit.viewer, slug, id), None)


@router.get("/c/{slug}/targets/{id}/public")
def send_target(visit: Here, slug: str, id: str) -> Response:
    """Its public file."""
    target_of(visit.place, visit.viewer, slug, id)
    return send_file(public_file(visit.place, visit.viewer, slug, id))


@router.post("/c/{slug}/targets/{id}")
async def do_attack(
    visit: Here, slug: str, id: str, form: Annotated[Form, Depends(_sent)]
) -> Response:
    """Take an attack and go to its page."""
    return await in_upload_thread(_attack, visit, slug, id, form)


def _attack(visit: Visit, slug: str, id: str, form: Form) -> Response:
    target = target_of(visit.place, visit.viewer, slug, id)
    try:
        received = _received(visit, slug, target, form)
        entry = attack(
            visit.place,
            visit.viewer,
            slug,
            id,
            received,
            label=form["label"],
            key=form["key"] or None,
        )
    except TokumeiError as refusal:
        return refused(visit, refusal) if visit.by_script else _page(visit, slug, target, refusal)
    return go(visit, f"/c/{slug}/attacks/{entry.id}")


def _received(visit: Visit, slug: str, target: TargetView, form: Form) -> list[Received]:
    """The zip if there is one, else every guess file under the name it must have."""
    most = may_upload(visit.place, visit.viewer, slug, target=target.id).most_bytes
    whole = form.files("file")
    if whole:
        return [receive(visit, whole[0], most)]
    kept: list[Received] = []
    for name, file in _one_by_one(target, form):
        kept.append(receive(visit, file, most, name))
        most -= kept[-1].size
    return kept


def _one_by_one(target: TargetView, form: Form) -> list[tuple[str, UploadFile]]:
    found = [
        (name, file)
        for place, name in enumerate(target.guess_files)
        for file in form.files(f"guess-{place}")
    ]
    missing = [name for name in target.guess_files if name not in dict(found)]
    if not found:
        raise Wrong(NO_FILE)
    if missing:
        listed = ", ".join(missing)
        raise Wrong(
            Text(f"these files are missing: {listed}", f"次のファイルがありません: {listed}")
        )
    return found


def _page(visit: Visit, slug: str, target: TargetView, refusal: TokumeiError | None) -> Response:
    mine = team_of(visit, slug)
    attempts = my_entries(visit.place, visit.viewer, slug, kind="attack") if mine else ()
    return contest_page(
        visit,
        slug,
        "target.html",
        here="targets",
        title=Text(target.team, target.team),
        refusal=refusal,
        target=target,
        attempts=[entry for entry in attempts if entry.target == target.id],
        key=secrets.token_urlsafe(18),
    )
