"""The figures of a risk report as rows for its charts."""

from __future__ import annotations

from typing import Any

from tokumei.tables.report.risk_words import MODELS, columns_label, size_label
from tokumei.tables.risk.risk import Risk

SHOWN = 12
"""How many sets a chart ranks."""


def class_rows(found: Risk) -> list[dict[str, Any]]:
    """The share of rows by the size of their class."""
    return [
        {
            "label": size_label(one),
            "share": round(one.rows / found.rows, 6),
            "rows": one.rows,
            "risk": round(1 / one.low, 6),
            "above": one.above,
        }
        for one in found.bins
    ]


def contribution_rows(found: Risk) -> list[dict[str, Any]]:
    """Each column's share of the SUDA scores, the largest first."""
    used = found.suda.contributions.sort("share", descending=True, maintain_order=True)
    return [
        {"label": line["column"], "share": round(line["share"], 6), "rows": line["msus"]}
        for line in used.iter_rows(named=True)
    ]


def without_rows(found: Risk) -> list[dict[str, Any]]:
    """The share of rows alone without each column, the most helpful first."""
    ranked = sorted(found.without.items(), key=lambda item: item[1])
    return [{"label": name, "share": round(share, 6)} for name, share in ranked]


def set_rows(found: Risk, size: int) -> list[dict[str, Any]]:
    """The sets of one size that single people out most: by distinction."""
    return [
        {
            "label": columns_label(line["columns"]),
            "share": round(line["distinction"], 6),
            "alone": round(line["uniques"], 6),
            "separation": round(line["separation"], 6),
        }
        for line in found.sets_of(size).head(SHOWN).iter_rows(named=True)
    ]


def estimate_rows(found: Risk) -> list[dict[str, Any]]:
    """The usable estimates, in both languages."""
    people = found.population
    if people is None:
        return []
    return [
        {
            "en": MODELS[one.model].en,
            "ja": MODELS[one.model].ja,
            "uniques": round(one.uniques, 1),
            "share": round(one.uniques / people.rows, 6),
            "chosen": one.model in people.chosen,
        }
        for one in people.estimates
        if one.usable
    ]
