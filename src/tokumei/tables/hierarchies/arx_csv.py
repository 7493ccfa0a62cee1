"""Hierarchies in ARX's CSV form: a line per leaf, no header, `leaf;level 1;…;*`.

rows = parse_arx(data, where="age.csv")         # with lines, unchecked
data = arx_bytes(hierarchy)
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.csv_layout import Layout, lay_out
from tokumei.files.csv_text import SEPARATORS, check_separator, detect_separator, header_bytes
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.rows import MAX_LEVELS, LevelRows

_EMPTY = Text("the file is empty", "ファイルが空です")


def parse_arx(data: bytes, *, sep: str | None = None, where: AnyPath) -> LevelRows:
    """The rows of a UTF-8 text with their lines; blank lines do not count.

    An empty cell is a label without a name (a leaf without a name stands for missing values).
    """
    data = data if b"\n" in data else data.replace(b"\r", b"\n")
    if not data.strip():
        raise input_error(where, _EMPTY)
    sep = check_separator(sep) if sep else separator_of_levels(data)
    layout = _layout(data, sep, where)
    frame = _cells(data, sep, layout, where)
    blank = (layout.fields == 1) & ((frame["0"] == "") | frame["0"].is_null()).to_numpy()
    rows = LevelRows(frame, layout.lines, str(where))
    return rows.take(np.flatnonzero(~blank)) if blank.any() else rows


def arx_bytes(hierarchy: Hierarchy, *, sep: str = ";") -> bytes:
    """The hierarchy as ARX writes it."""
    text = hierarchy.frame().write_csv(separator=check_separator(sep), include_header=False)
    return text.encode()


def separator_of_levels(data: bytes) -> str:
    """What stands before the `*` that ends the first line; else what it has most of."""
    head = header_bytes(data.lstrip(b"\r\n"))
    before = head.strip().removesuffix(b'"*"').removesuffix(b"*")[-1:].decode(errors="replace")
    return before if before in SEPARATORS else detect_separator(head)


def _layout(data: bytes, sep: str, where: AnyPath) -> Layout:
    layout = lay_out(data, sep)
    if isinstance(layout, Fault):
        raise _malformed(where, [layout])
    if int(layout.fields.max()) > MAX_LEVELS:
        line = int(layout.lines[int(layout.fields.argmax())])
        much = Text(f"line {line}: too many levels", f"{line} 行目: 段が多すぎます")
        raise _malformed(where, [Fault(rule="fields", line=line, message=much)])
    return layout


def _cells(data: bytes, sep: str, layout: Layout, where: AnyPath) -> pl.DataFrame:
    """Text cells by level; null only where a row has stopped."""
    names = [str(level) for level in range(int(layout.fields.max()))]
    head = (sep.join(names) + "\n").encode()
    try:
        frame = pl.read_csv(
            head + data,
            separator=sep,
            infer_schema=False,
            quote_char='"' if b'"' in data else None,
        )
    except pl.exceptions.PolarsError:
        raise _malformed(where, []) from None
    if frame.height != layout.records:
        raise _malformed(where, [])
    sizes = pl.Series(layout.fields)
    return frame.select(
        pl.when(sizes > level).then(pl.col(name).fill_null("")).alias(name)
        for level, name in enumerate(names)
    )


def _malformed(where: AnyPath, faults: list[Fault]) -> Exception:
    reason = Text("the lines do not form a table", "表として読めない行があります")
    return input_error(where, reason, faults=faults)
