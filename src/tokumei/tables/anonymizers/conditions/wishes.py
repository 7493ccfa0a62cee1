"""What people ask for: that an attribute of theirs is hidden, or a k of their own.

A cell of the one column names attributes, separated by ; or a comma; an empty one hides nothing.
What is hidden becomes `*`, whatever the others' cells show. A class is cut along an attribute only
if at least k of its people hide it, or nobody does.

A cell of the other is a number: a class with somebody who asks for 20 has at least 20 rows. An
empty cell asks for nothing more than the method's own k.

The columns tell who is anxious or has something to hide, so they are never released.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, canonical
from tokumei.core.errors import ClaimError, InputError
from tokumei.core.text import Text
from tokumei.tables.anonymizers.conditions.condition import PERSONAL, Condition
from tokumei.tables.anonymizers.conditions.guard import GuardedColumn
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


def personal_column(asked: pl.Series, least: int) -> GuardedColumn:
    """The column with a condition for every number above what everybody has anyway."""
    values = asked.unique().sort(nulls_last=False)
    conditions = [
        Condition(PERSONAL, (place, number))
        for place, number in enumerate(_whole_numbers(values))
        if number is not None and number > least
    ]
    what_all_have = Condition(PERSONAL, (0, least))
    return GuardedColumn(asked.name, values, tuple(conditions) or (what_all_have,))


def _whole_numbers(asked: pl.Series) -> list[int | None]:
    """The numbers; an InputError if one is not a whole number of at least 1."""
    numbers = asked.cast(pl.String).cast(pl.Float64, strict=False)
    whole = (numbers >= 1) & (numbers == numbers.round())
    wrong = asked.filter(asked.is_not_null() & ~whole.fill_null(value=False))
    if len(wrong):
        raise InputError(
            f"column '{asked.name}': '{wrong[0]}' is not a number of people (1, 2, 3, …)",
            f"列 '{asked.name}': '{wrong[0]}' は人数 (1, 2, 3, …) ではありません",
        )
    return [None if number is None else int(number) for number in numbers]


def require_granted(released: Table, *, personal: str, hide: str) -> None:
    """Fail unless people have what they ask for in these columns, looked at anew by the rules."""
    small = Text(
        "a class is smaller than somebody in it asks for",
        "求められた行数に足りないクラスがあります",
    )
    shown = Text(
        "a cell is shown that somebody asks to be hidden", "隠すよう求められた値が残っています"
    )
    asked = (("personal-k", "personal", personal, small), ("hidden-cells", "hide", hide, shown))
    for rule, param, column, broken in asked:
        params = {"columns": released.schema.qi, param: column}
        faults = rules.build(rule, params).check(released) if column else []
        if faults:
            raise ClaimError(broken.en, broken.ja, faults=faults)
