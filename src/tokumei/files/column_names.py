"""Column names that cannot be used: patterns to Polars, or reserved for Tokumei's own columns."""

from __future__ import annotations

from collections.abc import Iterable

from tokumei.core.errors import InputError

RESERVED = "tokumei_"
COUNT = "tokumei_rows"
"""For how many rows a row stands, where it stands for many."""


def require_plain_names(names: Iterable[str], *, where: str = "") -> None:
    """Fail on names such as `*` and `^a$`, which would select other columns, and reserved ones."""
    for name in names:
        pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
        if pattern or name.startswith(RESERVED):
            place = f"{where}: " if where else ""
            raise InputError(
                f"{place}the column name '{name}' cannot be used; rename it",
                f"{place}列名 '{name}' は使えません。名前を変えてください",
            )
