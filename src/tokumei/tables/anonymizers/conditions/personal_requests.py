"""Personal requests: hidden attributes, and a k of one's own.

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

from tokumei.core.errors import ClaimError, InputError
from tokumei.core.generalized_cells import SUPPRESSED_CELL, canonicalize_column
from tokumei.core.messages import Message, join_messages
from tokumei.tables.anonymizers.conditions.condition import Condition
from tokumei.tables.anonymizers.conditions.condition_forms import PERSONAL_K
from tokumei.tables.anonymizers.conditions.guarded_columns import GuardedColumn
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.registry import claim_checks

NAME_SEPARATORS = re.compile(r"[;,、；，]")


def parse_hidden_cells(request_column: pl.Series, qi: Sequence[str]) -> np.ndarray:
    """Which cells (rows × QI) are asked to be hidden; an InputError names what is no QI."""
    is_hidden = np.zeros((len(request_column), len(qi)), dtype=bool)
    for row, cell in enumerate(request_column.cast(pl.String).fill_null("")):
        for name in filter(None, (part.strip() for part in NAME_SEPARATORS.split(cell))):
            if name not in qi:
                raise InputError(
                    "column '{column}': '{name}' is not a quasi-identifier ({qi})",
                    column=request_column.name,
                    name=name,
                    qi=join_messages(qi),
                )
            is_hidden[row, list(qi).index(name)] = True
    return is_hidden


def hide_cells(frame: pl.DataFrame, qi: Sequence[str], is_hidden: np.ndarray) -> pl.DataFrame:
    """The rows with `*` where somebody asks for it; other columns stay as they are."""
    hidden_columns = [
        pl.select(
            pl.when(pl.lit(pl.Series(is_hidden[:, column_index])))
            .then(pl.lit(SUPPRESSED_CELL))
            .otherwise(pl.lit(canonicalize_column(frame[name])))
            .alias(name)
        ).to_series()
        for column_index, name in enumerate(qi)
        if is_hidden[:, column_index].any()
    ]
    return frame.with_columns(hidden_columns)


def add_star_leaf(hierarchy: Hierarchy) -> Hierarchy:
    """The hierarchy with one leaf more, `*`, of which nothing but the root is above."""
    star = pl.Series([SUPPRESSED_CELL])
    names = tuple(pl.concat([level_names.rename(""), star]) for level_names in hierarchy.names[:-1])
    star_nodes = np.array(
        [[len(level_names)] for level_names in hierarchy.names[:-1]] + [[0]],
        dtype=hierarchy.up.dtype,
    )
    return Hierarchy(
        hierarchy.column, (*names, hierarchy.names[-1]), np.hstack([hierarchy.up, star_nodes])
    )


def personal_k_column(request_column: pl.Series, min_k: int) -> GuardedColumn:
    """The column with a condition for every number above what everybody has anyway."""
    values = request_column.unique().sort(nulls_last=False)
    conditions = [
        Condition(PERSONAL_K, (position, number))
        for position, number in enumerate(_parse_personal_k(values))
        if number is not None and number > min_k
    ]
    default_condition = Condition(PERSONAL_K, (0, min_k))
    return GuardedColumn(request_column.name, values, tuple(conditions) or (default_condition,))


def _parse_personal_k(request_column: pl.Series) -> list[int | None]:
    """The numbers; an InputError if one is not a whole number of at least 1."""
    numbers = request_column.cast(pl.String).cast(pl.Float64, strict=False)
    is_valid = (numbers >= 1) & (numbers == numbers.round())
    invalid_values = request_column.filter(
        request_column.is_not_null() & ~is_valid.fill_null(value=False)
    )
    if len(invalid_values):
        raise InputError(
            "column '{column}': '{number}' is not a number of people (1, 2, 3, …)",
            column=request_column.name,
            number=invalid_values[0],
        )
    return [None if number is None else int(number) for number in numbers]


def require_requests_met(released: Table, *, personal: str, hide: str) -> None:
    """Fail unless people have what they ask for in these columns, looked at anew by the rules."""
    too_small_message = Message("a class is smaller than somebody in it asks for")
    not_hidden_message = Message("a cell is shown that somebody asks to be hidden")
    request_rules = (
        ("personal-k", "personal", personal, too_small_message),
        ("hidden-cells", "hide", hide, not_hidden_message),
    )
    for rule, param, column, message in request_rules:
        params = {"columns": released.schema.qi, param: column}
        violations = claim_checks.build(rule, params).check(released) if column else []
        if violations:
            raise ClaimError(message, faults=violations)
