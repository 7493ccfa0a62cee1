"""The page on released histories: one HTML file that works offline, in English and Japanese.

    study = study_history(history, "rank-match", range(2, 21))
    Path("report.html").write_text(render_history_report([study]), encoding="utf-8")

Studies give the whole page, plain sweeps the trade-off. The same input gives the same bytes; no
request leaves the page; no customer, pseudonym or seed enters it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokumei.core.errors import UsageError
from tokumei.core.sweep import Sweep
from tokumei.core.text import Language, Text
from tokumei.core.words import known
from tokumei.histories.registry import anonymizers
from tokumei.histories.report.cluster_example import ClusterExample, invented_example
from tokumei.histories.report.explanation import CAUTIONS
from tokumei.histories.report.glossary import history_glossary
from tokumei.histories.report.overlay import COLUMNS, Run, runs_of
from tokumei.histories.report.payload import history_payload
from tokumei.histories.report.table import sweep_table
from tokumei.histories.report.uses import uses_of
from tokumei.histories.report.verdict import attack_lines, history_verdict, main_run
from tokumei.histories.study import HistoryStudy
from tokumei.report.html import render_page

TITLE = Text("Purchase history report", "購買履歴の匿名加工レポート")


def render_history_report(
    sources: HistoryStudy | Sweep | Sequence[HistoryStudy | Sweep],
    *,
    title: Text | None = None,
    lang: Language = "en",
) -> str:
    """The page on one or more studies or sweeps, opening in `lang`."""
    listed = [sources] if isinstance(sources, (HistoryStudy, Sweep)) else list(sources)
    _require_points(listed)
    runs = runs_of(listed)
    return render_page(
        "history/page.html",
        home="tokumei.histories.report",
        lang=lang,
        title=title or TITLE,
        data=history_payload(runs),
        styles=["curves/common.css"],
        **_context(runs),
    )


def _context(runs: Sequence[Run]) -> dict[str, Any]:
    main = main_run(runs)
    studies = [run for run in runs if run.study]
    return {
        "runs": runs,
        "main": main,
        "columns": COLUMNS,
        "studies": studies,
        "verdict": history_verdict(main),
        "table": sweep_table(runs),
        "example": _example(main),
        "attacks": {run.number: attack_lines(run.study) for run in studies if run.study},
        "uses": {run.number: uses_of(run.study) for run in studies if run.study},
        "categorized": next((r for r in studies if r.study and r.study.by_category), None),
        "methods": _methods(runs),
        "cautions": CAUTIONS,
        "groups": history_glossary(runs),
    }


def _example(run: Run) -> ClusterExample | None:
    """The study's example; for a sweep an invented one, if its method is known here."""
    if run.study:
        return run.study.example
    known = run.sweep.method in anonymizers.names()
    return invented_example(run.sweep.method) if known else None


def _methods(runs: Sequence[Run]) -> list[tuple[str, Text, tuple[Text, ...]]]:
    found = [known(anonymizers, name) for name in dict.fromkeys(run.sweep.method for run in runs)]
    return [(one.name, one.title, one.explained) for one in found if one and one.explained]


def _require_points(sources: Sequence[HistoryStudy | Sweep]) -> None:
    sweeps = [source if isinstance(source, Sweep) else source.sweep for source in sources]
    if not sweeps or not all(sweep.points for sweep in sweeps):
        raise UsageError(
            "a report needs at least one study or sweep, each with at least one release",
            "レポートには、匿名加工データを一つ以上含む分析か比較 (sweep) が必要です",
        )
    if len({sweep.parameter for sweep in sweeps}) > 1:
        raise UsageError(
            "sweeps of different parameters cannot share one report",
            "異なるパラメータの比較 (sweep) を一つのレポートにまとめることはできません",
        )
