"""Tables from files: CSV (plain or gzip), Parquet and Excel, by the file's name.

table = read_table("people.csv", qi=["age", "sex"], sa=["income"])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokumei.files.containers import MAX_BYTES, AnyPath
from tokumei.files.reading import load
from tokumei.tables.data.column_kinds import as_kinds
from tokumei.tables.data.infer import schema_for
from tokumei.tables.data.table import Table, require_numbers, simple_frame


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
) -> Table:
    """The table in a file with its roles; sensitive cells must be finite numbers.

    In a `release` they may be generalized as well (`[1;5]`, `{1;2}`, `*`). With `compact`, text
    that repeats itself comes as codes (see `compact.py`).
    """
    loaded = load(path, sep, encoding, MAX_BYTES, compact=compact)
    where = str(path)
    frame = as_kinds(loaded.frame, kinds or {}, where=where, line_of=loaded.line_of)
    plain = simple_frame(frame)
    schema = schema_for(plain, qi=qi, sa=sa, ids=ids, where=where)
    raw = Table(frame, schema)
    require_numbers(raw, schema.sa, where=where, line_of=loaded.line_of, general=release)
    return Table(plain, schema)
