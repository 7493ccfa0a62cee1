"""Implements `tk.render` and `tk.report`: a result as one HTML page, offline, in every language.

    risk = tk.risk(people)
    Path("risk.html").write_text(tk.render(risk, lang="ja"), encoding="utf-8")
    tk.report(release, "report.html", recipient="partner")

The same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.page import render_assessment_page
from tokumei.conformity.assessment import Conformity
from tokumei.conformity.page import render_conformity
from tokumei.core.errors import UsageError
from tokumei.core.language import Language, current_language
from tokumei.core.messages import Message
from tokumei.tables.audit.audit import Audit
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.audit_page import render_audit
from tokumei.tables.report.report_page import render_report
from tokumei.tables.report.risk_page import render_risk_report
from tokumei.tables.risk.risk import Risk

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from tokumei.api.types import Columns, TableSource
    from tokumei.core.verification import VerifiableRelease


def render(
    result: Assessment | Risk | Audit | Conformity | Sequence[Evaluation],
    *,
    title: Message | None = None,
    lang: Language = "en",
) -> str:
    """The page about an assessment, risk, audit, conformity, or evaluated releases, in `lang`."""
    if isinstance(result, Assessment):
        return render_assessment_page(result, title=title, lang=lang)
    if isinstance(result, Risk):
        return render_risk_report(result, title=title, lang=lang)
    if isinstance(result, Audit):
        return render_audit(result, title=title, lang=lang)
    if isinstance(result, Conformity):
        return render_conformity(result, title=title, lang=lang)
    if not isinstance(result, Sequence) or not all(
        isinstance(evaluation, Evaluation) for evaluation in result
    ):
        raise UsageError(
            "there is no page about a {type}: give a result of tk.assess, tk.risk, tk.audit or "
            "tk.conform, or a list of results of tk.tables.evaluate",
            type=type(result).__name__,
        )
    return render_report(result, title=title, lang=lang)


def report(
    release: VerifiableRelease | Assessment,
    path: str | os.PathLike[str] | None = None,
    *,
    original: TableSource | None = None,
    recipient: str = "partner",
    knows: Columns | None = None,
    person: str | None = None,
    limits: Mapping[str, float] | None = None,
    title: Message | None = None,
    lang: Language | None = None,
) -> str:
    """The hand-over report on one release: verdict, evidence, what would help; written to `path`.

    A release of `tk.anonymize` knows its original while both are in memory; for one that was stored
    give `original`. An Assessment is shown as it is, and its scenario stands.
    """
    if not isinstance(release, Assessment):
        from tokumei.api.assessment import assess

        source = getattr(release, "source", None) if original is None else original
        if source is None:
            raise UsageError(
                "this release does not carry its original any more: give it (original=)",
                field="original",
            )
        release = assess(
            source,
            release,  # type: ignore[arg-type]
            recipient=recipient,
            knows=knows,
            person=person,
            limits=limits,
        )
    page = render_assessment_page(release, title=title, lang=lang or current_language())
    if path is not None:
        from tokumei.files.writing import write_text

        write_text(page, path)
    return page
