"""Judging again, or checking the rules again: first what it would change, then the change."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk.console import withdraw
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.rejudging import apply_run, recheck, rejudge, run_of, runs
from tokumei.contest.desk.watch import put_files_back, use_files
from tokumei.contest.web.pages.console import console_page
from tokumei.contest.web.render import form_page, go, part
from tokumei.contest.web.visit import Form, Here, Note, Visit
from tokumei.core.text import Text

router = APIRouter()
FILES = {
    "put-back": (
        put_files_back,
        Note(
            "The files are those of the judge in force.", "ファイルを有効な審判のものに戻しました。"
        ),
    ),
    "use": (
        use_files,
        Note("The changed files are in force.", "変更したファイルを有効にしました。"),
    ),
}
TITLES = {
    "rejudge": Text("Judging again", "再採点"),
    "recheck": Text("Checking rules again", "規則の再検査"),
}


def _begin(visit: Visit, slug: str, form: Form) -> Note | Response:
    """Begin a run, which changes nothing yet; or settle which files count."""
    if form["do"] in FILES:
        change, done = FILES[form["do"]]
        visit.ask(change, slug)
        return done
    begin = form.chosen({"rejudge": rejudge, "recheck": recheck})
    return go(visit, f"/c/{slug}/console/rejudge/{visit.ask(begin, slug).run}")


@router.get("/c/{slug}/console/rejudge/{run}/state")
def show_run_state(visit: Here, slug: str, run: str) -> Response:
    """How far it is, for the page that shows it."""
    diff = visit.ask(run_of, slug, run)
    contest = visit.ask(contest_of, slug)
    return part(visit, "console/run_state.html", finished=diff.ready, diff=diff, contest=contest)


def _apply(visit: Visit, slug: str, run: str, _: Form) -> Note:
    visit.ask(apply_run, slug, run)
    return Note(
        "The new scores are now in force; the old ones are kept.",
        "新しいスコアを有効にしました。以前のスコアも保存されています。",
    )


def _withdraw(visit: Visit, slug: str, _: str, form: Form) -> Note:
    gone = visit.ask(withdraw, slug, form["entry"], form["reason"])
    return Note(
        f"An entry of “{gone.team}” is withdrawn.", f"「{gone.team}」の提出を取り下げました。"
    )


def _runs_page(visit: Visit, slug: str) -> Response:
    """All runs, and the buttons to begin one."""
    found = visit.ask(runs, slug)
    return console_page(visit, slug, "rejudge", runs=found, titles=TITLES)


def _run_page(visit: Visit, slug: str, run: str) -> Response:
    """What a run found."""
    diff = visit.ask(run_of, slug, run)
    return console_page(
        visit,
        slug,
        "rejudge",
        template="console/run.html",
        title=TITLES[diff.kind],
        diff=diff,
        changed=[row for row in diff.rows if row.changed or row.now_rejected or row.error],
    )


form_page(router, "/c/{slug}/console/rejudge", _runs_page, _begin)
form_page(
    router, "/c/{slug}/console/rejudge/{run}", _run_page, {"apply": _apply, "withdraw": _withdraw}
)
