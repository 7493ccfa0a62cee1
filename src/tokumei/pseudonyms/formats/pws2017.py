"""Contest files of 2017: M, T (also A(T), S, T_α), and the table F (also a guess of it).

    master, original = read_master("M.csv"), read_rows("T.csv")
    table = read_table("F.csv", periods=12)
    history = Pws2017(master="M.csv").read("T.csv")

Nothing but the number of fields is checked on reading; `verify.periods` lists what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.registry import Layout
from tokumei.core.text import Text
from tokumei.files.atomic import Output
from tokumei.files.containers import MAX_BYTES, AnyPath, Format, format_of, input_error
from tokumei.files.contest_text import CONTEST_SUFFIXES, ContestText, contest_output, read_contest
from tokumei.files.frames import Frame, source_name
from tokumei.files.reading import read_parquet
from tokumei.pseudonyms.data.history import MASTER_COLUMNS, Master, PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows


@dataclass(frozen=True, kw_only=True)
class Pws2017(Layout[PeriodHistory]):
    """The contest's T with the customers M in a file of their own (`master`)."""

    name: ClassVar[str] = "pws2017"
    title: ClassVar[Text] = Text("PWS Cup 2017", "PWS Cup 2017")

    master: AnyPath
    encoding: str = "auto"

    def read(self, path: AnyPath | Frame) -> PeriodHistory:
        """The purchases with their customers; cells that cannot be used are listed by line."""
        return read_period_history(path, self.master, encoding=self.encoding)

    def output(self, history: PeriodHistory, path: AnyPath) -> Output:
        """T itself, for `write_all`; `master_output` writes M."""
        return rows_output(history.rows, path)

    def outputs(self, history: PeriodHistory, path: AnyPath) -> list[Output]:
        """T and M."""
        return [self.output(history, path), master_output(history.master, self.master)]


def read_master(path: AnyPath | Frame | Master, *, encoding: str = "auto") -> Master:
    """The customers in a file or frame, unless they are there already; every identifier once."""
    if isinstance(path, Master):
        return path
    text, path = read_contest(path, MASTER_COLUMNS, encoding=encoding), source_name(path)
    text.require_regular(path)
    twice = text.frame["customer"].filter(text.frame["customer"].is_duplicated())
    if len(twice) or not text.rows:
        what = Text("no customers", "顧客がありません")
        if len(twice):
            what = Text(
                f"{twice.n_unique()} customer(s) are on more than one line",
                f"{twice.n_unique()} 人の顧客が 2 行以上にあります",
            )
        raise input_error(path, what)
    return Master(text.frame)


def read_rows(path: AnyPath | Frame | PeriodRows, *, encoding: str = "auto") -> PeriodRows:
    """The rows of T, A(T), S or T_α in a file or frame as they are, or those already read."""
    if isinstance(path, PeriodRows):
        return path
    text = read_contest(path, PERIOD_COLUMNS, encoding=encoding)
    text.require_regular(source_name(path))
    return PeriodRows(text.frame)


def read_period_history(
    path: AnyPath | Frame, master: AnyPath | Frame, *, encoding: str = "auto"
) -> PeriodHistory:
    """The original T with its customers M; cells that cannot be used are listed by line."""
    rows, customers = read_rows(path, encoding=encoding), read_master(master, encoding=encoding)
    return PeriodHistory.of(rows, customers, where=source_name(path), line_of=lambda row: row + 1)


def table_text(path: AnyPath, periods: int, *, encoding: str = "auto") -> ContestText:
    """The lines of F or of a guess: customer, p1 … pL."""
    return read_contest(path, ["customer", *period_names(periods)], encoding=encoding)


def read_table(path: AnyPath, *, periods: int, encoding: str = "auto") -> PseudonymTable:
    """The table f, or a guess of it."""
    text = table_text(path, periods, encoding=encoding)
    text.require_regular(path)
    return PseudonymTable.of_cells(text.frame["customer"], text.frame.drop("customer"))


def periods_in(path: AnyPath, *, encoding: str = "auto") -> int:
    """How many periods the table of a file has, by its first line."""
    if format_of(path, CONTEST_SUFFIXES) is Format.PARQUET:
        found = read_parquet(path, MAX_BYTES).width - 1
    else:
        fields = read_contest(path, ["customer"], encoding=encoding).fields
        found = int(fields[0]) - 1 if len(fields) else 0
    if found < 1:
        raise input_error(path, "no pseudonyms", "仮名がありません")
    return found


def read_map(path: AnyPath, *, encoding: str = "auto") -> pl.DataFrame:
    """A guess as a map: period (1 the first), pseudonym, customer."""
    text = read_contest(path, ("period", "pseudonym", "customer"), encoding=encoding)
    text.require_regular(path)
    period = text.frame["period"].cast(pl.Int64, strict=False)
    if (wrong := period.is_null().arg_true()).len():
        line = text.line_of(int(wrong[0]))
        what = Text(f"line {line}: no period number", f"{line} 行目: 期間の番号がありません")
        raise input_error(path, what)
    return text.frame.with_columns(period)


def rows_output(rows: PeriodRows, path: AnyPath, *, secret: bool = False) -> Output:
    """Rows as a contest file, for `write_all`."""
    return contest_output(rows.cells, path, secret=secret)


def table_output(table: PseudonymTable, path: AnyPath, *, secret: bool = True) -> Output:
    """A table as a contest file, for `write_all`."""
    return contest_output(table.cells(), path, secret=secret)


def master_output(master: Master, path: AnyPath) -> Output:
    """Customers as a contest file, for `write_all`."""
    return contest_output(master.frame.select(pl.col(MASTER_COLUMNS)), path)


def period_names(periods: int) -> list[str]:
    """The columns of a table: p1 … pL."""
    return [f"p{place}" for place in range(1, periods + 1)]
