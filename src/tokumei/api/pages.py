"""Implements `tk.render`: a result as one HTML page that works offline, in every language.

    risk = tk.risk(people)
    Path("risk.html").write_text(tk.render(risk, lang="ja"), encoding="utf-8")

The same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.conformity.assessment import Conformity
from tokumei.conformity.page import render_conformity
from tokumei.core.errors import UsageError
from tokumei.core.messages import Language, Message
from tokumei.tables.audit.audit import Audit
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.audit_page import render_audit
from tokumei.tables.report.report_page import render_report
from tokumei.tables.report.risk_page import render_risk_report
from tokumei.tables.risk.risk import Risk


def render(
    found: Risk | Audit | Conformity | Sequence[Evaluation],
    *,
    title: Message | None = None,
    lang: Language = "en",
) -> str:
    """The page about a risk, audit, conformity, or evaluated releases; opens in `lang`."""
    if isinstance(found, Risk):
        return render_risk_report(found, title=title, lang=lang)
    if isinstance(found, Audit):
        return render_audit(found, title=title, lang=lang)
    if isinstance(found, Conformity):
        return render_conformity(found, title=title, lang=lang)
    if not isinstance(found, Sequence) or not all(isinstance(one, Evaluation) for one in found):
        raise UsageError(
            "there is no page about a {type}: give a result of tk.risk, tk.audit or tk.conform, or "
            "a list of results of tk.tables.evaluate",
            type=type(found).__name__,
        )
    return render_report(found, title=title, lang=lang)
