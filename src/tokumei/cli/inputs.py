"""Reading what the commands compare: an original, a release and the link between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.cli.console import note, print_schema
from tokumei.cli.options import Format, pairs, split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.files.links import read_link
from tokumei.histories.data.history import COLUMNS, History
from tokumei.tables.data.infer import infer_schema
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.table import Table

if TYPE_CHECKING:
    from tokumei.tables.data.comparison import Comparison


def read_source(
    path: str,
    *,
    qi: str | None,
    sa: str | None,
    ids: str | None = None,
    kinds: list[str] | None = None,
    sep: str | None,
    encoding: str,
    compact: bool = False,
) -> Table:
    """The source with its roles; says what was inferred, or which columns pass unchanged."""
    table = read_table(
        path,
        qi=split(qi),
        sa=split(sa),
        ids=split(ids),
        kinds=pairs(kinds),
        sep=sep,
        encoding=encoding,
        compact=compact,
    )
    if qi is None and sa is None and ids is None:
        note(
            Text(
                "Roles inferred (override with --qi, --sa, --id):",
                "推定した役割 (--qi, --sa, --id で変更):",
            )
        )
        print_schema(table.schema)
    return table


def warn_of_passed(table: Table) -> None:
    """Say which columns pass unchanged, and which of them look like identifiers."""
    others = table.schema.others
    if not others:
        return
    names = ", ".join(others)
    note(Text(f"Passed unchanged: {names}", f"そのまま通す列: {names}"))
    suspects = ", ".join(infer_schema(table.frame.select(others)).ids)
    if suspects:
        note(
            Text(
                f"WARNING: {suspects} looks like an identifier; drop it with --id",
                f"警告: {suspects} は識別子のようです。--id で削除してください",
            )
        )


def read_case(
    original: str,
    release: str,
    *,
    truth: str | None,
    qi: str | None,
    sa: str | None,
    kinds: list[str] | None = None,
    cross: str | None = None,
    sep: str | None,
    encoding: str,
) -> Comparison:
    """Original and release side by side, through the link file if there is one."""
    from tokumei.tables.releasing.compare import compare

    source = read_source(original, qi=qi, sa=sa, kinds=kinds, sep=sep, encoding=encoding)
    public = read_table(
        release,
        qi=source.schema.qi,
        sa=source.schema.sa,
        sep=sep,
        encoding=encoding,
        release=True,
    )
    if set(COLUMNS) <= {*source.schema.names} & {*public.schema.names}:
        raise UsageError(
            Text(
                "these are purchase histories, not tables; files without a header can be compared "
                "with --format pws2018, others in Python (tokumei.measure)",
                "これは表ではなく購買履歴です。見出しのないファイルは --format pws2018 で、"
                "それ以外は Python (tokumei.measure) で比べられます",
            )
        )
    link = None if truth is None else read_link(truth, public.rows, source.rows)
    return compare(source, public, link=link, cross=split(cross) or ())


def source_history(
    path: str,
    format: Format,
    *,
    columns: str | None = None,
    keep: str | None = None,
    sep: str | None = None,
    encoding: str = "auto",
) -> History:
    """The history in a file; says what cleaning removed."""
    from tokumei.histories.ask.inputs import read_source as read

    named, kept = pairs(split(columns)), tuple(split(keep) or ())
    history, notes = read(path, format.value, columns=named, keep=kept, sep=sep, encoding=encoding)
    for told in notes:
        note(told)
    return history
