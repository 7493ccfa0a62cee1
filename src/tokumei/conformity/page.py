"""The conformity report as one HTML page, in every language.

    Path("report.html").write_text(render_conformity(conform(case)), encoding="utf-8")

It shows columns, counts and line numbers, never a cell. The same input gives the same bytes.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.conformity.assessment import Conformity
from tokumei.conformity.finding import CLAUSES, DISCLAIMER, VERDICT_LABELS, Verdict
from tokumei.core.language import Language
from tokumei.core.measure import Level
from tokumei.core.messages import Message
from tokumei.pages.html import render_page
from tokumei.pages.verdict_view import VerdictView

REPORT_TITLE = Message("Conformity report")
VERDICT_LEVELS = {
    Verdict.PASS: (Level.GOOD.value, Level.GOOD.symbol),
    Verdict.HUMAN: (Level.MID.value, Level.MID.symbol),
    Verdict.FAIL: (Level.BAD.value, Level.BAD.symbol),
    Verdict.NOTHING: ("none", "–"),
}
VERDICT_MEANINGS = {
    Verdict.PASS: Message("checks found no defect"),
    Verdict.FAIL: Message("checks found a defect"),
    Verdict.HUMAN: Message("checks need a person's judgement"),
    Verdict.NOTHING: Message("checks did not apply"),
}


def render_conformity(
    result: Conformity,
    *,
    title: Message | None = None,
    verdict: VerdictView | None = None,
    lang: Language = "en",
) -> str:
    """The whole page, opening in `lang`; `verdict` is that of the release's assessment."""
    return render_page(
        "conformity/page.html",
        home="tokumei.conformity",
        lang=lang,
        title=title or REPORT_TITLE,
        data={},
        styles=["conformity/conformity.css", "verdict.css"],
        verdicts=[] if verdict is None else [verdict],
        charts=False,
        result=result,
        clauses=CLAUSES,
        disclaimer=DISCLAIMER,
        headline=describe_outcome(result),
        levels=VERDICT_LEVELS,
        meanings=VERDICT_MEANINGS,
        words=VERDICT_LABELS,
        version=__version__,
    )


def describe_outcome(result: Conformity) -> Message:
    """The outcome in one sentence."""
    counts = result.counts
    failed, human = counts["FAIL"], counts["NEEDS-HUMAN"]
    if failed:
        return Message(
            "{failed} of {count} check found a defect to remove",
            plural="{failed} of {count} checks found a defect to remove",
            count=result.examined_count,
            failed=failed,
        )
    if human:
        return Message(
            "{count} check applied and found no defect; it needs a person's judgement",
            plural="{count} checks applied and found no defect; {human} of them need a person's "
            "judgement",
            count=result.examined_count,
            human=human,
        )
    return Message(
        "{count} check applied and found no defect",
        plural="{count} checks applied and found no defect",
        count=result.examined_count,
    )
