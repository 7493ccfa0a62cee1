"""The console, for organisers only: queue, teams, entries, phases, codes, audit log, export."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from tokumei.contest.desk.accounts import end_invite, invites, new_invite
from tokumei.contest.desk.console import (
    all_entries,
    all_teams,
    change_phase,
    restore_entry,
    retry_job,
    set_team,
    withdraw,
)
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.export import export_contest
from tokumei.contest.desk.passwords import new_reset
from tokumei.contest.desk.watch import audit, judge_state, queue
from tokumei.contest.web.actions import GROUPS
from tokumei.contest.web.figures import from_field
from tokumei.contest.web.render import contest_page, form_page, go, part
from tokumei.contest.web.visit import Form, Here, Note, Posted, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Wrong

router = APIRouter()
PER_PAGE = 100
SECTIONS = {
    "queue": ("", Text("Queue", "採点待ち")),
    "teams": ("/teams", Text("Teams", "チーム")),
    "entries": ("/entries", Text("Entries", "提出")),
    "phases": ("/phases", Text("Phases", "日程")),
    "settings": ("/settings", Text("Settings", "設定")),
    "files": ("/files", Text("Files", "添付ファイル")),
    "rejudge": ("/rejudge", Text("Judge again", "再採点・再検査")),
    "invites": ("/invites", Text("Invites", "招待コード")),
    "organisers": ("/organisers", Text("Organisers", "主催者")),
    "collusion": ("/collusion", Text("Collusion", "結託の手がかり")),
    "audit": ("/audit", Text("Audit log", "監査ログ")),
    "export": ("/export", Text("Export", "書き出し")),
}
CHANGES: dict[str, tuple[dict[str, bool], Text]] = {
    "hide": ({"hidden": True}, Text("is hidden", "を非公開にしました")),
    "show": ({"hidden": False}, Text("is shown again", "を公開に戻しました")),
    "ban": ({"banned": True}, Text("is banned", "を参加停止にしました")),
    "unban": ({"banned": False}, Text("may take part again", "の参加停止を解きました")),
}


ENTRY_CHANGES = {
    "withdraw": (withdraw, Text("is withdrawn", "を取り下げました")),
    "restore": (restore_entry, Text("takes part again", "の取り下げを取り消しました")),
}


def console_page(
    visit: Visit,
    slug: str,
    section: str,
    *,
    template: str = "",
    title: Text | None = None,
    **shown: Any,
) -> Response:
    """A page of the console."""
    visit.viewer.require_organiser()
    return contest_page(
        visit,
        slug,
        "console",
        template=template or f"console/{section}.html",
        title=title or SECTIONS[section][1],
        section=section,
        sections=SECTIONS,
        judge=visit.ask(judge_state, slug),
        **shown,
    )


def _queue_page(visit: Visit, slug: str) -> Response:
    """What is judged and what waits."""
    return console_page(visit, slug, "queue", queue=visit.ask(queue, slug))


def _retry(visit: Visit, slug: str, form: Form) -> Note:
    """Have a failed upload judged again."""
    visit.ask(retry_job, slug, form.number("job"))
    return Note("It is judged again.", "採点をやり直します。")


form_page(router, "/c/{slug}/console", _queue_page, _retry)


@router.get("/c/{slug}/console/queue")
def show_queue_alone(visit: Here, slug: str) -> Response:
    """The same, for the page that shows it."""
    shown = {"queue": visit.ask(queue, slug), "contest": visit.ask(contest_of, slug)}
    return part(visit, "console/jobs.html", finished=False, **shown)


@router.get("/c/{slug}/console/audit")
def show_audit(
    visit: Here, slug: str, before: int | None = None, who: str = "", what: str = ""
) -> Response:
    """What was done by whom; of one person, of one kind."""
    kind = what if what in GROUPS else ""
    found = visit.ask(audit, slug, before=before, who=who, action=kind)
    chosen = {"who": who, "what": kind}
    shown: dict[str, Any] = {"audit": found, "before": before, "groups": GROUPS, "chosen": chosen}
    return console_page(visit, slug, "audit", **shown, kept=urlencode(chosen))


@router.get("/c/{slug}/console/export")
def show_export(visit: Here, slug: str) -> Response:
    """What an export holds."""
    return console_page(visit, slug, "export")


@router.get("/c/{slug}/console/export.zip")
def send_export(visit: Here, slug: str) -> Response:
    """Everything in one zip."""
    download = visit.ask(export_contest, slug)
    remove = BackgroundTask(download.path.unlink, missing_ok=True)
    return FileResponse(
        download.path, filename=download.name, media_type="application/zip", background=remove
    )


def _phases_page(visit: Visit, slug: str) -> Response:
    return console_page(visit, slug, "phases", typed=visit.typed)


def _move_phase(visit: Visit, slug: str, form: Form) -> Note:
    minutes = visit.ask(contest_of, slug).offset_minutes
    times = {name: _time(form, name, minutes) for name in ("starts", "ends")}
    visit.ask(change_phase, slug, form.number("phase"), reason=form["reason"], **times)
    return Note("The phase has new times.", "日程を変更しました。")


form_page(router, "/c/{slug}/console/phases", _phases_page, _move_phase)


@router.post("/c/{slug}/console/entries")
def withdraw_entry(visit: Here, slug: str, form: Posted) -> Response:
    """Take an entry out of the contest, or back in."""
    visit.viewer.require_organiser()
    try:
        change, done = form.chosen(ENTRY_CHANGES)
        team = visit.ask(change, slug, form["entry"], form["reason"]).team
    except TokumeiError as refusal:
        visit.refusal, visit.typed = refusal, form
        return show_entries(visit, slug, form["text"], form.number_or("page", 1))
    note = Note(f"An entry of “{team}” {done.en}.", f"「{team}」の提出{done.ja}。")
    there = urlencode({"text": form["text"], "page": form.number_or("page", 1)})
    return go(visit, f"/c/{slug}/console/entries?{there}", note)


def _time(form: Form, name: str, minutes: int) -> datetime:
    try:
        return from_field(form[name], minutes=minutes)
    except ValueError:
        raise Wrong("a time is missing or wrong", "日時が正しくありません") from None


@router.get("/c/{slug}/console/entries")
def show_entries(visit: Here, slug: str, text: str = "", page: int = 1) -> Response:
    """All entries of all teams."""
    wanted = text.casefold()
    found = [
        entry
        for entry in visit.ask(all_entries, slug)
        if wanted in f"{entry.team} {entry.label} {entry.file_name} {entry.id}".casefold()
    ]
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(max(1, page), pages)
    return console_page(
        visit,
        slug,
        "entries",
        typed=visit.typed,
        entries=found[(page - 1) * PER_PAGE : page * PER_PAGE],
        found=len(found),
        text=text,
        number=page,
        pages=pages,
    )


def _teams_page(visit: Visit, slug: str) -> Response:
    found = visit.ask(all_teams, slug)
    return console_page(visit, slug, "teams", teams=found, typed=visit.typed)


def _change_team(visit: Visit, slug: str, form: Form) -> Note:
    """Hide or ban a team, or take it back."""
    change, done = form.chosen(CHANGES)
    team = visit.ask(set_team, slug, form.number("team"), reason=form["reason"], **change)
    return Note(f"“{team.name}” {done.en}.", f"「{team.name}」{done.ja}。")


form_page(router, "/c/{slug}/console/teams", _teams_page, _change_team)


def _invites_page(visit: Visit, slug: str) -> Response:
    found = visit.ask(invites, slug)
    return console_page(visit, slug, "invites", invites=found, typed=visit.typed)


def _make(visit: Visit, slug: str, form: Form) -> Note:
    kinds: dict[str, Literal["register", "organiser"]]
    kinds = {"register": "register", "organiser": "organiser"}
    kind = form.chosen(kinds, "kind")
    made = visit.ask(
        new_invite,
        kind,
        slug=slug if kind == "register" else None,
        uses=form.number("uses"),
        days=form.number("days"),
    )
    return Note(
        f"New code (uses: {made.uses}). Copy it now, it is not shown again.",
        f"新しいコード（{made.uses} 人まで）。再表示できないので、今コピーしてください。",
        made.code,
    )


def _reset(visit: Visit, slug: str, form: Form) -> Note:
    made = visit.ask(new_reset, slug, form["name"])
    return Note(
        f"A link for “{made.name}”, valid for 24 hours. Copy it now, it is not shown again.",
        f"「{made.name}」の再設定用リンク（24 時間有効）。再表示できないので、"
        "今コピーしてください。",
        f"{visit.server}/reset?code={made.code}",
    )


def _end(visit: Visit, _: str, form: Form) -> Note:
    visit.ask(end_invite, form.number("id"))
    return Note("The code is no longer valid.", "コードを無効にしました。")


form_page(
    router,
    "/c/{slug}/console/invites",
    _invites_page,
    {"make": _make, "end": _end, "reset": _reset},
)
