"""People who want an attribute hidden: their cell becomes `*`, whatever the others' show.

    wishes = hidden_cells(frame["hide"], qi)         # row × attribute
    frame = cells_hidden(frame, qi, wishes)          # `*` instead of the value
    tree = with_star(tree)                           # `*` is a leaf under the root
    require_hidden(released, "hide")                 # before the column is dropped

A cell names attributes, separated by ; or a comma; an empty one hides nothing. A class is cut along
an attribute only if at least k of its people hide it, or nobody does. The column itself tells who
has something to hide, so it is never released.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, canonical
from tokumei.core.errors import ClaimError, InputError
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.registry import rules

BETWEEN = re.compile(r"[;,、；，]")


def hidden_cells(asked: pl.Series, qi: Sequence[str]) -> np.ndarray:
    """Which cells (rows × QI) are asked to be hidden; an InputError names what is no QI."""
    wishes = np.zeros((len(asked), len(qi)), dtype=bool)
    for row, cell in enumerate(asked.cast(pl.String).fill_null("")):
        for name in filter(None, (part.strip() for part in BETWEEN.split(cell))):
            if name not in qi:
                raise InputError(
                    f"column '{asked.name}': '{name}' is not a quasi-identifier ({', '.join(qi)})",
                    f"列 '{asked.name}': '{name}' は準識別子 ({', '.join(qi)}) ではありません",
                )
            wishes[row, list(qi).index(name)] = True
    return wishes


def cells_hidden(frame: pl.DataFrame, qi: Sequence[str], wishes: np.ndarray) -> pl.DataFrame:
    """The rows with `*` where somebody asks for it; other columns stay as they are."""
    changed = [
        pl.select(
            pl.when(pl.lit(pl.Series(wishes[:, place])))
            .then(pl.lit(STAR))
            .otherwise(pl.lit(canonical(frame[name])))
            .alias(name)
        ).to_series()
        for place, name in enumerate(qi)
        if wishes[:, place].any()
    ]
    return frame.with_columns(changed)


def with_star(tree: Hierarchy) -> Hierarchy:
    """The hierarchy with one leaf more, `*`, of which nothing but the root is above."""
    star = pl.Series([STAR])
    names = tuple(pl.concat([one.rename(""), star]) for one in tree.names[:-1])
    above = np.array([[len(one)] for one in tree.names[:-1]] + [[0]], dtype=tree.up.dtype)
    return Hierarchy(tree.column, (*names, tree.names[-1]), np.hstack([tree.up, above]))


def require_hidden(released: Table, column: str) -> None:
    """Fail unless every cell that somebody asks to be hidden is `*`, looked at anew by the rule."""
    params = {"columns": released.schema.qi, "hide": column}
    faults = rules.build("hidden-cells", params).check(released)
    if faults:
        raise ClaimError(
            "a cell is shown that somebody asks to be hidden",
            "隠すよう求められた値が残っています",
            faults=faults,
        )
