"""Renders an audit as one HTML page that works offline, in every language.

    result = tk.audit(release, members=m, control=c)
    Path("audit.html").write_text(render_audit(result), encoding="utf-8")

Its first screen answers every question in people. No value of a person is shown, and the same input
gives the same bytes.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.html import render_page
from tokumei.tables.audit.audit import Audit
from tokumei.tables.report.audit_sentences import (
    ATTACKER_MODELS,
    audit_verdicts,
    untried_attacks,
)

TITLE = Message("What a release reveals about people")


def render_audit(result: Audit, *, title: Message | None = None, lang: Language = "en") -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "audit/page.html",
        home="tokumei.tables.report",
        lang=lang,
        title=title or TITLE,
        data={},
        charts=False,
        styles=["audit/audit.css"],
        found=result,
        verdicts=audit_verdicts(result),
        model=ATTACKER_MODELS[result.model],
        not_tried=untried_attacks(result),
        version=__version__,
    )
