"""Pages of all contests and of one contest: creation, rules, leaderboard, matrix."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.contest.services.contest_settings import list_attachments
from tokumei.apps.contest.services.contests import (
    get_contest_view,
    get_data_file,
    list_contests,
)
from tokumei.apps.contest.services.entry_views import StandingView
from tokumei.apps.contest.services.leaderboard import (
    build_attack_matrix,
    build_leaderboard,
    list_score_points,
)
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.contest.web.charts import attack_matrix_chart, utility_safety_chart
from tokumei.apps.contest.web.labels import (
    FEEDBACK,
    LEADERBOARD_VISIBILITY,
    QUOTAS,
)
from tokumei.apps.contest.web.rendering import (
    file_download_response,
    render_contest_page,
    render_page,
)
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    RequestContext,
)
from tokumei.core.language import language_context
from tokumei.core.messages import Message

router = APIRouter()
CONTEST_GROUPS = {
    "draft": Message("Drafts"),
    "running": Message("Running"),
    "coming": Message("Coming"),
    "over": Message("Ended"),
    "archived": Message("Archived"),
}
MOST_WINNERS = 3
UTILITY_LABELS = {
    "max": Message("the worst of all measures"),
    "mean": Message("the mean of all measures"),
    "min": Message("the best of all measures"),
}
SAFETY_LABELS = {
    "max": Message("the strongest attack, the judge's or another team's"),
    "mean": Message("the mean of the judge's attacks, or another team's attack that finds more"),
}
TOTAL_LABELS = {
    "mean": Message("mean of U and S"),
    "utility": Message("U alone"),
    "harmonic": Message("1 − the harmonic mean of 1 − U and 1 − S"),
    "product": Message.verbatim("1 − (1 − U) × (1 − S)"),
    "max": Message("the larger of U and S"),
    "min": Message("the smaller of U and S"),
}


@router.get("/")
def show_contests(visit: CurrentRequest) -> Response:
    """All contests."""
    title = Message("Useful data, unidentified people")
    views = visit.ask(list_contests)
    groups = [
        (name, label, [view for view in views if _contest_group(view) == name])
        for name, label in CONTEST_GROUPS.items()
    ]
    return render_page(visit, "contests.html", title=title, groups=groups, any=bool(views))


def _contest_group(contest: ContestView) -> str:
    if contest.stage != "open":
        return contest.stage
    return {"coming": "coming", "over": "over"}.get(contest.state, "running")


@router.get("/c/{slug}")
def show_contest(visit: CurrentRequest, slug: str) -> Response:
    """The contest's page."""
    contest = visit.ask(get_contest_view, slug)
    return render_contest_page(
        visit,
        slug,
        "home",
        title=contest.title,
        contest=contest,
        attachments=visit.ask(list_attachments, slug),
        rules=_rule_rows(contest),
        winners=_list_winners(visit, slug, contest),
        quotas=[(QUOTAS[name], value) for name, value in contest.quotas.items()],
    )


def _list_winners(visit: RequestContext, slug: str, contest: ContestView) -> list[StandingView]:
    """The first three of a finished contest, as far as the board may be seen."""
    if contest.state != "over":
        return []
    rows = visit.ask(build_leaderboard, slug).rows
    return [row for row in rows if row.rank is not None and row.rank <= MOST_WINNERS]


@router.get("/c/{slug}/data/{key}")
def send_data(visit: CurrentRequest, slug: str, key: str) -> Response:
    """A data file, for members of teams."""
    return file_download_response(visit.ask(get_data_file, slug, key))


def _rule_rows(contest: ContestView) -> list[tuple[Message, object]]:
    scoring = contest.scoring
    rows: list[tuple[Message, object]] = [
        (Message("Format"), contest.format),
        (Message("Utility U"), UTILITY_LABELS[str(scoring["combine_utility"])]),
        (Message("Safety S"), SAFETY_LABELS[str(scoring["combine_safety"])]),
        (Message("Total"), TOTAL_LABELS[str(scoring["total"])]),
    ]
    if contest.knowledge:
        shares = ", ".join(f"{share:g}" for share in contest.knowledge)
        rows.append((Message("Knowledge α"), shares))
    if scoring.get("gate"):
        unsafe = Message("rank after all others")
        rows.append((Message("Releases that fail the safety test"), unsafe))
    rows.append((Message("Attackers see results"), FEEDBACK[contest.feedback]))
    rows.append((Message("Leaderboard"), LEADERBOARD_VISIBILITY[contest.leaderboard]))
    return rows


@router.get("/c/{slug}/leaderboard")
def show_leaderboard(visit: CurrentRequest, slug: str) -> Response:
    """The teams in order, and their releases between utility and safety."""
    board = visit.ask(build_leaderboard, slug)
    dots = visit.ask(list_score_points, slug)
    with language_context(visit.lang):
        chart = utility_safety_chart(dots, {row.team: row.rank for row in board.rows})
    return render_contest_page(
        visit,
        slug,
        "leaderboard",
        title=Message("Leaderboard"),
        board=board,
        chart=chart,
        drafts=any(not dot.published for dot in dots),
    )


@router.get("/c/{slug}/matrix")
def show_matrix(visit: CurrentRequest, slug: str) -> Response:
    """Who found what in whose releases."""
    attack_matrix = visit.ask(build_attack_matrix, slug)
    tried = any(cell for row in attack_matrix.cells for cell in row)
    with language_context(visit.lang):
        chart = attack_matrix_chart(attack_matrix) if tried else None
    return render_contest_page(
        visit,
        slug,
        "matrix",
        title=Message("Attackers and defenders"),
        matrix=attack_matrix,
        tried=tried,
        chart=chart,
    )
