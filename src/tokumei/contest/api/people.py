"""Routes about people (register, tokens, who am I) and about their teams."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from pydantic import Field
from sqlalchemy import text

from tokumei._version import __version__
from tokumei.contest.api.routes import (
    CHANGE,
    LOOK,
    Asker,
    Health,
    Here,
    Number,
    Question,
    Routes,
    Slug,
    client_of,
)
from tokumei.contest.desk.accounts import me, register
from tokumei.contest.desk.logins import new_token_by_password, revoke_token, tokens
from tokumei.contest.desk.passwords import LONGEST
from tokumei.contest.desk.roles import close_account
from tokumei.contest.desk.teams import (
    create_team,
    join_team,
    leave_team,
    make_captain,
    my_team,
    new_team_code,
    remove_member,
    rename_team,
)
from tokumei.contest.desk.views import MeView, NewInviteView, NewTokenView, TeamView, TokenView

routes = Routes(tags=["people"])
Name = Annotated[str, Field(max_length=200)]
Password = Annotated[str, Field(max_length=LONGEST)]
teams = Routes(prefix="/contests/{slug}", tags=["teams"])
Code = Annotated[str, Field(max_length=100)]


class Registration(Question):
    """A new account; `invite` where registration is not open."""

    name: Name
    password: Password
    invite: Annotated[str, Field(max_length=100)] | None = None


class TokenQuestion(Question):
    """A new token for a name and its password; `label` tells tokens apart."""

    name: Name
    password: Password
    label: Annotated[str, Field(max_length=64)] = ""


@routes.get("/health", "Whether the server is up")
def health(place: Here) -> Health:
    """Also asks the database."""
    with place.read() as session:
        session.execute(text("SELECT 1"))
    return Health(True, __version__)


@routes.post("/register", "A new account", 403, 409, 422, 429, status=201)
def register_account(question: Registration, place: Here, request: Request) -> MeView:
    """Name and password, and a code where registration is not open."""
    return me(place, register(place, **dict(question), address=client_of(request)))


@routes.post("/tokens", "A new token", 401, 409, 422, 429, status=201)
def make_token(question: TokenQuestion, place: Here, request: Request) -> NewTokenView:
    """The token is shown this once; send it as `Authorization: Bearer tkm_…`."""
    return new_token_by_password(place, **dict(question), address=client_of(request))


@routes.get("/tokens", "One's tokens", 401, lists="Tokens")
def list_tokens(place: Here, asker: Asker) -> tuple[TokenView, ...]:
    """Without their secrets."""
    return tokens(place, asker)


@routes.delete("/tokens/{token_id}", "End a token", 401, 404)
def end_token(token_id: Number, place: Here, asker: Asker) -> None:
    """One of one's own."""
    revoke_token(place, asker, token_id)


class Proof(Question):
    """One's password, to show that one means it."""

    password: Password


@routes.post("/me/close", "Close one's account", 401, 403, 409, 422, 429, status=204)
def close(question: Proof, place: Here, asker: Asker) -> None:
    """The name is forgotten; what the team sent stays."""
    close_account(place, asker, question.password)


@routes.get("/me", "Who one is", 401)
def who(place: Here, asker: Asker) -> MeView:
    """Name and teams."""
    return me(place, asker)


class TeamQuestion(Question):
    """A new team; `code` where the contest is by invitation and the account has none."""

    name: Name
    code: Code | None = None


class JoinQuestion(Question):
    """A team's code."""

    code: Code


class NameQuestion(Question):
    """A new name."""

    name: Name


class CodeQuestion(Question):
    """How often and how long a code is good."""

    uses: Annotated[int, Field(ge=1, le=1000)] = 10
    days: Annotated[int, Field(ge=1, le=365)] = 30


@teams.post("/teams", "A new team", *CHANGE, status=201)
def new_team(slug: Slug, question: TeamQuestion, place: Here, asker: Asker) -> TeamView:
    """Its captain is who asks."""
    return create_team(place, asker, slug, **dict(question))


@teams.post("/teams/join", "Join a team", *CHANGE)
def join(slug: Slug, question: JoinQuestion, place: Here, asker: Asker) -> TeamView:
    """By its code."""
    return join_team(place, asker, slug, question.code)


@teams.get("/team", "One's own team", 401, 404)
def own_team(slug: Slug, place: Here, asker: Asker) -> TeamView:
    """Members and what the team may still do."""
    return my_team(place, asker, slug)


@teams.put("/team", "Rename the team (captain)", *CHANGE)
def rename(slug: Slug, question: NameQuestion, place: Here, asker: Asker) -> TeamView:
    """Names that look like another team's are refused."""
    return rename_team(place, asker, slug, question.name)


@teams.post("/team/invites", "A code to join the team (captain)", *LOOK, 422, status=201)
def team_code(slug: Slug, question: CodeQuestion, place: Here, asker: Asker) -> NewInviteView:
    """The code is shown this once."""
    return new_team_code(place, asker, slug, **dict(question))


@teams.post("/team/leave", "Leave the team", *LOOK, 409)
def leave(slug: Slug, place: Here, asker: Asker) -> None:
    """A captain names another one first."""
    leave_team(place, asker, slug)


@teams.post("/team/members/{account_id}/captain", "Name another captain (captain)", *LOOK)
def captain(slug: Slug, account_id: Number, place: Here, asker: Asker) -> TeamView:
    """A member of the team."""
    return make_captain(place, asker, slug, account_id)


@teams.delete("/team/members/{account_id}", "Send a member away (captain)", *LOOK, 409)
def send_away(slug: Slug, account_id: Number, place: Here, asker: Asker) -> TeamView:
    """Not the captain."""
    return remove_member(place, asker, slug, account_id)
