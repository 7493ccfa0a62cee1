"""One's uploads: all of them, and each with its state, faults and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk import entries
from tokumei.contest.desk.board import leaderboard
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.entry_views import EntryView, FaultView, StandingView
from tokumei.contest.desk.published import public_file
from tokumei.contest.web.charts import history_chart
from tokumei.contest.web.figures import score_tables
from tokumei.contest.web.render import contest_page, go, part, send_file, team_of
from tokumei.contest.web.visit import Here, Note, Posted, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text, language

router = APIRouter()
ACTIONS = {
    "publish": (
        entries.publish,
        Note(
            "Chosen: this release will be published and attacked.",
            "この匿名加工データを公開対象に選びました。",
        ),
    ),
    "unpublish": (entries.unpublish, Note("It will not be published.", "公開対象から外しました。")),
    "cancel": (
        entries.cancel,
        Note("Cancelled. It costs no submission.", "取り消しました。提出回数には数えません。"),
    ),
}
PER_PAGE = 50
FIRST = 5
"""So many places of each kind of fault are named."""


@router.get("/c/{slug}/entries")
def show_entries(visit: Here, slug: str) -> Response:
    """All uploads of one's team."""
    found = visit.ask(entries.my_entries, slug)
    with language(visit.lang):
        chart = history_chart(found)
    return contest_page(
        visit,
        slug,
        "entries",
        title=Text("Entries", "提出履歴"),
        releases=[entry for entry in found if entry.kind == "release"],
        attacks=[entry for entry in found if entry.kind == "attack"],
        waiting=any(not entry.settled for entry in found),
        chart=chart,
        standings=_standings(visit, slug),
    )


def _standings(visit: Visit, slug: str) -> dict[str, StandingView]:
    """Releases on the board as the viewer sees it: attacks count there."""
    rows = visit.ask(leaderboard, slug).rows
    return {row.entry: row for row in rows if row.entry is not None}


@router.get("/c/{slug}/entries/{id}")
@router.get("/c/{slug}/attacks/{id}")
def show_entry(
    visit: Here, slug: str, id: str, rule: str = "", text: str = "", page: int = 1
) -> Response:
    """One upload."""
    entry = visit.ask(entries.entry_of, slug, id)
    with language(visit.lang):
        faults = fault_page(entry.faults, rule=rule, text=text, page=page)
    return _page(visit, slug, entry, faults)


@router.get("/c/{slug}/entries/{id}/state")
@router.get("/c/{slug}/attacks/{id}/state")
def show_state(visit: Here, slug: str, id: str) -> Response:
    """Only where it stands, for the page that shows it."""
    entry = visit.ask(entries.entry_of, slug, id, faults=None)
    contest = visit.ask(contest_of, slug)
    return part(visit, "state.html", finished=entry.settled, entry=entry, contest=contest)


@router.get("/c/{slug}/entries/{id}/public")
def send_public(visit: Here, slug: str, id: str) -> Response:
    """What others will see of a release."""
    visit.ask(entries.entry_of, slug, id)
    return send_file(visit.ask(public_file, slug, id))


@router.post("/c/{slug}/entries/{id}")
@router.post("/c/{slug}/attacks/{id}")
def change_entry(visit: Here, slug: str, id: str, form: Posted) -> Response:
    """Publish, take back, cancel."""
    entry = visit.ask(entries.entry_of, slug, id)
    try:
        act, note = form.chosen(ACTIONS)
        visit.ask(act, slug, id)
    except TokumeiError as refusal:
        visit.refusal = refusal
        return _page(visit, slug, entry, fault_page(entry.faults))
    return go(visit, visit.request.url.path, note)


def _page(visit: Visit, slug: str, entry: EntryView, faults: FaultPage) -> Response:
    with language(visit.lang):
        figures = score_tables(entry.score.figures) if entry.score else []
    return contest_page(
        visit,
        slug,
        "entries" if team_of(visit, slug) else "console",
        template="entry.html",
        title=Text(f"Attack on {entry.target_team}", f"{entry.target_team} への攻撃")
        if entry.kind == "attack"
        else Text(entry.label or entry.file_name, entry.label or entry.file_name),
        entry=entry,
        faults=faults,
        figures=figures,
        standing=_standings(visit, slug).get(entry.id),
    )


@dataclass(frozen=True)
class FaultGroup:
    """Faults of one rule in one column: how many, and where the first of them are."""

    rule: str
    column: str | None
    count: int
    places: Sequence[int]
    example: Text


@dataclass(frozen=True)
class FaultPage:
    """The faults that were asked for, `shown` of `found`."""

    shown: Sequence[FaultView]
    found: int
    rules: Sequence[tuple[str, int]]
    """Every rule and how often it was broken, the most often first."""
    groups: Sequence[FaultGroup]
    rule: str
    text: str
    page: int
    pages: int


def _groups(faults: Sequence[FaultView]) -> list[FaultGroup]:
    """All faults by rule and column, the most frequent first."""
    held: dict[tuple[str, str | None], list[FaultView]] = {}
    for fault in faults:
        held.setdefault((fault.rule, fault.column), []).append(fault)
    return [
        FaultGroup(
            *key,
            len(group),
            [one.line for one in group[:FIRST] if one.line is not None],
            group[0].message,
        )
        for key, group in sorted(held.items(), key=lambda item: -len(item[1]))
    ]


def fault_page(
    faults: Sequence[FaultView], *, rule: str = "", text: str = "", page: int = 1
) -> FaultPage:
    """One page of the faults of a rule that have a text in them, in the language in force."""
    wanted = text.casefold()
    found = [fault for fault in faults if rule in ("", fault.rule) and wanted in _written(fault)]
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(max(1, page), pages)
    return FaultPage(
        shown=found[(page - 1) * PER_PAGE : page * PER_PAGE],
        found=len(found),
        rules=Counter(fault.rule for fault in faults).most_common(),
        groups=_groups(faults),
        rule=rule,
        text=text,
        page=page,
        pages=pages,
    )


def _written(fault: FaultView) -> str:
    return f"{fault.line or ''} {fault.column or ''} {fault.message.show()}".casefold()
