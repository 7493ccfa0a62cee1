"""Pages for login, registration, account and team."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.contest.services import teams
from tokumei.apps.contest.services.accounts import account_summary, change_password, create_account
from tokumei.apps.contest.services.authentication import (
    create_token,
    list_tokens,
    log_in,
    log_out,
    revoke_token,
    start_session,
)
from tokumei.apps.contest.services.context import Viewer
from tokumei.apps.contest.services.organiser_roles import close_account
from tokumei.apps.contest.services.passwords import reset_password
from tokumei.apps.contest.web.rendering import (
    TemplateValue,
    add_form_page,
    find_own_team,
    redirect,
    render_contest_page,
    render_page,
)
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
    SmallForm,
)
from tokumei.apps.http.errors import HttpError
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

router = APIRouter()


def safe_local_path(requested: str) -> str:
    """A path on this server, or the front page: nobody is sent elsewhere after logging in."""
    plain = requested.isprintable() and "\\" not in requested
    return (
        requested if plain and requested.startswith("/") and not requested.startswith("//") else "/"
    )


@router.get("/login")
def show_login(visit: CurrentRequest, next: str = "/") -> Response:
    """The form to log in."""
    variables = {**_next_page_values(next), "name": visit.tried("name")}
    return render_page(visit, "login.html", title=Message("Log in"), **variables)


@router.post("/login")
def do_login(visit: CurrentRequest, form: SmallForm) -> Response:
    """Log in; a new cookie, whatever the browser had before."""
    try:
        cookie = log_in(visit.place, form["name"], form["password"], address=visit.viewer.address)
    except HttpError as refusal:
        visit.refusal, visit.typed = refusal, form
        return show_login(visit, form["next"])
    _end_session(visit)
    visit.set_login(cookie)
    return redirect(visit, safe_local_path(form["next"]))


@router.post("/logout")
def do_logout(visit: CurrentRequest, form: SmallForm) -> Response:
    """Log out."""
    _end_session(visit)
    visit.set_login("")
    return redirect(visit, "/", FlashMessage(Message("You are logged out.")))


@router.get("/reset")
def show_reset(visit: CurrentRequest, code: str = "") -> Response:
    """The form to set a forgotten password anew."""
    return render_page(visit, "reset.html", title=Message("A new password"), code=code)


@router.post("/reset")
def do_reset(visit: CurrentRequest, form: SmallForm) -> Response:
    """Set a new password with an organiser's link."""
    try:
        reset_password(visit.place, form["code"], form["password"], address=visit.viewer.address)
    except TokumeiError as refusal:
        visit.refusal = refusal
        return show_reset(visit, form["code"])
    note = FlashMessage(Message("Your new password is set. Log in with it."))
    return redirect(visit, "/login", note)


@router.get("/register")
def show_register(visit: CurrentRequest, invite: str = "", next: str = "/") -> Response:
    """The form to register."""
    variables = {**_next_page_values(next), "name": visit.tried("name"), "invite": invite}
    return render_page(visit, "register.html", title=Message("Register"), **variables)


@router.post("/register")
def do_register(visit: CurrentRequest, form: SmallForm) -> Response:
    """A new account, logged in at once."""
    try:
        viewer = create_account(
            visit.place,
            form["name"],
            form["password"],
            invite=form["invite"].strip() or None,
            address=visit.viewer.address,
        )
    except HttpError as refusal:
        visit.refusal, visit.typed = refusal, form
        return show_register(visit, form["invite"], form["next"])
    _end_session(visit)
    visit.set_login(start_session(visit.place, viewer))
    note = FlashMessage(Message("Welcome, {account}.", account=viewer.name))
    return redirect(visit, safe_local_path(form["next"]), note)


def _change_password(visit: RequestContext, form: PostedForm) -> FlashMessage:
    visit.ask(change_password, form["old"], form["new"])
    visit.set_login(visit.ask(start_session))
    return FlashMessage(Message("Your password is changed."))


def _create_token(visit: RequestContext, form: PostedForm) -> FlashMessage:
    new_token_view = visit.ask(create_token, form["label"])
    return FlashMessage(
        Message("Token “{label}”: copy it now, it is not shown again.", label=new_token_view.label),
        new_token_view.token,
    )


def _revoke_token(visit: RequestContext, form: PostedForm) -> FlashMessage:
    visit.ask(revoke_token, form.number("id"))
    return FlashMessage(Message("The token is revoked."))


def _close_account(visit: RequestContext, form: PostedForm) -> Response:
    visit.ask(close_account, form["password"])
    visit.set_login("")
    return redirect(visit, "/", FlashMessage(Message("Your account is closed.")))


def _end_session(visit: RequestContext) -> None:
    if visit.login:
        log_out(visit.place, visit.login)


def _next_page_values(requested: str) -> dict[str, TemplateValue]:
    """Where to go on to, and what leads there from another form."""
    path = safe_local_path(requested)
    return {"next": path, "there": "" if path == "/" else "?" + urlencode({"next": path})}


def _account_page(visit: RequestContext) -> Response:
    """One's teams, tokens and password."""
    return render_page(
        visit,
        "account.html",
        title=Message("Account"),
        me=visit.ask(account_summary),
        tokens=visit.ask(list_tokens),
        label=visit.tried("label"),
    )


add_form_page(
    router,
    "/account",
    _account_page,
    {
        "password": _change_password,
        "token": _create_token,
        "revoke": _revoke_token,
        "close": _close_account,
    },
    require=Viewer.require_account,
)


def _team_page(visit: RequestContext, slug: str) -> Response:
    """The team, or how to get one."""
    visit.viewer.require_account()
    mine = find_own_team(visit, slug)
    title = Message.verbatim(mine.name) if mine else Message("Find your team")
    typed = visit.typed or {"do": "", "name": "", "code": ""}
    return render_contest_page(visit, slug, "team", title=title, typed=typed)


def _create_team(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    code = form["code"].strip() or None
    team = visit.ask(teams.create_team, slug, form["name"], code=code)
    return FlashMessage(Message("Team “{team}” is in the contest.", team=team.name))


def _join_team(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    team = visit.ask(teams.join_team, slug, form["code"].strip())
    return FlashMessage(Message("You joined “{team}”.", team=team.name))


def _create_team_code(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    uses = form.number("uses")
    new_code = visit.ask(teams.create_team_code, slug, uses=uses)
    return FlashMessage(
        Message(
            "Give this code to the people you invite (uses: {uses}). It is not shown again.",
            uses=new_code.uses,
        ),
        new_code.code,
    )


def _rename_team(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    team = visit.ask(teams.rename_team, slug, form["name"])
    return FlashMessage(Message("The team is now “{team}”.", team=team.name))


def _leave_team(visit: RequestContext, slug: str, _: PostedForm) -> FlashMessage:
    visit.ask(teams.leave_team, slug)
    return FlashMessage(Message("You left the team."))


def _name_captain(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    visit.ask(teams.make_captain, slug, form.number("member"))
    return FlashMessage(Message("The team has a new captain."))


def _remove_member(visit: RequestContext, slug: str, form: PostedForm) -> FlashMessage:
    visit.ask(teams.remove_member, slug, form.number("member"))
    return FlashMessage(Message("The member is no longer in the team."))


add_form_page(
    router,
    "/c/{slug}/team",
    _team_page,
    {
        "create": _create_team,
        "join": _join_team,
        "invite": _create_team_code,
        "rename": _rename_team,
        "leave": _leave_team,
        "captain": _name_captain,
        "remove": _remove_member,
    },
    require=Viewer.require_account,
)
