"""Routes about accounts (register, tokens, current user) and teams."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from pydantic import Field
from sqlalchemy import text

from tokumei._version import __version__
from tokumei.apps.contest.api.routing import (
    READ_ERRORS,
    WRITE_ERRORS,
    CurrentContext,
    CurrentViewer,
    RequestBody,
    RowId,
    ServerHealthView,
    Slug,
    ViewRouter,
    client_address,
)
from tokumei.apps.contest.services.accounts import account_summary, create_account
from tokumei.apps.contest.services.authentication import (
    create_token_by_password,
    list_tokens,
    revoke_token,
)
from tokumei.apps.contest.services.organiser_roles import close_account
from tokumei.apps.contest.services.passwords import LONGEST_PASSWORD
from tokumei.apps.contest.services.teams import (
    create_team,
    create_team_code,
    get_team_view,
    join_team,
    leave_team,
    make_captain,
    remove_member,
    rename_team,
)
from tokumei.apps.contest.services.view_models import (
    CurrentAccountView,
    NewInviteView,
    NewTokenView,
    TeamView,
    TokenView,
)

routes = ViewRouter(tags=["people"])
NameText = Annotated[str, Field(max_length=200)]
PasswordText = Annotated[str, Field(max_length=LONGEST_PASSWORD)]
team_routes = ViewRouter(prefix="/contests/{slug}", tags=["teams"])
CodeText = Annotated[str, Field(max_length=100)]


class RegistrationBody(RequestBody):
    """A new account; `invite` where registration is not open."""

    name: NameText
    password: PasswordText
    invite: Annotated[str, Field(max_length=100)] | None = None


class TokenBody(RequestBody):
    """A new token for a name and its password; `label` tells tokens apart."""

    name: NameText
    password: PasswordText
    label: Annotated[str, Field(max_length=64)] = ""


@routes.get("/health", "Whether the server is up")
def get_health(place: CurrentContext) -> ServerHealthView:
    """Also asks the database."""
    with place.read() as session:
        session.execute(text("SELECT 1"))
    return ServerHealthView(True, __version__)


@routes.post("/register", "A new account", 403, 409, 422, 429, status=201)
def register_account(
    question: RegistrationBody, place: CurrentContext, request: Request
) -> CurrentAccountView:
    """Name and password, and a code where registration is not open."""
    return account_summary(
        place, create_account(place, **dict(question), address=client_address(request))
    )


@routes.post("/tokens", "A new token", 401, 409, 422, 429, status=201)
def create_token(question: TokenBody, place: CurrentContext, request: Request) -> NewTokenView:
    """The token is shown this once; send it as `Authorization: Bearer tkm_…`."""
    return create_token_by_password(place, **dict(question), address=client_address(request))


@routes.get("/tokens", "One's tokens", 401, lists="Tokens")
def get_tokens(place: CurrentContext, asker: CurrentViewer) -> tuple[TokenView, ...]:
    """Without their secrets."""
    return list_tokens(place, asker)


@routes.delete("/tokens/{token_id}", "End a token", 401, 404)
def revoke_own_token(token_id: RowId, place: CurrentContext, asker: CurrentViewer) -> None:
    """One of one's own."""
    revoke_token(place, asker, token_id)


class PasswordBody(RequestBody):
    """One's password, to show that one means it."""

    password: PasswordText


@routes.post("/me/close", "Close one's account", 401, 403, 409, 422, 429, status=204)
def close_own_account(question: PasswordBody, place: CurrentContext, asker: CurrentViewer) -> None:
    """The name is forgotten; what the team sent stays."""
    close_account(place, asker, question.password)


@routes.get("/me", "Who one is", 401)
def get_current_account(place: CurrentContext, asker: CurrentViewer) -> CurrentAccountView:
    """Name and teams."""
    return account_summary(place, asker)


class TeamBody(RequestBody):
    """A new team; `code` where the contest is by invitation and the account has none."""

    name: NameText
    code: CodeText | None = None


class JoinBody(RequestBody):
    """A team's code."""

    code: CodeText


class TeamNameBody(RequestBody):
    """A new name."""

    name: NameText


class TeamCodeBody(RequestBody):
    """How often and how long a code is good."""

    uses: Annotated[int, Field(ge=1, le=1000)] = 10
    days: Annotated[int, Field(ge=1, le=365)] = 30


@team_routes.post("/teams", "A new team", *WRITE_ERRORS, status=201)
def create_contest_team(
    slug: Slug, question: TeamBody, place: CurrentContext, asker: CurrentViewer
) -> TeamView:
    """Its captain is who asks."""
    return create_team(place, asker, slug, **dict(question))


@team_routes.post("/teams/join", "Join a team", *WRITE_ERRORS)
def join_contest_team(
    slug: Slug, question: JoinBody, place: CurrentContext, asker: CurrentViewer
) -> TeamView:
    """By its code."""
    return join_team(place, asker, slug, question.code)


@team_routes.get("/team", "One's own team", 401, 404)
def get_own_team(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> TeamView:
    """Members and what the team may still do."""
    return get_team_view(place, asker, slug)


@team_routes.put("/team", "Rename the team (captain)", *WRITE_ERRORS)
def rename_own_team(
    slug: Slug, question: TeamNameBody, place: CurrentContext, asker: CurrentViewer
) -> TeamView:
    """Names that look like another team's are refused."""
    return rename_team(place, asker, slug, question.name)


@team_routes.post(
    "/team/invites", "A code to join the team (captain)", *READ_ERRORS, 422, status=201
)
def create_team_invite(
    slug: Slug, question: TeamCodeBody, place: CurrentContext, asker: CurrentViewer
) -> NewInviteView:
    """The code is shown this once."""
    return create_team_code(place, asker, slug, **dict(question))


@team_routes.post("/team/leave", "Leave the team", *READ_ERRORS, 409)
def leave_own_team(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> None:
    """A captain names another one first."""
    leave_team(place, asker, slug)


@team_routes.post(
    "/team/members/{account_id}/captain", "Name another captain (captain)", *READ_ERRORS
)
def name_captain(
    slug: Slug, account_id: RowId, place: CurrentContext, asker: CurrentViewer
) -> TeamView:
    """A member of the team."""
    return make_captain(place, asker, slug, account_id)


@team_routes.delete("/team/members/{account_id}", "Send a member away (captain)", *READ_ERRORS, 409)
def remove_team_member(
    slug: Slug, account_id: RowId, place: CurrentContext, asker: CurrentViewer
) -> TeamView:
    """Not the captain."""
    return remove_member(place, asker, slug, account_id)
