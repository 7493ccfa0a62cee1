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
LEVELS = {Verdict.PASS: Level.GOOD, Verdict.HUMAN: Level.MID, Verdict.FAIL: Level.BAD}
MEANINGS = {
    Verdict.PASS: Text("checks found no defect", "問題は見つからず"),
    Verdict.FAIL: Text("checks found a defect", "問題あり"),
    Verdict.HUMAN: Text("checks need a person's judgement", "人の判断が必要"),
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
            f"{failed} of {len(result.findings)} checks found a defect to remove",
            f"{len(result.findings)} 項目のうち {failed} 項目で、対処すべき問題が見つかりました",
        )
    if human:
        return Text(
            f"No defect was found; {human} checks need a person's judgement",
            f"問題は見つかりませんでした。{human} 項目は人の判断が必要です",
        )
    return Text("No check found a defect", "どの検査でも問題は見つかりませんでした")
