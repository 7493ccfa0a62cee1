"""Reads tables with a header from CSV (plain or gzip), Parquet or Excel files.

table = read_table("people.csv", qi=["age", "sex"], sa=["income"])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokumei.files.file_formats import MAX_BYTES, AnyPath, ContentGetter
from tokumei.files.reading import load_frame
from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
from tokumei.tables.data.simple_frame import require_simple_frame
from tokumei.tables.data.table import Table, require_numbers


def read_table(
    path: AnyPath,
    *,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
    release: bool = False,
    compact: bool = False,
    content: ContentGetter | None = None,
) -> Table:
    """The table in a file with its roles; sensitive numbers must be finite, unless in a `release`.

    With `compact`, text that repeats itself comes as codes (`files/column_types.py`).
    `content`: what was read ahead of a text file (`files/file_formats.py`).
    """
    loaded = load_frame(path, sep, encoding, MAX_BYTES, compact=compact, content=content)
    where = str(path)
    frame = cast_to_kinds(loaded.frame, kinds or {}, where=where, line_of=loaded.line_of)
    plain = require_simple_frame(frame)
    schema = schema_for(plain, qi=qi, sa=sa, ids=ids, where=where)
    raw = Table(frame, schema)
    if not release:
        require_numbers(raw, schema.sa, where=where, line_of=loaded.line_of, texts=True)
    spelled = {name: cells for name, cells in loaded.spelled.items() if name not in (kinds or {})}
    return Table(plain, schema, spelled)
