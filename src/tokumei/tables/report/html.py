"""The report on releases of a table.

Path("report.html").write_text(render_report(evaluations), encoding="utf-8")
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tokumei.core.errors import UsageError
from tokumei.core.text import Language, Text
from tokumei.report.html import render_page, require_language
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.page import page_context
from tokumei.tables.report.payload import all_changes, payload

DEFAULT_TITLE = Text("Anonymization report", "匿名加工レポート")
SEED = re.compile(
    r"(^seed\s*:\s*|--seed[ =]|[\"']seed[\"']\s*:\s*|_seed\s*[:=]\s*)[-+]?\d\w*",
    re.IGNORECASE | re.MULTILINE,
)
"""Seeds of a run. That of generated data stands indented in a recipe, and is no secret."""


def render_report(
    evaluations: Sequence[Evaluation],
    *,
    title: Text | None = None,
    recipe: str | None = None,
    lang: Language = "en",
) -> str:
    """The whole report on releases of one table, opening in `lang`."""
    _require(evaluations, lang)
    original = evaluations[0].case.original
    found = all_changes(evaluations, original)
    return render_page(
        "report.html",
        home="tokumei.tables.report",
        lang=lang,
        title=title or DEFAULT_TITLE,
        data=payload(evaluations, original, found),
        recipe=SEED.sub(r"\1…", recipe) if recipe else None,
        **page_context(evaluations, original, found),
    )


def _require(evaluations: Sequence[Evaluation], lang: str) -> None:
    if not evaluations:
        raise UsageError(
            "a report needs at least one evaluated release",
            "レポートには評価済みの匿名加工データが一つ以上必要です",
        )
    require_language(lang)
