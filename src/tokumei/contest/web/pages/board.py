"""What everybody may see: the leaderboard, the plot, the matrix."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk.board import leaderboard, matrix, points
from tokumei.contest.web.charts.heat import heat_chart
from tokumei.contest.web.charts.plane import plane_chart
from tokumei.contest.web.contest_page import contest_page
from tokumei.contest.web.visit import Here
from tokumei.core.text import Text, language

router = APIRouter()


@router.get("/c/{slug}/leaderboard")
def show_leaderboard(visit: Here, slug: str) -> Response:
    """The teams in order, and their releases between utility and safety."""
    board = leaderboard(visit.place, visit.viewer, slug)
    dots = points(visit.place, visit.viewer, slug)
    with language(visit.lang):
        chart = plane_chart(dots, {row.team: row.rank for row in board.rows})
    return contest_page(
        visit,
        slug,
        "leaderboard.html",
        here="leaderboard",
        title=Text("Leaderboard", "順位表"),
        board=board,
        chart=chart,
        drafts=any(not dot.published for dot in dots),
    )


@router.get("/c/{slug}/matrix")
def show_matrix(visit: Here, slug: str) -> Response:
    """Who found what in whose releases."""
    found = matrix(visit.place, visit.viewer, slug)
    tried = any(cell for row in found.cells for cell in row)
    with language(visit.lang):
        chart = heat_chart(found) if tried else None
    return contest_page(
        visit,
        slug,
        "matrix.html",
        here="matrix",
        title=Text("Attackers and defenders", "攻撃と防御の対戦表"),
        matrix=found,
        tried=tried,
        chart=chart,
    )
