"""One's team: make it, join it, invite to it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk import teams
from tokumei.contest.web.contest_page import contest_page, team_of
from tokumei.contest.web.forms import Form, Posted
from tokumei.contest.web.render import go
from tokumei.contest.web.visit import Here, Note, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text

router = APIRouter()


@router.get("/c/{slug}/team")
def show_team(visit: Here, slug: str) -> Response:
    """The team, or how to get one."""
    visit.viewer.require_account()
    return _page(visit, slug, None)


@router.post("/c/{slug}/team")
def change_team(visit: Here, slug: str, form: Posted) -> Response:
    """Whatever members may do."""
    visit.viewer.require_account()
    try:
        note = form.chosen(ACTIONS)(visit, slug, form)
    except TokumeiError as refusal:
        return _page(visit, slug, refusal)
    return go(visit, f"/c/{slug}/team", note)


def _page(visit: Visit, slug: str, refusal: TokumeiError | None) -> Response:
    mine = team_of(visit, slug)
    title = Text(mine.name, mine.name) if mine else Text("Find your team", "チームを決める")
    return contest_page(visit, slug, "team.html", here="team", title=title, refusal=refusal)


def _create(visit: Visit, slug: str, form: Form) -> Note:
    code = form["code"].strip() or None
    made = teams.create_team(visit.place, visit.viewer, slug, form["name"], code=code)
    return Note(
        Text(f"Team “{made.name}” is in the contest.", f"チーム「{made.name}」を登録しました。")
    )


def _join(visit: Visit, slug: str, form: Form) -> Note:
    team = teams.join_team(visit.place, visit.viewer, slug, form["code"].strip())
    return Note(Text(f"You joined “{team.name}”.", f"「{team.name}」に加わりました。"))


def _invite(visit: Visit, slug: str, form: Form) -> Note:
    uses = form.number("uses")
    made = teams.new_team_code(visit.place, visit.viewer, slug, uses=uses)
    return Note(
        Text(
            f"Give this code to the people you invite (uses: {made.uses}). It is not shown again.",
            f"招待する人にこのコードを渡してください（{made.uses} 人まで）。再表示はできません。",
        ),
        made.code,
    )


def _rename(visit: Visit, slug: str, form: Form) -> Note:
    team = teams.rename_team(visit.place, visit.viewer, slug, form["name"])
    return Note(Text(f"The team is now “{team.name}”.", f"チーム名を「{team.name}」にしました。"))


def _leave(visit: Visit, slug: str, _: Form) -> Note:
    teams.leave_team(visit.place, visit.viewer, slug)
    return Note(Text("You left the team.", "チームから抜けました。"))


def _captain(visit: Visit, slug: str, form: Form) -> Note:
    teams.make_captain(visit.place, visit.viewer, slug, form.number("member"))
    return Note(Text("The team has a new captain.", "キャプテンを交代しました。"))


def _remove(visit: Visit, slug: str, form: Form) -> Note:
    teams.remove_member(visit.place, visit.viewer, slug, form.number("member"))
    return Note(Text("The member is no longer in the team.", "メンバーを外しました。"))


ACTIONS = {
    "create": _create,
    "join": _join,
    "invite": _invite,
    "rename": _rename,
    "leave": _leave,
    "captain": _captain,
    "remove": _remove,
}
