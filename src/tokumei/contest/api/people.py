"""Routes about people: register, tokens, who am I."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy import text
from starlette.responses import Response

from tokumei._version import __version__
from tokumei.contest.api.answers import Health, Tokens
from tokumei.contest.api.asking import Asker, Here, Number, Question, client_of, refusals, shown
from tokumei.contest.desk.accounts import me, register
from tokumei.contest.desk.passwords import LONGEST
from tokumei.contest.desk.tokens import new_token_by_password, revoke_token, tokens
from tokumei.contest.desk.views import MeView, NewTokenView

router = APIRouter(tags=["people"])
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


@router.get("/health", response_model=Health, summary="Whether the server is up")
def health(place: Here) -> Response:
    """Also asks the database."""
    with place.read() as session:
        session.execute(text("SELECT 1"))
    return shown(Health(True, __version__))


@router.post(
    "/register",
    response_model=MeView,
    status_code=201,
    responses=refusals(403, 409, 422, 429),
    summary="A new account",
)
def register_account(question: Registration, place: Here, request: Request) -> Response:
    """Name and password, and a code where registration is not open."""
    viewer = register(
        place,
        question.name,
        question.password,
        invite=question.invite,
        address=client_of(request),
    )
    return shown(me(place, viewer), 201)


@router.post(
    "/tokens",
    response_model=NewTokenView,
    status_code=201,
    responses=refusals(401, 409, 422, 429),
    summary="A new token",
)
def make_token(question: TokenQuestion, place: Here, request: Request) -> Response:
    """The token is shown this once; send it as `Authorization: Bearer tkm_…`."""
    made = new_token_by_password(
        place,
        question.name,
        question.password,
        label=question.label,
        address=client_of(request),
    )
    return shown(made, 201)


@router.get("/tokens", response_model=Tokens, responses=refusals(401), summary="One's tokens")
def list_tokens(place: Here, asker: Asker) -> Response:
    """Without their secrets."""
    return shown(Tokens(tokens(place, asker)))


@router.delete(
    "/tokens/{token_id}", status_code=204, responses=refusals(401, 404), summary="End a token"
)
def end_token(token_id: Number, place: Here, asker: Asker) -> Response:
    """One of one's own."""
    revoke_token(place, asker, token_id)
    return Response(status_code=204)


@router.get("/me", response_model=MeView, responses=refusals(401), summary="Who one is")
def who(place: Here, asker: Asker) -> Response:
    """Name and teams."""
    return shown(me(place, asker))
