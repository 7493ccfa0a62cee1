"""The frame of all pages of a contest.

contest_page(visit, "cup", "team.html", here="team", title=Text("Team", "チーム"))
"""

from __future__ import annotations

from typing import Any

from starlette.responses import FileResponse, Response

from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.teams import my_team
from tokumei.contest.desk.views import ContestView, Download, TeamView
from tokumei.contest.web.render import page
from tokumei.contest.web.visit import Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound


def contest_page(
    visit: Visit,
    slug: str,
    template: str,
    *,
    here: str,
    title: Text,
    refusal: TokumeiError | None = None,
    contest: ContestView | None = None,
    **shown: Any,
) -> Response:
    """A page of a contest; `here` is its tab."""
    return page(
        visit,
        template,
        title=title,
        refusal=refusal,
        here=here,
        contest=contest or contest_of(visit.place, visit.viewer, slug),
        team=team_of(visit, slug),
        **shown,
    )


def team_of(visit: Visit, slug: str) -> TeamView | None:
    """The viewer's team in a contest, if any."""
    if visit.viewer.account_id is None:
        return None
    try:
        return my_team(visit.place, visit.viewer, slug)
    except NotFound:
        return None


def send_file(download: Download) -> Response:
    """A file to be saved, never shown; whatever its name says, no browser runs it."""
    return FileResponse(
        download.path, filename=download.name, media_type="application/octet-stream"
    )
