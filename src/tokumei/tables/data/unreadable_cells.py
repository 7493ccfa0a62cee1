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
    place = Message("column '{column}'", column=column)
    if line is not None:
        place = Message("line {line}, column '{column}'", line=line, column=column)
    message = Message(
        "{place}: {cells:,} cells ({distinct:,} different, such as {example}) are neither values "
        "of the original nor written in a notation that can be read; say what they stand for with "
        "{option}",
        place=place,
        cells=rows,
        distinct=distinct,
        example=example,
        option=field_name("hierarchies"),
    )
    fault = Violation(rule=UNREAD_RULE, line=line, column=column, message=message)
    return InputError(message, faults=[fault])
