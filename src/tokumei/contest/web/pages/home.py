"""All contests, making one, and what everybody may see of each: its rules, leaderboard, matrix."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.board import leaderboard, matrix, points
from tokumei.contest.desk.contests import contest_of, contests, create_contest, data_file
from tokumei.contest.desk.settings import attachments
from tokumei.contest.desk.views import ContestView
from tokumei.contest.web.charts import heat_chart, plane_chart
from tokumei.contest.web.render import contest_page, go, page, refused, send_file
from tokumei.contest.web.visit import Form, Here, Note, Visit, read_form
from tokumei.contest.web.words import FEEDBACK, QUOTAS, VISIBLE
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text, language
from tokumei.http.refusals import Wrong

router = APIRouter()
MOST_BYTES = 1_000_000_000
MOST_FILES = 50
GROUPS = {
    "draft": Text("Drafts", "下書き"),
    "running": Text("Running", "開催中"),
    "coming": Text("Coming", "開催予定"),
    "over": Text("Ended", "終了"),
    "archived": Text("Archived", "保管"),
}
UTILITY = {
    "max": Text("the worst of all measures", "全指標のうち最も悪い値"),
    "mean": Text("the mean of all measures", "全指標の平均"),
    "min": Text("the best of all measures", "全指標のうち最も良い値"),
}
SAFETY = {
    "max": Text(
        "the strongest attack, the judge's or another team's",
        "審判と他チームの攻撃のうち最も強いもの",
    ),
    "mean": Text(
        "the mean of the judge's attacks, or another team's attack that finds more",
        "審判の攻撃の平均。他チームの攻撃がそれを上回ればその値",
    ),
}
TOTALS = {
    "mean": Text("mean of U and S", "U と S の平均"),
    "utility": Text("U alone", "U のみ"),
    "harmonic": Text("1 − the harmonic mean of 1 − U and 1 − S", "1 − (1 − U と 1 − S の調和平均)"),
    "product": Text("1 − (1 − U) × (1 − S)", "1 − (1 − U) × (1 − S)"),
    "max": Text("the larger of U and S", "U と S の大きい方"),
    "min": Text("the smaller of U and S", "U と S の小さい方"),
}


async def _sent(request: Request, visit: Here) -> Form:
    def most() -> int:
        visit.viewer.require_server()
        return MOST_BYTES

    return await read_form(request, visit, most=most, files=MOST_FILES)


@router.get("/")
def show_contests(visit: Here) -> Response:
    """All contests."""
    title = Text("Useful data, unidentified people", "使えるデータを、誰のものか分からない形で")
    found = visit.ask(contests)
    groups = [
        (name, label, [one for one in found if _group(one) == name])
        for name, label in GROUPS.items()
    ]
    return page(visit, "contests.html", title=title, groups=groups, any=bool(found))


def _group(contest: ContestView) -> str:
    if contest.stage != "open":
        return contest.stage
    return {"coming": "coming", "over": "over"}.get(contest.state, "running")


@router.get("/contests/new")
def show_new(visit: Here) -> Response:
    """The form to make a contest."""
    visit.viewer.require_server()
    return _new_page(visit)


@router.post("/contests/new")
def make_contest(visit: Here, form: Annotated[Form, Depends(_sent)]) -> Response:
    """A contest from a zip, or from contest.yaml and its data files."""
    try:
        made = _make(visit, form.files("files"), draft=form["draft"] == "yes")
    except TokumeiError as refusal:
        if visit.by_script:
            return refused(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _new_page(visit)
    return go(visit, f"/c/{made.slug}", _opened(made))


def _opened(made: ContestView) -> Note:
    if made.stage == "draft":
        return Note(
            "The draft is made; open it in the console, under Settings.",
            "下書きを作りました。運営の「設定」で公開できます。",
        )
    over = [phase for phase in made.phases if phase.state == "over"]
    if not over:
        return Note("The contest is open.", "コンテストを開きました。")
    return Note(
        f"The contest is open, but {len(over)} of its {len(made.phases)} phases are over already.",
        f"コンテストを開きましたが、{len(made.phases)} 期間のうち {len(over)} 期間は"
        "すでに終わっています。",
    )


def _new_page(visit: Visit) -> Response:
    title, draft = Text("New contest", "コンテストを作る"), visit.tried("draft") == "yes"
    return page(visit, "new_contest.html", title=title, most=MOST_BYTES, draft=draft)


def _make(visit: Visit, files: list[UploadFile], *, draft: bool) -> ContestView:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for file in files:
            with (folder / _file_name(file)).open("wb") as copy:
                shutil.copyfileobj(file.file, copy)
        return visit.ask(create_contest, _source(folder), draft=draft)


def _source(folder: Path) -> Path:
    """The folder itself, or the zip that is alone in it."""
    found = list(folder.iterdir())
    return found[0] if len(found) == 1 and found[0].suffix.lower() == ".zip" else folder


def _file_name(file: UploadFile) -> str:
    """A name without any folder, as contest.yaml names files."""
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2]
    if not name or name.startswith(".") or not name.isprintable() or len(name) > 100:
        raise Wrong("a file has no usable name", "ファイル名が使えません")
    return name


@router.get("/c/{slug}")
def show_contest(visit: Here, slug: str) -> Response:
    """The contest's page."""
    contest = visit.ask(contest_of, slug)
    return contest_page(
        visit,
        slug,
        "home",
        title=contest.title,
        contest=contest,
        attachments=visit.ask(attachments, slug),
        rules=_rules(contest),
        quotas=[(QUOTAS[name], f"{value:,}") for name, value in contest.quotas.items()],
    )


@router.get("/c/{slug}/data/{key}")
def send_data(visit: Here, slug: str, key: str) -> Response:
    """A data file, for members of teams."""
    return send_file(visit.ask(data_file, slug, key))


def _rules(contest: ContestView) -> list[tuple[Text, object]]:
    scoring = contest.scoring
    rows: list[tuple[Text, object]] = [
        (Text("Format", "形式"), contest.format),
        (Text("Utility U", "有用性 U"), UTILITY[scoring["combine_utility"]]),
        (Text("Safety S", "安全性 S"), SAFETY[scoring["combine_safety"]]),
        (Text("Total", "総合"), TOTALS[scoring["total"]]),
    ]
    if contest.knowledge:
        shares = ", ".join(f"{share:g}" for share in contest.knowledge)
        rows.append((Text("Knowledge α", "背景知識 α"), shares))
    if scoring.get("gate"):
        unsafe = Text("rank after all others", "基準を満たすものより下位")
        rows.append(
            (Text("Releases that fail the safety test", "安全性の基準を満たさないもの"), unsafe)
        )
    rows.append((Text("Attackers see results", "攻撃結果の表示"), FEEDBACK[contest.feedback]))
    rows.append((Text("Leaderboard", "順位表"), VISIBLE[contest.leaderboard]))
    return rows


@router.get("/c/{slug}/leaderboard")
def show_leaderboard(visit: Here, slug: str) -> Response:
    """The teams in order, and their releases between utility and safety."""
    board = visit.ask(leaderboard, slug)
    dots = visit.ask(points, slug)
    with language(visit.lang):
        chart = plane_chart(dots, {row.team: row.rank for row in board.rows})
    return contest_page(
        visit,
        slug,
        "leaderboard",
        title=Text("Leaderboard", "順位表"),
        board=board,
        chart=chart,
        drafts=any(not dot.published for dot in dots),
    )


@router.get("/c/{slug}/matrix")
def show_matrix(visit: Here, slug: str) -> Response:
    """Who found what in whose releases."""
    found = visit.ask(matrix, slug)
    tried = any(cell for row in found.cells for cell in row)
    with language(visit.lang):
        chart = heat_chart(found) if tried else None
    return contest_page(
        visit,
        slug,
        "matrix",
        title=Text("Attackers and defenders", "攻撃と防御の対戦表"),
        matrix=found,
        tried=tried,
        chart=chart,
    )
