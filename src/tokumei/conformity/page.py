"""The conformity report as one HTML page, in English and Japanese.

    Path("report.html").write_text(render_conformity(conform(case)), encoding="utf-8")

It shows columns, counts and line numbers, never a cell. The same input gives the same bytes.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.conformity.conform import Conformity
from tokumei.conformity.finding import CLAUSES, DISCLAIMER, WORDS, Verdict
from tokumei.core.measure import Level
from tokumei.core.text import Language, Text
from tokumei.report.html import render_page

TITLE = Text("Conformity report", "適合性レポート")
LEVELS = {
    Verdict.PASS: (Level.GOOD.value, Level.GOOD.symbol),
    Verdict.HUMAN: (Level.MID.value, Level.MID.symbol),
    Verdict.FAIL: (Level.BAD.value, Level.BAD.symbol),
    Verdict.NOTHING: ("none", "–"),
}
MEANINGS = {
    Verdict.PASS: Text("checks found no defect", "問題は見つからず"),
    Verdict.FAIL: Text("checks found a defect", "問題あり"),
    Verdict.HUMAN: Text("checks need a person's judgement", "人の判断が必要"),
    Verdict.NOTHING: Text("checks had nothing to look at", "調べる対象がない"),
}


def render_conformity(
    result: Conformity, *, title: Text | None = None, lang: Language = "en"
) -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "conformity/page.html",
        home="tokumei.conformity",
        lang=lang,
        title=title or TITLE,
        data={},
        styles=["conformity/conformity.css"],
        charts=False,
        result=result,
        clauses=CLAUSES,
        disclaimer=DISCLAIMER,
        headline=headline(result),
        levels=LEVELS,
        meanings=MEANINGS,
        words=WORDS,
        version=__version__,
    )


def headline(result: Conformity) -> Text:
    """The outcome in one sentence."""
    counts = result.counts
    failed, human = counts["FAIL"], counts["NEEDS-HUMAN"]
    if failed:
        return Text(
            f"{failed} of {result.looked} checks found a defect to remove",
            f"{result.looked} 項目のうち {failed} 項目で、対処すべき問題が見つかりました",
        )
    if human:
        return Text(
            f"{result.looked} checks looked at something and found no defect; {human} of them need "
            "a person's judgement",
            f"{result.looked} 項目を調べ、問題は見つかりませんでした。"
            f"{human} 項目は人の判断が必要です",
        )
    return Text(
        f"{result.looked} checks looked at something, and none found a defect",
        f"{result.looked} 項目を調べ、問題は見つかりませんでした",
    )
