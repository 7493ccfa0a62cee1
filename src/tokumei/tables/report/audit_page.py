"""An audit as one HTML page that works offline, in English and Japanese.

    found = tk.audit(release, members=m, control=c)
    Path("audit.html").write_text(render_audit(found), encoding="utf-8")

Its first screen answers every question in people. No value of a person is shown, and the same input
gives the same bytes.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.core.text import Language, Text
from tokumei.report.html import render_page
from tokumei.tables.audit.audit import Audit
from tokumei.tables.report.audit_words import MODELS, not_tried, signed, signed_range, verdicts

TITLE = Text("What a release tells about people", "公開データから個人について分かること")


def render_audit(found: Audit, *, title: Text | None = None, lang: Language = "en") -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "audit/page.html",
        home="tokumei.tables.report",
        lang=lang,
        title=title or TITLE,
        data={},
        charts=False,
        styles=["audit/audit.css"],
        found=found,
        verdicts=verdicts(found),
        model=MODELS[found.model],
        not_tried=not_tried(found),
        signed=signed,
        signed_range=signed_range,
        version=__version__,
    )
