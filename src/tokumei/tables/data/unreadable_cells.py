"""Error for cells that cannot be read, so that no figure is computed from them."""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import InputError, Violation
from tokumei.core.fields import field_name
from tokumei.core.messages import Message

UNREAD_RULE = "unread-cell"


def unreadable_cells_error(
    column: str, released: pl.Series, unread: list[str], line: int | None = None
) -> InputError:
    """The error for cells that nothing explains: how many, what they look like, what would help.

    `line`: where the first of them stands, if that is known.
    """
    from tokumei.tables.profiling.value_shapes import cell_shape

    rows = int(released.is_in(unread).sum())
    distinct, example = len(unread), cell_shape(min(unread))
    line_prefix = Message(
        "" if line is None else f"line {line}, ", "" if line is None else f"{line} 行目、"
    )
    message = Message(
        f"{line_prefix.en}column '{column}': {rows:,} cells ({distinct:,} different, such as "
        f"{example}) are "
        "neither values of the original nor written in a notation that can be read; say what they "
        f"stand for with {field_name('hierarchies')}",
        f"{line_prefix.ja}列 '{column}': {rows:,} 個のセル（{distinct:,} 種、例 {example}）は元デ"
        f"ータの"
        f"値でも読み取れる表記でもありません。{field_name('hierarchies')} で意味を示してください",
    )
    fault = Violation(rule=UNREAD_RULE, line=line, column=column, message=message)
    return InputError(message, faults=[fault])
