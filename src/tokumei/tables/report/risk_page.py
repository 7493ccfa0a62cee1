"""The risk of a table as one HTML page that works offline, in English and Japanese.

    found = tk.risk(people, population=1_000_000)
    Path("risk.html").write_text(render_risk_report(found), encoding="utf-8")

It shows names of columns and counts, no cell and no row. The same input gives the same bytes.
"""

from __future__ import annotations

from typing import Any

from tokumei._version import __version__
from tokumei.core.measure import ATTACK_LIMITS
from tokumei.core.text import Language, Text
from tokumei.report.html import render_page
from tokumei.tables.report.risk_charts import risk_payload
from tokumei.tables.report.risk_words import (
    ATTACKERS,
    MODELS,
    columns_label,
    counted_sentence,
    detail,
    headline,
    key_figures,
    level_of,
    population_sentence,
    size_label,
)
from tokumei.tables.risk.risk import Risk

TITLE = Text("Risk of a table", "表のリスク分析")
LISTED = 100
"""The most sets that a table of the page lists."""


def render_risk_report(found: Risk, *, title: Text | None = None, lang: Language = "en") -> str:
    """The whole page, opening in `lang`."""
    sizes = found.sets["size"].unique().sort().to_list()
    return render_page(
        "risk/page.html",
        home="tokumei.tables.report",
        lang=lang,
        title=title or TITLE,
        data=risk_payload(found),
        styles=["risk/risk.css"],
        found=found,
        level=level_of(found),
        headline=headline(found),
        detail=detail(found),
        figures=key_figures(found),
        attackers=_attackers(found),
        bins=[(size_label(size), size) for size in found.bins],
        sets={size: found.sets_of(size).to_dicts() for size in sizes},
        listed=LISTED,
        special=found.special_sets.to_dicts(),
        label=columns_label,
        models=MODELS,
        estimate=population_sentence(found),
        counted=counted_sentence(found),
        version=__version__,
    )


def _attackers(found: Risk) -> list[dict[str, Any]]:
    """A line per attacker: highest, mean and share above the threshold, with lights."""
    known = {"prosecutor": found.prosecutor, "everything": found.everything}
    if found.journalist is not None:
        known["journalist"] = found.journalist
    figures: dict[str, tuple[float | None, float, float | None]] = {
        key: (one.highest, one.mean, one.share_above(found.threshold)) for key, one in known.items()
    }
    figures["marketer"] = None, found.marketer, None
    lines = []
    for key, (highest, mean, above) in figures.items():
        name, about = ATTACKERS[key]
        level = ATTACK_LIMITS.level(mean if highest is None else highest)
        told = {"highest": highest, "mean": mean, "above": above, "level": level}
        lines.append({"name": name, "about": about, **told})
    return lines
