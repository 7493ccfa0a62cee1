"""The error for cells that nothing explains: no figure is made of them."""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text

RULE = "unread-cell"


def unread_error(column: str, released: pl.Series, unread: list[str]) -> InputError:
    """The error for cells that nothing explains: how many, what they look like, what would help."""
    from tokumei.tables.look.shapes import shape

    rows = int(released.is_in(unread).sum())
    kinds, example = len(unread), shape(min(unread))
    message = Text(
        f"column '{column}': {rows:,} cells ({kinds:,} different, such as {example}) are neither "
        "values of the original nor written in a notation that can be read; say what they stand "
        "for with --hierarchies",
        f"列 '{column}': {rows:,} 個のセル（{kinds:,} 種、例 {example}）は元データの値でも"
        "読み取れる表記でもありません。--hierarchies で意味を示してください",
    )
    return InputError(message, faults=[Fault(rule=RULE, column=column, message=message)])
