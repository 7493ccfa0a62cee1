"""Pages of all contests and of one contest: creation, rules, leaderboard, matrix."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.apps.contest.services.contest_settings import list_attachments
from tokumei.apps.contest.services.contests import (
    create_contest,
    get_contest_view,
    get_data_file,
    list_contests,
)
from tokumei.apps.contest.services.leaderboard import (
    build_attack_matrix,
    build_leaderboard,
    list_score_points,
)
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.contest.web.charts import attack_matrix_chart, utility_safety_chart
from tokumei.apps.contest.web.labels import FEEDBACK, LEADERBOARD_VISIBILITY, QUOTAS
from tokumei.apps.contest.web.rendering import (
    file_download_response,
    redirect,
    render_contest_page,
    render_page,
    script_error_response,
)
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    PostedForm,
    RequestContext,
    read_posted_form,
)
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message, language_context

router = APIRouter()
MOST_BYTES = 1_000_000_000
MOST_FILES = 50
CONTEST_GROUPS = {
    "draft": Message("Drafts"),
    "running": Message("Running"),
    "coming": Message("Coming"),
    "over": Message("Ended"),
    "archived": Message("Archived"),
}
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


async def _read_contest_form(request: Request, visit: CurrentRequest) -> PostedForm:
    def most() -> int:
        visit.viewer.require_server()
        return MOST_BYTES

    return await read_posted_form(request, visit, most=most, files=MOST_FILES)


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


@router.get("/contests/new")
def show_new_contest(visit: CurrentRequest) -> Response:
    """The form to make a contest."""
    visit.viewer.require_server()
    return _new_contest_page(visit)


@router.post("/contests/new")
def make_contest(
    visit: CurrentRequest, form: Annotated[PostedForm, Depends(_read_contest_form)]
) -> Response:
    """A contest from a zip, or from contest.yaml and its data files."""
    try:
        contest = _create_from_files(visit, form.files("files"), draft=form["draft"] == "yes")
    except TokumeiError as refusal:
        if visit.is_script_request:
            return script_error_response(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _new_contest_page(visit)
    return redirect(visit, f"/c/{contest.slug}", _created_message(contest))


def _created_message(contest: ContestView) -> FlashMessage:
    if contest.stage == "draft":
        return FlashMessage(Message("The draft is made; open it in the console, under Settings."))
    over = [phase for phase in contest.phases if phase.state == "over"]
    if not over:
        return FlashMessage(Message("The contest is open."))
    return FlashMessage(
        Message(
            "The contest is open, but {over} of its {phases} phases are over already.",
            over=len(over),
            phases=len(contest.phases),
        )
    )


def _new_contest_page(visit: RequestContext) -> Response:
    title, draft = Message("New contest"), visit.tried("draft") == "yes"
    return render_page(visit, "new_contest.html", title=title, most=MOST_BYTES, draft=draft)


def _create_from_files(
    visit: RequestContext, files: list[UploadFile], *, draft: bool
) -> ContestView:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for file in files:
            with (folder / _require_file_name(file)).open("wb") as copy:
                shutil.copyfileobj(file.file, copy)
        return visit.ask(create_contest, _contest_source(folder), draft=draft)


def _contest_source(folder: Path) -> Path:
    """The folder itself, or the zip that is alone in it."""
    paths = list(folder.iterdir())
    return paths[0] if len(paths) == 1 and paths[0].suffix.lower() == ".zip" else folder


def _require_file_name(file: UploadFile) -> str:
    """A name without any folder, as contest.yaml names files."""
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2]
    if not name or name.startswith(".") or not name.isprintable() or len(name) > 100:
        raise UnprocessableContent("a file has no usable name")
    return name


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
        quotas=[(QUOTAS[name], value) for name, value in contest.quotas.items()],
    )


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
