"""Reading the histories that commands work on."""

from __future__ import annotations

from typing import Literal

from tokumei.cli.console import note
from tokumei.cli.options import Format, pairs, split
from tokumei.core.text import Text
from tokumei.histories.data.history import History
from tokumei.histories.formats.reading import read_history, read_online_retail


def written_as(format: Format) -> Literal["pws2018", "table"]:
    """The format of what is made from a file of `format`."""
    return "pws2018" if format is Format.pws2018 else "table"


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
    if format is not Format.online_retail:
        named = pairs(split(columns))
        return read_history(path, format=format.value, columns=named, sep=sep, encoding=encoding)
    history, cleaned = read_online_retail(path, keep=split(keep) or (), sep=sep, encoding=encoding)
    for rule in cleaned.rules:
        note(
            Text(
                f"{rule.name}: {rule.removed} rows removed ({rule.title.en})",
                f"{rule.name}: {rule.removed} 行を削除 ({rule.title.ja})",
            )
        )
    return history
