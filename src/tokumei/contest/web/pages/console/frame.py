"""What the console's pages share: organisers only, and the row of links between them."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from tokumei.contest.web.contest_page import contest_page
from tokumei.contest.web.visit import Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text

SECTIONS = {
    "queue": ("", Text("Queue", "採点待ち")),
    "teams": ("/teams", Text("Teams", "チーム")),
    "entries": ("/entries", Text("Entries", "提出")),
    "phases": ("/phases", Text("Phases", "日程")),
    "rejudge": ("/rejudge", Text("Judge again", "再採点・再検査")),
    "invites": ("/invites", Text("Invites", "招待コード")),
    "audit": ("/audit", Text("Audit log", "監査ログ")),
    "export": ("/export", Text("Export", "書き出し")),
}


def console_page(
    visit: Visit,
    slug: str,
    section: str,
    *,
    template: str = "",
    title: Text | None = None,
    refusal: TokumeiError | None = None,
    **shown: Any,
) -> Response:
    """A page of the console."""
    visit.viewer.require_organiser()
    return contest_page(
        visit,
        slug,
        template or f"console/{section}.html",
        here="console",
        title=title or SECTIONS[section][1],
        refusal=refusal,
        section=section,
        sections=SECTIONS,
        **shown,
    )
