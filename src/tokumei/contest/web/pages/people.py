"""Logging in and out, registering, one's account and one's team."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk import teams
from tokumei.contest.desk.accounts import change_password, me, register
from tokumei.contest.desk.logins import log_in, log_out, new_login, new_token, revoke_token, tokens
from tokumei.contest.desk.passwords import reset_password
from tokumei.contest.desk.place import Viewer
from tokumei.contest.desk.roles import close_account
from tokumei.contest.web.render import contest_page, form_page, go, page, team_of
from tokumei.contest.web.visit import Form, Here, Note, Posted, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Refusal

router = APIRouter()


def local_path(asked: str) -> str:
    """A path on this server, or the front page: nobody is sent elsewhere after logging in."""
    plain = asked.isprintable() and "\\" not in asked
    return asked if plain and asked.startswith("/") and not asked.startswith("//") else "/"


@router.get("/login")
def show_login(visit: Here, next: str = "/") -> Response:
    """The form to log in."""
    shown = {**_next(next), "name": visit.tried("name")}
    return page(visit, "login.html", title=Text("Log in", "ログイン"), **shown)


@router.post("/login")
def do_login(visit: Here, form: Posted) -> Response:
    """Log in; a new cookie, whatever the browser had before."""
    try:
        cookie = log_in(visit.place, form["name"], form["password"], address=visit.viewer.address)
    except Refusal as refusal:
        visit.refusal, visit.typed = refusal, form
        return show_login(visit, form["next"])
    _leave(visit)
    visit.set_login(cookie)
    return go(visit, local_path(form["next"]))


@router.post("/logout")
def do_logout(visit: Here, form: Posted) -> Response:
    """Log out."""
    _leave(visit)
    visit.set_login("")
    return go(visit, "/", Note("You are logged out.", "ログアウトしました。"))


@router.get("/reset")
def show_reset(visit: Here, code: str = "") -> Response:
    """The form to set a forgotten password anew."""
    return page(visit, "reset.html", title=Text("A new password", "パスワードの再設定"), code=code)


@router.post("/reset")
def do_reset(visit: Here, form: Posted) -> Response:
    """Set a new password with an organiser's link."""
    try:
        reset_password(visit.place, form["code"], form["password"], address=visit.viewer.address)
    except TokumeiError as refusal:
        visit.refusal = refusal
        return show_reset(visit, form["code"])
    note = Note("Your new password is set. Log in with it.", "新しいパスワードを設定しました。")
    return go(visit, "/login", note)


@router.get("/register")
def show_register(visit: Here, invite: str = "", next: str = "/") -> Response:
    """The form to register."""
    shown = {**_next(next), "name": visit.tried("name"), "invite": invite}
    return page(visit, "register.html", title=Text("Register", "参加登録"), **shown)


@router.post("/register")
def do_register(visit: Here, form: Posted) -> Response:
    """A new account, logged in at once."""
    try:
        viewer = register(
            visit.place,
            form["name"],
            form["password"],
            invite=form["invite"].strip() or None,
            address=visit.viewer.address,
        )
    except Refusal as refusal:
        visit.refusal, visit.typed = refusal, form
        return show_register(visit, form["invite"], form["next"])
    _leave(visit)
    visit.set_login(new_login(visit.place, viewer))
    note = Note(f"Welcome, {viewer.name}.", f"ようこそ、{viewer.name} さん。")
    return go(visit, local_path(form["next"]), note)


def _password(visit: Visit, form: Form) -> Note:
    visit.ask(change_password, form["old"], form["new"])
    visit.set_login(visit.ask(new_login))
    return Note("Your password is changed.", "パスワードを変更しました。")


def _token(visit: Visit, form: Form) -> Note:
    made = visit.ask(new_token, form["label"])
    return Note(
        f"Token “{made.label}”: copy it now, it is not shown again.",
        f"トークン「{made.label}」を作りました。再表示できないので、今コピーしてください。",
        made.token,
    )


def _revoke(visit: Visit, form: Form) -> Note:
    visit.ask(revoke_token, form.number("id"))
    return Note("The token is revoked.", "トークンを無効にしました。")


def _close(visit: Visit, form: Form) -> Response:
    visit.ask(close_account, form["password"])
    visit.set_login("")
    return go(visit, "/", Note("Your account is closed.", "アカウントを閉じました。"))


def _leave(visit: Visit) -> None:
    if visit.login:
        log_out(visit.place, visit.login)


def _next(asked: str) -> dict[str, Any]:
    """Where to go on to, and what leads there from another form."""
    path = local_path(asked)
    return {"next": path, "there": "" if path == "/" else "?" + urlencode({"next": path})}


def _account_page(visit: Visit) -> Response:
    """One's teams, tokens and password."""
    return page(
        visit,
        "account.html",
        title=Text("Account", "アカウント"),
        me=visit.ask(me),
        tokens=visit.ask(tokens),
        label=visit.tried("label"),
    )


form_page(
    router,
    "/account",
    _account_page,
    {"password": _password, "token": _token, "revoke": _revoke, "close": _close},
    require=Viewer.require_account,
)


def _team_page(visit: Visit, slug: str) -> Response:
    """The team, or how to get one."""
    visit.viewer.require_account()
    mine = team_of(visit, slug)
    title = Text(mine.name, mine.name) if mine else Text("Find your team", "チームを決める")
    typed = visit.typed or {"do": "", "name": "", "code": ""}
    return contest_page(visit, slug, "team", title=title, typed=typed)


def _create(visit: Visit, slug: str, form: Form) -> Note:
    code = form["code"].strip() or None
    made = visit.ask(teams.create_team, slug, form["name"], code=code)
    return Note(f"Team “{made.name}” is in the contest.", f"チーム「{made.name}」を登録しました。")


def _join(visit: Visit, slug: str, form: Form) -> Note:
    team = visit.ask(teams.join_team, slug, form["code"].strip())
    return Note(f"You joined “{team.name}”.", f"「{team.name}」に加わりました。")


def _invite(visit: Visit, slug: str, form: Form) -> Note:
    uses = form.number("uses")
    made = visit.ask(teams.new_team_code, slug, uses=uses)
    return Note(
        f"Give this code to the people you invite (uses: {made.uses}). It is not shown again.",
        f"招待する人にこのコードを渡してください（{made.uses} 人まで）。再表示はできません。",
        made.code,
    )


def _rename(visit: Visit, slug: str, form: Form) -> Note:
    team = visit.ask(teams.rename_team, slug, form["name"])
    return Note(f"The team is now “{team.name}”.", f"チーム名を「{team.name}」にしました。")


def _leave_team(visit: Visit, slug: str, _: Form) -> Note:
    visit.ask(teams.leave_team, slug)
    return Note("You left the team.", "チームから抜けました。")


def _captain(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(teams.make_captain, slug, form.number("member"))
    return Note("The team has a new captain.", "キャプテンを交代しました。")


def _remove(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(teams.remove_member, slug, form.number("member"))
    return Note("The member is no longer in the team.", "メンバーを外しました。")


form_page(
    router,
    "/c/{slug}/team",
    _team_page,
    {
        "create": _create,
        "join": _join,
        "invite": _invite,
        "rename": _rename,
        "leave": _leave_team,
        "captain": _captain,
        "remove": _remove,
    },
    require=Viewer.require_account,
)
