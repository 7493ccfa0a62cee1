"""Routes about teams."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tokumei.contest.api.asking import CHANGE, LOOK, Asker, Here, Number, Question, Slug
from tokumei.contest.api.routes import Routes
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

routes = Routes(prefix="/contests/{slug}", tags=["teams"])
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


@routes.post("/teams", "A new team", *CHANGE, status=201)
def new_team(slug: Slug, question: TeamQuestion, place: Here, asker: Asker) -> TeamView:
    """Its captain is who asks."""
    return create_team(place, asker, slug, question.name, code=question.code)


@routes.post("/teams/join", "Join a team", *CHANGE)
def join(slug: Slug, question: JoinQuestion, place: Here, asker: Asker) -> TeamView:
    """By its code."""
    return join_team(place, asker, slug, question.code)


@routes.get("/team", "One's own team", 401, 404)
def own_team(slug: Slug, place: Here, asker: Asker) -> TeamView:
    """Members and what the team may still do."""
    return my_team(place, asker, slug)


@routes.put("/team", "Rename the team (captain)", *CHANGE)
def rename(slug: Slug, question: NameQuestion, place: Here, asker: Asker) -> TeamView:
    """Names that look like another team's are refused."""
    return rename_team(place, asker, slug, question.name)


@routes.post("/team/invites", "A code to join the team (captain)", *LOOK, 422, status=201)
def team_code(slug: Slug, question: CodeQuestion, place: Here, asker: Asker) -> NewInviteView:
    """The code is shown this once."""
    return new_team_code(place, asker, slug, uses=question.uses, days=question.days)


@routes.post("/team/leave", "Leave the team", *LOOK, 409)
def leave(slug: Slug, place: Here, asker: Asker) -> None:
    """A captain names another one first."""
    leave_team(place, asker, slug)


@routes.post("/team/members/{account_id}/captain", "Name another captain (captain)", *LOOK)
def captain(slug: Slug, account_id: Number, place: Here, asker: Asker) -> TeamView:
    """A member of the team."""
    return make_captain(place, asker, slug, account_id)


@routes.delete("/team/members/{account_id}", "Send a member away (captain)", *LOOK, 409)
def send_away(slug: Slug, account_id: Number, place: Here, asker: Asker) -> TeamView:
    """Not the captain."""
    return remove_member(place, asker, slug, account_id)
