"""Values looked up among the leaves of a hierarchy, and the error for those that it does not have.

Both are compared as canonical text, fast where a million of them are codes or names.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text

_RESPELLED = r"^-?[0-9]+[^0-9]"
"""Only text that begins so can be a number or time that is written in another way."""


def spelled(series: pl.Series) -> pl.Series:
    """What `canonical` gives, looking only at the cells that it could change."""
    if series.dtype != pl.String:
        return canonical(series)
    suspects = series.str.contains(_RESPELLED)
    if not suspects.any():
        return series
    return series.clone().scatter(suspects.arg_true(), canonical(series.filter(suspects)))


NULL_LEAVES = ("", "NULL")
"""Leaves that stand for a missing value."""
RULE = "hierarchy-missing"
LISTED = 1000


def places(leaves: pl.Series, values: pl.Series) -> pl.Series:
    """The place of every value's leaf; null for a value that has none.

    Both are compared as canonical text; empty cells belong to a leaf with an empty name or NULL.
    """
    keys = spelled(values)
    if keys.null_count():
        held = set(leaves.filter(leaves.is_in(NULL_LEAVES)))
        name = next((name for name in NULL_LEAVES if name in held), None)
        keys = keys.fill_null(name) if name is not None else keys
    known = pl.DataFrame({"key": spelled(leaves)}).with_row_index("leaf")
    asked = pl.DataFrame({"key": keys})
    return asked.join(known, on="key", how="left", maintain_order="left")["leaf"]


def missing_error(column: str, values: pl.Series, leaves: pl.Series) -> InputError:
    """The error that lists the distinct values among these, which have no leaf."""
    faults, total = missing_faults(column, values, leaves)
    return InputError(
        f"column '{column}': {total} value(s) missing from the hierarchy",
        f"列 '{column}': 階層にない値が {total} 種あります",
        faults=faults,
        total=total,
    )


def missing_faults(column: str, values: pl.Series, leaves: pl.Series) -> tuple[list[Fault], int]:
    """A fault per distinct value (as many as anybody reads), and how many there are."""
    text = pl.DataFrame({"value": spelled(values)})
    counts = text.group_by("value").len().sort(["len", "value"], descending=[True, False])
    near = {leaf.strip().casefold(): leaf for leaf in leaves} if len(leaves) <= 100_000 else {}
    return [_fault(column, v, n, near) for v, n in counts.head(LISTED).iter_rows()], counts.height


def _fault(column: str, value: str | None, rows: int, near: dict[str, str]) -> Fault:
    if value is None:
        message = Text(
            f"empty cells ({rows} row(s)): the hierarchy has no leaf for missing values; "
            "add one with an empty name or NULL",
            f"空のセル ({rows} 行): 欠損値の葉がありません。空の名前か NULL の葉を加えてください",
        )
        return Fault(rule=RULE, column=column, message=message)
    leaf = near.get(value.strip().casefold())
    hint = Text(f"; the hierarchy has '{leaf}'", f"。階層には '{leaf}' があります")
    message = Text(
        f"'{value}' ({rows} row(s)){hint.en if leaf else ''}",
        f"'{value}' ({rows} 行){hint.ja if leaf else ''}",
    )
    return Fault(rule=RULE, column=column, message=message)
