"""Routes of organisers about invite codes."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from tokumei.contest.api.answers import Invites
from tokumei.contest.api.asking import Asker, Here, Number, Question, Slug, refusals, shown
from tokumei.contest.desk.invites import end_invite, invites, new_invite
from tokumei.contest.desk.views import NewInviteView

router = APIRouter(prefix="/contests/{slug}/admin", tags=["organisers"])
LOOK = refusals(401, 403, 404)
CHANGE = refusals(401, 403, 404, 409, 422)


class InviteQuestion(Question):
    """A code for this contest (`register`) or for organisers of the server (`organiser`)."""

    kind: Literal["register", "organiser"] = "register"
    uses: Annotated[int, Field(ge=1, le=10_000)] = 1
    days: Annotated[int, Field(ge=1, le=3650)] = 30


@router.get("/invites", response_model=Invites, responses=LOOK, summary="All codes")
def see_invites(slug: Slug, place: Here, asker: Asker) -> Response:
    """Without their secrets."""
    return shown(Invites(invites(place, asker, slug)))


@router.post(
    "/invites",
    response_model=NewInviteView,
    status_code=201,
    responses=CHANGE,
    summary="A new code",
)
def make_invite(slug: Slug, question: InviteQuestion, place: Here, asker: Asker) -> Response:
    """The code is shown this once."""
    kind = question.kind
    bound = slug if kind == "register" else None
    made = new_invite(place, asker, kind, slug=bound, uses=question.uses, days=question.days)
    return shown(made, 201)


@router.delete(
    "/invites/{invite_id}", status_code=204, responses=LOOK, summary="Make a code useless"
)
def no_invite(slug: Slug, invite_id: Number, place: Here, asker: Asker) -> Response:
    """Who used it stays."""
    end_invite(place, asker, invite_id)
    return Response(status_code=204)
