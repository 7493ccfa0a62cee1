"""Logging in and out, registering, one's account."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk.accounts import change_password, me, register
from tokumei.contest.desk.logins import log_in, log_out, new_login
from tokumei.contest.desk.tokens import new_token, revoke_token, tokens
from tokumei.contest.web.forms import Form, Posted
from tokumei.contest.web.render import go, page
from tokumei.contest.web.visit import Here, Note, Visit
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
    return go(visit, "/", Note(Text("You are logged out.", "ログアウトしました。")))


@router.get("/register")
def show_register(visit: Here, invite: str = "") -> Response:
    """The form to register."""
    return _register_page(visit, "", invite, None)


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
        return _register_page(visit, form["name"], form["invite"], refusal)
    _leave(visit)
    visit.set_login(new_login(visit.place, viewer))
    return go(visit, "/", Note(Text(f"Welcome, {viewer.name}.", f"ようこそ、{viewer.name} さん。")))


@router.get("/account")
def show_account(visit: Here) -> Response:
    """One's teams, tokens and password."""
    return _account_page(visit, None)


@router.post("/account")
def change_account(visit: Here, form: Posted) -> Response:
    """Change the password, make or revoke a token."""
    visit.viewer.require_account()
    try:
        note = form.chosen({"password": _password, "token": _token, "revoke": _revoke})(visit, form)
    except TokumeiError as refusal:
        return _account_page(visit, refusal)
    return go(visit, "/account", note)


def _password(visit: Visit, form: Form) -> Note:
    change_password(visit.place, visit.viewer, form["old"], form["new"])
    visit.set_login(new_login(visit.place, visit.viewer))
    return Note(Text("Your password is changed.", "パスワードを変更しました。"))


def _token(visit: Visit, form: Form) -> Note:
    made = new_token(visit.place, visit.viewer, form["label"])
    return Note(
        Text(
            f"Token “{made.label}”: copy it now, it is not shown again.",
            f"トークン「{made.label}」を作りました。再表示できないので、今コピーしてください。",
        ),
        made.token,
    )


def _revoke(visit: Visit, form: Form) -> Note:
    revoke_token(visit.place, visit.viewer, form.number("id"))
    return Note(Text("The token is revoked.", "トークンを無効にしました。"))


def _leave(visit: Visit) -> None:
    if visit.login:
        log_out(visit.place, visit.login)


def _login_page(visit: Visit, next: str, name: str, refusal: Refusal | None) -> Response:
    title = Text("Log in", "ログイン")
    path = local_path(next)
    return page(visit, "login.html", title=title, refusal=refusal, next=path, name=name)


def _register_page(visit: Visit, name: str, invite: str, refusal: Refusal | None) -> Response:
    title = Text("Register", "参加登録")
    return page(visit, "register.html", title=title, refusal=refusal, name=name, invite=invite)


def _account_page(visit: Visit, refusal: TokumeiError | None) -> Response:
    return page(
        visit,
        "account.html",
        title=Text("Account", "アカウント"),
        refusal=refusal,
        me=me(visit.place, visit.viewer),
        tokens=tokens(visit.place, visit.viewer),
    )
