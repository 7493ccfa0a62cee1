"""Small releases that the tests of the assessment share: columns, and both sides opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.open_release import AssessTable, open_release
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.rough_knowledge import KnownColumnCodes
from tokumei.core.messages import Message
from tokumei.core.scenario import ColumnKnowledge, Scenario
from tokumei.tables.hierarchies.hierarchy import Hierarchy

AGES = [20, 21, 22, 23, 24, 30, 31, 32, 33, 34]
CLASSES_OF_FIVE = ["[20;24]"] * 5 + ["[30;34]"] * 5


def column(
    values: Sequence[Any], cells: Sequence[Any] | None = None, hierarchy: Hierarchy | None = None
) -> ColumnCodes:
    """A column `x` of both sides; without cells it is released as it is."""
    original = pl.Series("x", values)
    released = original if cells is None else pl.Series("x", cells)
    return ColumnCodes.of(original, released, hierarchy)


def known(
    values: Sequence[Any], cells: Sequence[Any] | None = None, how: str = "x"
) -> KnownColumnCodes:
    """A column as somebody knows it."""
    return KnownColumnCodes.of(column(values, cells), ColumnKnowledge.parse(how), None)


def open_frames(
    original: pl.DataFrame,
    release: pl.DataFrame | None = None,
    *,
    link: Sequence[int] | None = None,
    person: str | None = None,
    **roles: Any,
) -> OpenedRelease:
    """Both sides opened, row by row unless a link is given."""
    released = original if release is None else release
    return open_release(
        AssessTable(
            original=original,
            release=released,
            link=np.arange(released.height) if link is None else np.array(link),
            scenario=Scenario(person=person),
            **({"qi": (), "sa": (), "ids": ()} | roles),
        )
    )


def figures(**found: Any) -> AttackerFigures:
    """An attacker of 100 rows who finds nobody, unless said otherwise."""
    defaults: dict[str, Any] = {
        "code": "exact",
        "name": Message.verbatim("somebody"),
        "knows": ("age",),
        "total": 100,
        "targets": 100,
        "identified": 0,
        "guessed_right": 10.0,
        "confidently_wrong": 0,
        "smallest_class": 5,
    }
    return AttackerFigures(**(defaults | found))
