"""Routes about people: register, tokens, who am I."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from pydantic import Field
from sqlalchemy import text

from tokumei._version import __version__
from tokumei.contest.api.answers import Health, Tokens
from tokumei.contest.api.asking import Asker, Here, Number, Question, client_of
from tokumei.contest.api.routes import Routes
from tokumei.contest.desk.accounts import me, register
from tokumei.contest.desk.passwords import LONGEST
from tokumei.contest.desk.tokens import new_token_by_password, revoke_token, tokens
from tokumei.contest.desk.views import MeView, NewTokenView

routes = Routes(tags=["people"])
Name = Annotated[str, Field(max_length=200)]
Password = Annotated[str, Field(max_length=LONGEST)]


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
    viewer = register(
        place,
        question.name,
        question.password,
        invite=question.invite,
        address=client_of(request),
    )
    return me(place, viewer)


@routes.post("/tokens", "A new token", 401, 409, 422, 429, status=201)
def make_token(question: TokenQuestion, place: Here, request: Request) -> NewTokenView:
    """The token is shown this once; send it as `Authorization: Bearer tkm_…`."""
    return new_token_by_password(
        place,
        question.name,
        question.password,
        label=question.label,
        address=client_of(request),
    )


@routes.get("/tokens", "One's tokens", 401)
def list_tokens(place: Here, asker: Asker) -> Tokens:
    """Without their secrets."""
    return Tokens(tokens(place, asker))


@routes.delete("/tokens/{token_id}", "End a token", 401, 404)
def end_token(token_id: Number, place: Here, asker: Asker) -> None:
    """One of one's own."""
    revoke_token(place, asker, token_id)


@routes.get("/me", "Who one is", 401)
def who(place: Here, asker: Asker) -> MeView:
    """Name and teams."""
    return me(place, asker)
