"""Logging in and out, registering, one's account and one's team."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk import teams
from tokumei.contest.desk.accounts import change_password, me, register
from tokumei.contest.desk.logins import log_in, log_out, new_login, new_token, revoke_token, tokens
from tokumei.contest.desk.resets import reset_password
from tokumei.contest.desk.roles import close_account
from tokumei.contest.web.render import contest_page, go, page, team_of
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
    return _login_page(visit, next, "", None)


@router.post("/login")
def do_login(visit: Here, form: Posted) -> Response:
    """Log in; a new cookie, whatever the browser had before."""
    try:
        cookie = log_in(visit.place, form["name"], form["password"], address=visit.address)
    except Refusal as refusal:
        return _login_page(visit, form["next"], form["name"], refusal)
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
    return _reset_page(visit, code, None)


@router.post("/reset")
def do_reset(visit: Here, form: Posted) -> Response:
    """Set a new password with an organiser's link."""
    try:
        reset_password(visit.place, form["code"], form["password"], address=visit.address)
    except TokumeiError as refusal:
        return _reset_page(visit, form["code"], refusal)
    note = Note("Your new password is set. Log in with it.", "新しいパスワードを設定しました。")
    return go(visit, "/login", note)


def _reset_page(visit: Visit, code: str, refusal: TokumeiError | None) -> Response:
    title = Text("A new password", "パスワードの再設定")
    return page(visit, "reset.html", title=title, refusal=refusal, code=code)


@router.get("/register")
def show_register(visit: Here, invite: str = "", next: str = "/") -> Response:
    """The form to register."""
    return _register_page(visit, next, "", invite, None)


@router.post("/register")
def do_register(visit: Here, form: Posted) -> Response:
    """A new account, logged in at once."""
    try:
        viewer = register(
            visit.place,
            form["name"],
            form["password"],
            invite=form["invite"].strip() or None,
            address=visit.address,
        )
    except Refusal as refusal:
        return _register_page(visit, form["next"], form["name"], form["invite"], refusal)
    _leave(visit)
    visit.set_login(new_login(visit.place, viewer))
    note = Note(f"Welcome, {viewer.name}.", f"ようこそ、{viewer.name} さん。")
    return go(visit, local_path(form["next"]), note)


@router.get("/account")
def show_account(visit: Here) -> Response:
    """One's teams, tokens and password."""
    return _account_page(visit, None)


@router.post("/account")
def change_account(visit: Here, form: Posted) -> Response:
    """Change the password, make or revoke a token."""
    visit.viewer.require_account()
    try:
        note = form.chosen(ACCOUNT)(visit, form)
    except TokumeiError as refusal:
        return _account_page(visit, refusal, form["label"])
    if form["do"] == "close":
        return go(visit, "/", note)
    return go(visit, "/account", note)


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


def _close(visit: Visit, form: Form) -> Note:
    visit.ask(close_account, form["password"])
    visit.set_login("")
    return Note("Your account is closed.", "アカウントを閉じました。")


ACCOUNT = {"password": _password, "token": _token, "revoke": _revoke, "close": _close}


def _leave(visit: Visit) -> None:
    if visit.login:
        log_out(visit.place, visit.login)


def _login_page(visit: Visit, next: str, name: str, refusal: Refusal | None) -> Response:
    title = Text("Log in", "ログイン")
    path = local_path(next)
    shown: dict[str, Any] = {"next": path, "there": _query(path), "name": name}
    return page(visit, "login.html", title=title, refusal=refusal, **shown)


def _register_page(
    visit: Visit, next: str, name: str, invite: str, refusal: Refusal | None
) -> Response:
    title = Text("Register", "参加登録")
    path = local_path(next)
    shown: dict[str, Any] = {"next": path, "there": _query(path)}
    shown |= {"name": name, "invite": invite}
    return page(visit, "register.html", title=title, refusal=refusal, **shown)


def _query(path: str) -> str:
    """What leads on to a page from another form."""
    return "" if path == "/" else "?" + urlencode({"next": path})


def _account_page(visit: Visit, refusal: TokumeiError | None, label: str = "") -> Response:
    return page(
        visit,
        "account.html",
        title=Text("Account", "アカウント"),
        refusal=refusal,
        me=visit.ask(me),
        tokens=visit.ask(tokens),
        label=label,
    )


@router.get("/c/{slug}/team")
def show_team(visit: Here, slug: str) -> Response:
    """The team, or how to get one."""
    visit.viewer.require_account()
    return _team_page(visit, slug, None)


@router.post("/c/{slug}/team")
def change_team(visit: Here, slug: str, form: Posted) -> Response:
    """Whatever members may do."""
    visit.viewer.require_account()
    try:
        note = form.chosen(ACTIONS)(visit, slug, form)
    except TokumeiError as refusal:
        return _team_page(visit, slug, refusal, form)
    return go(visit, f"/c/{slug}/team", note)


def _team_page(
    visit: Visit, slug: str, refusal: TokumeiError | None, form: Form | None = None
) -> Response:
    mine = team_of(visit, slug)
    title = Text(mine.name, mine.name) if mine else Text("Find your team", "チームを決める")
    typed = {"do": "", "name": "", "code": ""} if form is None else form
    shown: dict[str, Any] = {"refusal": refusal, "typed": typed}
    return contest_page(visit, slug, "team.html", here="team", title=title, **shown)


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


ACTIONS = {
    "create": _create,
    "join": _join,
    "invite": _invite,
    "rename": _rename,
    "leave": _leave_team,
    "captain": _captain,
    "remove": _remove,
}
