"""Reading the histories that commands work on."""

from __future__ import annotations

from typing import Literal

from tokumei.cli.console import note
from tokumei.cli.options import Format, pairs, split
from tokumei.histories.data.history import History
from tokumei.histories.formats.layout import history_layout


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
    layout = history_layout(
        format.value,
        dashes="--",
        columns=pairs(split(columns)),
        keep=tuple(split(keep) or ()),
        sep=sep,
        encoding=encoding,
    )
    history, notes = layout.read_noted(path)
    for told in notes:
        note(told)
    return history
