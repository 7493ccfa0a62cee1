"""Looks up values among the leaves of a hierarchy; error for missing ones.

Both are compared as canonical text, fast where a million of them are codes or names.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import InputError, Violation
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.messages import Message

_RESPELLABLE = r"^-?[0-9]+[^0-9]"
"""Only text that begins so can be a number or time that is written in another way."""


def canonicalize_text(series: pl.Series) -> pl.Series:
    """Apply `canonicalize_column` only to the cells that it could change."""
    if series.dtype != pl.String:
        return canonicalize_column(series)
    suspects = series.str.contains(_RESPELLABLE)
    if not suspects.any():
        return series
    return series.clone().scatter(suspects.arg_true(), canonicalize_column(series.filter(suspects)))


NULL_LEAVES = ("", "NULL")
"""Leaves that stand for a missing value."""
MISSING_LEAF_RULE = "hierarchy-missing"
MAX_LISTED = 1000


def find_leaf_places(leaves: pl.Series, values: pl.Series) -> pl.Series:
    """The place of every value's leaf; null for a value that has none.

    Both are compared as canonical text; empty cells belong to a leaf with an empty name or NULL.
    """
    keys = canonicalize_text(values)
    if keys.null_count():
        null_leaves = set(leaves.filter(leaves.is_in(NULL_LEAVES)))
        name = next((name for name in NULL_LEAVES if name in null_leaves), None)
        keys = keys.fill_null(name) if name is not None else keys
    leaf_frame = pl.DataFrame({"key": canonicalize_text(leaves)}).with_row_index("leaf")
    value_frame = pl.DataFrame({"key": keys})
    return value_frame.join(leaf_frame, on="key", how="left", maintain_order="left")["leaf"]


def missing_leaf_error(column: str, values: pl.Series, leaves: pl.Series) -> InputError:
    """The error that lists the distinct values among these, which have no leaf."""
    faults, total = missing_leaf_violations(column, values, leaves)
    return InputError(
        Message(
            "column '{column}': {count} value is missing from the hierarchy",
            plural="column '{column}': {count:,} values are missing from the hierarchy",
            count=total,
            column=column,
        ),
        faults=faults,
        total=total,
    )


def missing_leaf_violations(
    column: str, values: pl.Series, leaves: pl.Series
) -> tuple[list[Violation], int]:
    """A fault per distinct value (as many as anybody reads), and how many there are."""
    text = pl.DataFrame({"value": canonicalize_text(values)})
    counts = text.group_by("value").len().sort(["len", "value"], descending=[True, False])
    leaf_by_folded_name = (
        {leaf.strip().casefold(): leaf for leaf in leaves} if len(leaves) <= 100_000 else {}
    )
    return [
        _missing_leaf_violation(column, v, n, leaf_by_folded_name)
        for v, n in counts.head(MAX_LISTED).iter_rows()
    ], counts.height


def _missing_leaf_violation(
    column: str, value: str | None, rows: int, leaf_by_folded_name: dict[str, str]
) -> Violation:
    if value is None:
        message = Message(
            "empty cells ({count} row): the hierarchy has no leaf for missing values; add one with "
            "an empty name or NULL",
            plural="empty cells ({count:,} rows): the hierarchy has no leaf for missing values; "
            "add one with an empty name or NULL",
            count=rows,
        )
        return Violation(rule=MISSING_LEAF_RULE, column=column, message=message)
    leaf = leaf_by_folded_name.get(value.strip().casefold())
    message = count_value_rows(value, rows)
    if leaf:
        message = Message("{value}; the hierarchy has '{leaf}'", value=message, leaf=leaf)
    return Violation(rule=MISSING_LEAF_RULE, column=column, message=message)


def count_value_rows(value: str, rows: int) -> Message:
    """A value and how many rows have it."""
    return Message(
        "'{value}' ({count} row)", plural="'{value}' ({count:,} rows)", count=rows, value=value
    )
