"""The error for cells that nothing explains: no figure is made of them."""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault, InputError
from tokumei.core.fields import field_name
from tokumei.core.text import Text

RULE = "unread-cell"


def unread_error(
    column: str, released: pl.Series, unread: list[str], line: int | None = None
) -> InputError:
    """The error for cells that nothing explains: how many, what they look like, what would help.

    `line`: where the first of them stands, if that is known.
    """
    from tokumei.tables.look.shapes import shape

    rows = int(released.is_in(unread).sum())
    kinds, example = len(unread), shape(min(unread))
    place = Text("" if line is None else f"line {line}, ", "" if line is None else f"{line} 行目、")
    message = Text(
        f"{place.en}column '{column}': {rows:,} cells ({kinds:,} different, such as {example}) are "
        "neither values of the original nor written in a notation that can be read; say what they "
        f"stand for with {field_name('hierarchies')}",
        f"{place.ja}列 '{column}': {rows:,} 個のセル（{kinds:,} 種、例 {example}）は元データの"
        f"値でも読み取れる表記でもありません。{field_name('hierarchies')} で意味を示してください",
    )
    fault = Fault(rule=RULE, line=line, column=column, message=message)
    return InputError(message, faults=[fault])
