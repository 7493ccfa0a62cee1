"""The hierarchies that a release was generalized along, pictured as trees.

Like the charts of the report, they name no value that few rows of the original have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from markupsafe import Markup

from tokumei.core.errors import InputError
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.outline import row_counts
from tokumei.tables.report.hierarchy_tree import hierarchy_tree_svg

MOST_LINES = 14
FEW_ROWS = 5


@dataclass(frozen=True)
class Tree:
    """A column's hierarchy as a picture in each language."""

    column: str
    en: Markup
    ja: Markup


def trees_of(steps: Sequence[Mapping[str, Any]], original: Table) -> list[Tree] | None:
    """A tree per QI; none without hierarchies, None if their files cannot be read any more."""
    given = next((step["hierarchies"] for step in steps if step.get("hierarchies")), None)
    qi = original.schema.qi
    if given is None or not qi:
        return []
    try:
        chosen = choose_hierarchies(given, original.frame, qi)
    except InputError:
        return None
    pictures = [(name, discreet(chosen[name], original.frame[name])) for name in qi]
    return [
        Tree(
            name,
            Markup(hierarchy_tree_svg(hierarchy, lang="en", most=MOST_LINES)),
            Markup(hierarchy_tree_svg(hierarchy, lang="ja", most=MOST_LINES)),
        )
        for name, hierarchy in pictures
    ]


def discreet(hierarchy: Hierarchy, values: pl.Series) -> Hierarchy:
    """The same tree, nodes with few rows without their names."""
    rows = row_counts(hierarchy, values)
    names = []
    for level, labels in enumerate(hierarchy.names):
        under = np.bincount(hierarchy.up[level], weights=rows, minlength=len(labels))
        names.append(labels.set(pl.Series(under < FEW_ROWS), "…"))
    return Hierarchy(hierarchy.column, tuple(names), hierarchy.up)
