"""Routes about teams."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from tokumei.contest.api.asking import Asker, Here, Number, Question, Slug, refusals, shown
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
from tokumei.contest.desk.views import NewInviteView, TeamView

router = APIRouter(prefix="/contests/{slug}", tags=["teams"])
Name = Annotated[str, Field(max_length=200)]
Code = Annotated[str, Field(max_length=100)]


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


@router.post(
    "/teams",
    response_model=TeamView,
    status_code=201,
    responses=refusals(401, 403, 404, 409, 422),
    summary="A new team",
)
def new_team(slug: Slug, question: TeamQuestion, place: Here, asker: Asker) -> Response:
    """Its captain is who asks."""
    return shown(create_team(place, asker, slug, question.name, code=question.code), 201)


@router.post(
    "/teams/join",
    response_model=TeamView,
    responses=refusals(401, 403, 404, 409, 422),
    summary="Join a team",
)
def join(slug: Slug, question: JoinQuestion, place: Here, asker: Asker) -> Response:
    """By its code."""
    return shown(join_team(place, asker, slug, question.code))


@router.get(
    "/team", response_model=TeamView, responses=refusals(401, 404), summary="One's own team"
)
def own_team(slug: Slug, place: Here, asker: Asker) -> Response:
    """Members and what the team may still do."""
    return shown(my_team(place, asker, slug))


@router.put(
    "/team",
    response_model=TeamView,
    responses=refusals(401, 403, 404, 409, 422),
    summary="Rename the team (captain)",
)
def rename(slug: Slug, question: NameQuestion, place: Here, asker: Asker) -> Response:
    """Names that look like another team's are refused."""
    return shown(rename_team(place, asker, slug, question.name))


@router.post(
    "/team/invites",
    response_model=NewInviteView,
    status_code=201,
    responses=refusals(401, 403, 404, 422),
    summary="A code to join the team (captain)",
)
def team_code(slug: Slug, question: CodeQuestion, place: Here, asker: Asker) -> Response:
    """The code is shown this once."""
    made = new_team_code(place, asker, slug, uses=question.uses, days=question.days)
    return shown(made, 201)


@router.post(
    "/team/leave",
    status_code=204,
    responses=refusals(401, 403, 404, 409),
    summary="Leave the team",
)
def leave(slug: Slug, place: Here, asker: Asker) -> Response:
    """A captain names another one first."""
    leave_team(place, asker, slug)
    return Response(status_code=204)


@router.post(
    "/team/members/{account_id}/captain",
    response_model=TeamView,
    responses=refusals(401, 403, 404),
    summary="Name another captain (captain)",
)
def captain(slug: Slug, account_id: Number, place: Here, asker: Asker) -> Response:
    """A member of the team."""
    return shown(make_captain(place, asker, slug, account_id))


@router.delete(
    "/team/members/{account_id}",
    response_model=TeamView,
    responses=refusals(401, 403, 404, 409),
    summary="Send a member away (captain)",
)
def send_away(slug: Slug, account_id: Number, place: Here, asker: Asker) -> Response:
    """Not the captain."""
    return shown(remove_member(place, asker, slug, account_id))
