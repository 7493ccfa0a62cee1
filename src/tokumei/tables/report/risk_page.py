"""Renders the risk of a table as one HTML page that works offline.

    result = tk.risk(people, population=1_000_000)
    Path("risk.html").write_text(render_risk_report(result), encoding="utf-8")

It shows names of columns and counts, no cell and no row. The same input gives the same bytes.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.html import render_page
from tokumei.tables.report.risk_charts import risk_payload
from tokumei.tables.report.risk_sentences import (
    ATTACKER_TITLES,
    MODEL_TITLES,
    columns_label,
    counted_population_sentence,
    key_figures,
    population_sentence,
    risk_detail,
    risk_headline,
    size_label,
)
from tokumei.tables.risk.risk import Risk

TITLE = Message("Risk of a table")
MAX_LISTED_SETS = 100
"""The most sets that a table of the page lists."""


def render_risk_report(result: Risk, *, title: Message | None = None, lang: Language = "en") -> str:
    """The whole page, opening in `lang`."""
    sizes = result.sets["size"].unique().sort().to_list()
    return render_page(
        "risk/page.html",
        home="tokumei.tables.report",
        lang=lang,
        title=title or TITLE,
        data=risk_payload(result),
        styles=["risk/risk.css"],
        found=result,
        headline=risk_headline(result),
        detail=risk_detail(result),
        figures=key_figures(result),
        attackers=_attacker_lines(result),
        bins=[(size_label(size), size) for size in result.bins],
        sets={size: result.sets_of_size(size).to_dicts() for size in sizes},
        listed=MAX_LISTED_SETS,
        special=result.special_sets.to_dicts(),
        columns_label=columns_label,
        models=MODEL_TITLES,
        estimate=population_sentence(result),
        counted=counted_population_sentence(result),
        version=__version__,
    )


def _attacker_lines(result: Risk) -> list[dict[str, object]]:
    """A line per attacker: highest, mean and share above the threshold."""
    risk_by_attacker = {"prosecutor": result.prosecutor, "everything": result.everything}
    if result.journalist is not None:
        risk_by_attacker["journalist"] = result.journalist
    figures: dict[str, tuple[float | None, float, float | None]] = {
        key: (record_risk.highest, record_risk.mean, record_risk.share_above(result.threshold))
        for key, record_risk in risk_by_attacker.items()
    }
    figures["marketer"] = None, result.marketer, None
    lines: list[dict[str, object]] = []
    for key, (highest, mean, above) in figures.items():
        name, about = ATTACKER_TITLES[key]
        figures_json = {"highest": highest, "mean": mean, "above": above}
        lines.append({"name": name, "about": about, **figures_json})
    return lines
