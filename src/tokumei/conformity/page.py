"""The conformity report as one HTML page, in English and Japanese.

    Path("report.html").write_text(render_conformity(conform(case)), encoding="utf-8")

It shows columns, counts and line numbers, never a cell. The same input gives the same bytes.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.conformity.assessment import Conformity
from tokumei.conformity.finding import CLAUSES, DISCLAIMER, VERDICT_LABELS, Verdict
from tokumei.core.measure import Level
from tokumei.core.messages import Language, Message
from tokumei.report.html import render_page

REPORT_TITLE = Message("Conformity report", "適合性レポート")
VERDICT_LEVELS = {
    Verdict.PASS: (Level.GOOD.value, Level.GOOD.symbol),
    Verdict.HUMAN: (Level.MID.value, Level.MID.symbol),
    Verdict.FAIL: (Level.BAD.value, Level.BAD.symbol),
    Verdict.NOTHING: ("none", "–"),
}
VERDICT_MEANINGS = {
    Verdict.PASS: Message("checks found no defect", "問題は見つからず"),
    Verdict.FAIL: Message("checks found a defect", "問題あり"),
    Verdict.HUMAN: Message("checks need a person's judgement", "人の判断が必要"),
    Verdict.NOTHING: Message("checks had nothing to look at", "調べる対象がない"),
}


def render_conformity(
    result: Conformity, *, title: Message | None = None, lang: Language = "en"
) -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "conformity/page.html",
        home="tokumei.conformity",
        lang=lang,
        title=title or REPORT_TITLE,
        data={},
        styles=["conformity/conformity.css"],
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
            f"{failed} of {result.examined_count} checks found a defect to remove",
            f"{result.examined_count} 項目のうち {failed} 項目で、対処すべき問題が見つかりました",
        )
    if human:
        return Message(
            f"{result.examined_count} checks looked at something and found no defect; {human} of "
            f"them need "
            "a person's judgement",
            f"{result.examined_count} 項目を調べ、問題は見つかりませんでした。"
            f"{human} 項目は人の判断が必要です",
        )
    return Message(
        f"{result.examined_count} checks looked at something, and none found a defect",
        f"{result.examined_count} 項目を調べ、問題は見つかりませんでした",
    )
