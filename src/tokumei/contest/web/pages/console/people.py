"""Teams and codes that let people in."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk.console import all_teams, set_team
from tokumei.contest.desk.invites import end_invite, invites, new_invite
from tokumei.contest.web.forms import Form, Posted
from tokumei.contest.web.pages.console.frame import console_page
from tokumei.contest.web.render import go
from tokumei.contest.web.visit import Here, Note, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text

router = APIRouter()
CHANGES: dict[str, tuple[dict[str, bool], Text]] = {
    "hide": ({"hidden": True}, Text("is hidden", "を非公開にしました")),
    "show": ({"hidden": False}, Text("is shown again", "を公開に戻しました")),
    "ban": ({"banned": True}, Text("is banned", "を参加停止にしました")),
    "unban": ({"banned": False}, Text("may take part again", "の参加停止を解きました")),
}


@router.get("/c/{slug}/console/teams")
def show_teams(visit: Here, slug: str) -> Response:
    """All teams."""
    return _teams_page(visit, slug, None)


@router.post("/c/{slug}/console/teams")
def change_team(visit: Here, slug: str, form: Posted) -> Response:
    """Hide or ban a team, or take it back."""
    visit.viewer.require_organiser()
    try:
        change, done = form.chosen(CHANGES)
        team = set_team(
            visit.place, visit.viewer, slug, form.number("team"), reason=form["reason"], **change
        )
    except TokumeiError as refusal:
        return _teams_page(visit, slug, refusal)
    note = Note(Text(f"“{team.name}” {done.en}.", f"「{team.name}」{done.ja}。"))
    return go(visit, f"/c/{slug}/console/teams", note)


@router.get("/c/{slug}/console/invites")
def show_invites(visit: Here, slug: str) -> Response:
    """All codes."""
    return _invites_page(visit, slug, None)


@router.post("/c/{slug}/console/invites")
def change_invites(visit: Here, slug: str, form: Posted) -> Response:
    """Make a code, or end one."""
    visit.viewer.require_organiser()
    try:
        note = form.chosen({"make": _make, "end": _end})(visit, slug, form)
    except TokumeiError as refusal:
        return _invites_page(visit, slug, refusal)
    return go(visit, f"/c/{slug}/console/invites", note)


def _make(visit: Visit, slug: str, form: Form) -> Note:
    kinds: dict[str, Literal["register", "organiser"]]
    kinds = {"register": "register", "organiser": "organiser"}
    kind = form.chosen(kinds, "kind")
    made = new_invite(
        visit.place,
        visit.viewer,
        kind,
        slug=slug if kind == "register" else None,
        uses=form.number("uses"),
        days=form.number("days"),
    )
    return Note(
        Text(
            f"New code (uses: {made.uses}). Copy it now, it is not shown again.",
            f"新しいコード（{made.uses} 人まで）。再表示できないので、今コピーしてください。",
        ),
        made.code,
    )


def _end(visit: Visit, _: str, form: Form) -> Note:
    end_invite(visit.place, visit.viewer, form.number("id"))
    return Note(Text("The code is no longer valid.", "コードを無効にしました。"))


def _teams_page(visit: Visit, slug: str, refusal: TokumeiError | None) -> Response:
    found = all_teams(visit.place, visit.viewer, slug)
    return console_page(visit, slug, "teams", refusal=refusal, teams=found)


def _invites_page(visit: Visit, slug: str, refusal: TokumeiError | None) -> Response:
    found = invites(visit.place, visit.viewer, slug)
    return console_page(visit, slug, "invites", refusal=refusal, invites=found)
