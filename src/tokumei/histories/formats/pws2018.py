"""Layout of the 2018 contest: T, A, the public file, and guesses.

    history = Pws2018().read("T.csv")
    general = Pws2018().read_general("A.csv", history)

They have no header: cid,yyyy/m/d,item,price,quantity; guesses pid,cid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UsageError
from tokumei.core.generalized_cells import cell_violation
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.files.contest_files import ContestRows, contest_file_output, read_contest_file
from tokumei.files.file_formats import AnyPath, input_error
from tokumei.files.frame_conversion import ArrowFrame, source_name
from tokumei.histories.data.column_parsing import unreadable_message
from tokumei.histories.data.generalized_history import CELL_PATTERNS
from tokumei.histories.data.history import COLUMNS, NUMBERS, History
from tokumei.histories.formats.layout import GUESS_COLUMNS, HistoryLayout

_CELL_ERRORS = {
    "day": Message("'{cell}' is not a date such as 2011/1/31 (pws2018)"),
    "price": Message("'{cell}' is not a price such as 2.95"),
    "quantity": Message("'{cell}' is not a whole number"),
}


@dataclass(frozen=True, kw_only=True)
class Pws2018(HistoryLayout):
    """The contest's file, strict in what it allows; its separator is a comma."""

    name: ClassVar[str] = "pws2018"
    title: ClassVar[Message] = Message.verbatim("PWS Cup 2018")
    reserved: ClassVar[str] = r'[,;{}"\r\n]'
    reserved_signs: ClassVar[Message] = Message(', ; { } " or a line break')
    on_spark: ClassVar[bool] = True

    sep: str | None = None
    encoding: str = "auto"

    def __post_init__(self) -> None:
        if self.sep not in (None, ","):
            raise UsageError("the separator of format 'pws2018' is always a comma")

    def read(self, path: AnyPath | ArrowFrame) -> History:
        """The purchases in a file or frame; all cells that cannot be read are listed."""
        text = read_contest_file(path, COLUMNS, encoding=self.encoding)
        return parse_contest_history(text, where=source_name(path))

    def read_released(self, path: AnyPath) -> ContestRows:
        """The lines of A, or of what is public."""
        return read_contest_file(path, COLUMNS, encoding=self.encoding)

    def read_pairs(self, path: AnyPath) -> ContestRows:
        """Lines `pid,cid` as they are: `check_guess` tells what is wrong with a guess."""
        return read_contest_file(path, GUESS_COLUMNS, encoding=self.encoding)

    @classmethod
    def rows_output(cls, frame: pl.DataFrame, path: AnyPath, *, secret: bool = False) -> Output:
        """Rows without a header, for `write_all`."""
        return contest_file_output(frame, path, secret=secret)


def parse_contest_history(text: ContestRows, *, where: AnyPath = "") -> History:
    """The lines of a pws2018 file as purchases; strict in what the format allows."""
    text.require_regular(where)
    malformed = {name: _malformed_rows(text.frame[name], name) for name in NUMBERS}
    total = sum(len(rows) for rows in malformed.values())
    if total:
        faults = [
            cell_violation(text.frame[name], row, text.line_of, rule=f"history-{name}", wrong=error)
            for name, error in _CELL_ERRORS.items()
            for row in malformed[name][:MAX_SHOWN_VIOLATIONS]
        ]
        faults.sort(key=lambda fault: fault.line or 0)
        raise input_error(where, unreadable_message(total), faults=faults, total=total)
    plain = History.of(text.frame, where=str(where), line_of=text.line_of, no_normalize=("all",))
    return replace(plain, format=Pws2018.name)


def _malformed_rows(text: pl.Series, name: str) -> list[int]:
    good = text.str.contains(CELL_PATTERNS[name]).fill_null(False)
    if name == "day":
        good &= text.str.strptime(pl.Date, "%Y/%m/%d", strict=False).is_not_null()
    return (~good).arg_true().to_list()
