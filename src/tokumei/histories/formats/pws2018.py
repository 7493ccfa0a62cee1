"""Contest files of 2018: T (also A and what is public), and guesses.

    history = Pws2018().read("T.csv")
    general = Pws2018().read_general("A.csv", history)

They have no header: cid,yyyy/m/d,item,price,quantity; guesses pid,cid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from tokumei.core.cells import cell_fault
from tokumei.core.errors import FAULTS_SHOWN, UsageError
from tokumei.core.text import Text
from tokumei.files.atomic import Output
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.contest_text import ContestText, contest_output, read_contest
from tokumei.files.frames import Frame, source_name
from tokumei.histories.data.columns import unreadable
from tokumei.histories.data.general import PATTERNS
from tokumei.histories.data.history import COLUMNS, NUMBERS, History
from tokumei.histories.formats.layout import PAIR, HistoryLayout

_STRICT = {
    "day": Text(
        "is not a date such as 2011/1/31 (pws2018)", "は 2011/1/31 のような日付ではありません"
    ),
    "price": Text("is not a price such as 2.95", "は 2.95 のような価格ではありません"),
    "quantity": Text("is not a whole number", "は整数ではありません"),
}


@dataclass(frozen=True, kw_only=True)
class Pws2018(HistoryLayout):
    """The contest's file, strict in what it allows; its separator is a comma."""

    name: ClassVar[str] = "pws2018"
    title: ClassVar[Text] = Text("PWS Cup 2018", "PWS Cup 2018")
    reserved: ClassVar[str] = r'[,;{}"\r\n]'
    reserved_signs: ClassVar[Text] = Text(', ; { } " or a line break', ', ; { } " や改行')
    on_spark: ClassVar[bool] = True

    sep: str | None = None
    encoding: str = "auto"

    def __post_init__(self) -> None:
        if self.sep not in (None, ","):
            raise UsageError(
                "the separator of format 'pws2018' is always a comma",
                "形式 'pws2018' の区切り文字は常にコンマです",
            )

    def read(self, path: AnyPath | Frame) -> History:
        """The purchases in a file or frame; all cells that cannot be read are listed."""
        text = read_contest(path, COLUMNS, encoding=self.encoding)
        return contest_history(text, where=source_name(path))

    def read_released(self, path: AnyPath) -> ContestText:
        """The lines of A, or of what is public."""
        return read_contest(path, COLUMNS, encoding=self.encoding)

    def read_pairs(self, path: AnyPath) -> ContestText:
        """Lines `pid,cid` as they are: `check_guess` tells what is wrong with a guess."""
        return read_contest(path, PAIR, encoding=self.encoding)

    @classmethod
    def rows_output(cls, frame: pl.DataFrame, path: AnyPath, *, secret: bool = False) -> Output:
        """Rows without a header, for `write_all`."""
        return contest_output(frame, path, secret=secret)


def contest_history(text: ContestText, *, where: AnyPath = "") -> History:
    """The lines of a pws2018 file as purchases; strict in what the format allows."""
    text.require_regular(where)
    wrong = {name: _wrong(text.frame[name], name) for name in NUMBERS}
    total = sum(len(rows) for rows in wrong.values())
    if total:
        faults = [
            cell_fault(text.frame[name], row, text.line_of, rule=f"history-{name}", wrong=told)
            for name, told in _STRICT.items()
            for row in wrong[name][:FAULTS_SHOWN]
        ]
        faults.sort(key=lambda fault: fault.line or 0)
        raise input_error(where, unreadable(total), faults=faults, total=total)
    plain = History.of(text.frame, where=str(where), line_of=text.line_of, no_normalize=("all",))
    return replace(plain, format=Pws2018.name)


def _wrong(text: pl.Series, name: str) -> list[int]:
    good = text.str.contains(PATTERNS[name]).fill_null(False)
    if name == "day":
        good &= text.str.strptime(pl.Date, "%Y/%m/%d", strict=False).is_not_null()
    return (~good).arg_true().to_list()
