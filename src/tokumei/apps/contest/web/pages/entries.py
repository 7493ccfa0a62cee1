"""Pages of the team's own uploads, with state, violations and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.contest.services import entries
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.entry_views import EntryView, StandingView, ViolationView
from tokumei.apps.contest.services.leaderboard import build_leaderboard
from tokumei.apps.contest.services.published_releases import get_public_file
from tokumei.apps.contest.web.charts import score_history_chart
from tokumei.apps.contest.web.formatting import score_tables
from tokumei.apps.contest.web.rendering import (
    file_download_response,
    find_own_team,
    redirect,
    render_contest_page,
    render_live_part,
)
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    FlashMessage,
    RequestContext,
    SmallForm,
)
from tokumei.core.errors import TokumeiError
from tokumei.core.language import language_context
from tokumei.core.messages import Message

router = APIRouter()
ENTRY_ACTIONS = {
    "publish": (
        entries.publish_release,
        FlashMessage(Message("Chosen: this release will be published and attacked.")),
    ),
    "unpublish": (entries.unpublish_release, FlashMessage(Message("It will not be published."))),
    "cancel": (entries.cancel_entry, FlashMessage(Message("Cancelled. It costs no submission."))),
}
PER_PAGE = 50
PLACES_NAMED = 5
"""So many places of each kind of fault are named."""


@router.get("/c/{slug}/entries")
def show_entries(visit: CurrentRequest, slug: str) -> Response:
    """All uploads of one's team."""
    team_entries = visit.ask(entries.list_team_entries, slug)
    with language_context(visit.lang):
        chart = score_history_chart(team_entries)
    return render_contest_page(
        visit,
        slug,
        "entries",
        title=Message("Entries", context="of a team"),
        releases=[entry for entry in team_entries if entry.kind == "release"],
        attacks=[entry for entry in team_entries if entry.kind == "attack"],
        waiting=any(not entry.settled for entry in team_entries),
        chart=chart,
        standings=_standings_by_entry(visit, slug),
    )


def _standings_by_entry(visit: RequestContext, slug: str) -> dict[str, StandingView]:
    """Releases on the board as the viewer sees it: attacks count there."""
    rows = visit.ask(build_leaderboard, slug).rows
    return {row.entry: row for row in rows if row.entry is not None}


@router.get("/c/{slug}/entries/{id}")
@router.get("/c/{slug}/attacks/{id}")
def show_entry(
    visit: CurrentRequest, slug: str, id: str, rule: str = "", text: str = "", page: int = 1
) -> Response:
    """One upload."""
    entry = visit.ask(entries.get_entry_view, slug, id)
    with language_context(visit.lang):
        faults = paginate_violations(entry.faults, rule=rule, text=text, page=page)
    return _entry_page(visit, slug, entry, faults)


@router.get("/c/{slug}/entries/{id}/state")
@router.get("/c/{slug}/attacks/{id}/state")
def show_state(visit: CurrentRequest, slug: str, id: str) -> Response:
    """Only where it stands, for the page that shows it."""
    entry = visit.ask(entries.get_entry_view, slug, id, faults=None)
    contest = visit.ask(get_contest_view, slug)
    return render_live_part(
        visit, "state.html", finished=entry.settled, entry=entry, contest=contest
    )


@router.get("/c/{slug}/entries/{id}/public")
def send_public(visit: CurrentRequest, slug: str, id: str) -> Response:
    """What others will see of a release."""
    visit.ask(entries.get_entry_view, slug, id)
    return file_download_response(visit.ask(get_public_file, slug, id))


@router.post("/c/{slug}/entries/{id}")
@router.post("/c/{slug}/attacks/{id}")
def change_entry(visit: CurrentRequest, slug: str, id: str, form: SmallForm) -> Response:
    """Publish, take back, cancel."""
    entry = visit.ask(entries.get_entry_view, slug, id)
    try:
        act, note = form.chosen(ENTRY_ACTIONS)
        visit.ask(act, slug, id)
    except TokumeiError as refusal:
        visit.refusal = refusal
        return _entry_page(visit, slug, entry, paginate_violations(entry.faults))
    return redirect(visit, visit.request.url.path, note)


def _entry_page(
    visit: RequestContext, slug: str, entry: EntryView, faults: ViolationPage
) -> Response:
    with language_context(visit.lang):
        figures = score_tables(entry.score.figures) if entry.score else []
    return render_contest_page(
        visit,
        slug,
        "entries" if find_own_team(visit, slug) else "console",
        template="entry.html",
        title=Message("Attack on {target_team}", target_team=entry.target_team)
        if entry.kind == "attack"
        else Message.verbatim(entry.label or entry.file_name),
        entry=entry,
        faults=faults,
        figures=figures,
        standing=_standings_by_entry(visit, slug).get(entry.id),
    )


@dataclass(frozen=True)
class ViolationGroup:
    """Faults of one rule in one column: how many, and where the first of them are."""

    rule: str
    column: str | None
    count: int
    places: Sequence[int]
    example: Message


@dataclass(frozen=True)
class ViolationPage:
    """The faults that were asked for, `shown` of `found`."""

    shown: Sequence[ViolationView]
    found: int
    rules: Sequence[tuple[str, int]]
    """Every rule and how often it was broken, the most often first."""
    groups: Sequence[ViolationGroup]
    rule: str
    text: str
    page: int
    pages: int


def _group_violations(faults: Sequence[ViolationView]) -> list[ViolationGroup]:
    """All faults by rule and column, the most frequent first."""
    groups: dict[tuple[str, str | None], list[ViolationView]] = {}
    for fault in faults:
        groups.setdefault((fault.rule, fault.column), []).append(fault)
    return [
        ViolationGroup(
            *key,
            len(group),
            [violation.line for violation in group[:PLACES_NAMED] if violation.line is not None],
            group[0].message,
        )
        for key, group in sorted(groups.items(), key=lambda item: -len(item[1]))
    ]


def paginate_violations(
    faults: Sequence[ViolationView], *, rule: str = "", text: str = "", page: int = 1
) -> ViolationPage:
    """One page of the faults of a rule that have a text in them, in the language in force."""
    search_text = text.casefold()
    matches = [
        fault
        for fault in faults
        if rule in ("", fault.rule) and search_text in _searchable_text(fault)
    ]
    pages = max(1, -(-len(matches) // PER_PAGE))
    page = min(max(1, page), pages)
    return ViolationPage(
        shown=matches[(page - 1) * PER_PAGE : page * PER_PAGE],
        found=len(matches),
        rules=Counter(fault.rule for fault in faults).most_common(),
        groups=_group_violations(faults),
        rule=rule,
        text=text,
        page=page,
        pages=pages,
    )


def _searchable_text(fault: ViolationView) -> str:
    return f"{fault.line or ''} {fault.column or ''} {fault.message.show()}".casefold()
