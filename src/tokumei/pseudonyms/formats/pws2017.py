"""Layout of the 2017 contest: M, T (also A(T), S, T_α), and the table F (also a guess).

    master, original = read_master("M.csv"), read_rows("T.csv")
    table = read_table("F.csv", periods=12)
    history = Pws2017(master="M.csv").read("T.csv")

Nothing but the number of fields is checked on reading; `verify.periods` lists what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.messages import Message
from tokumei.core.registry import Layout
from tokumei.files.atomic_write import Output
from tokumei.files.contest_files import (
    CONTEST_SUFFIXES,
    ContestRows,
    contest_file_output,
    read_contest_file,
)
from tokumei.files.file_formats import MAX_BYTES, AnyPath, FileFormat, detect_format, input_error
from tokumei.files.frame_conversion import ArrowFrame, source_name
from tokumei.files.reading import read_parquet
from tokumei.pseudonyms.data.period_history import MASTER_COLUMNS, CustomerMaster, PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows


@dataclass(frozen=True, kw_only=True)
class Pws2017(Layout[PeriodHistory]):
    """The contest's T with the customers M in a file of their own (`master`)."""

    name: ClassVar[str] = "pws2017"
    title: ClassVar[Message] = Message.verbatim("PWS Cup 2017")

    master: AnyPath
    encoding: str = "auto"

    def read(self, path: AnyPath | ArrowFrame) -> PeriodHistory:
        """The purchases with their customers; cells that cannot be used are listed by line."""
        return read_period_history(path, self.master, encoding=self.encoding)

    def output(self, history: PeriodHistory, path: AnyPath) -> Output:
        """T itself, for `write_all`; `master_output` writes M."""
        return rows_output(history.rows, path)

    def outputs(self, history: PeriodHistory, path: AnyPath) -> list[Output]:
        """T and M."""
        return [self.output(history, path), master_output(history.master, self.master)]


def read_master(
    path: AnyPath | ArrowFrame | CustomerMaster, *, encoding: str = "auto"
) -> CustomerMaster:
    """The customers in a file or frame, unless they are there already; every identifier once."""
    if isinstance(path, CustomerMaster):
        return path
    text, path = read_contest_file(path, MASTER_COLUMNS, encoding=encoding), source_name(path)
    text.require_regular(path)
    duplicates = text.frame["customer"].filter(text.frame["customer"].is_duplicated())
    if len(duplicates) or not text.rows:
        reason = Message("no customers")
        if len(duplicates):
            reason = Message(
                "{count} customer is on more than one line",
                plural="{count:,} customers are on more than one line",
                count=duplicates.n_unique(),
            )
        raise input_error(path, reason)
    return CustomerMaster(text.frame)


def read_rows(path: AnyPath | ArrowFrame | PeriodRows, *, encoding: str = "auto") -> PeriodRows:
    """The rows of T, A(T), S or T_α in a file or frame as they are, or those already read."""
    if isinstance(path, PeriodRows):
        return path
    text = read_contest_file(path, PERIOD_COLUMNS, encoding=encoding)
    text.require_regular(source_name(path))
    return PeriodRows(text.frame)


def read_period_history(
    path: AnyPath | ArrowFrame, master: AnyPath | ArrowFrame, *, encoding: str = "auto"
) -> PeriodHistory:
    """The original T with its customers M; cells that cannot be used are listed by line."""
    rows, customers = read_rows(path, encoding=encoding), read_master(master, encoding=encoding)
    return PeriodHistory.of(rows, customers, where=source_name(path), line_of=lambda row: row + 1)


def read_table_text(path: AnyPath, periods: int, *, encoding: str = "auto") -> ContestRows:
    """The lines of F or of a guess: customer, p1 … pL."""
    return read_contest_file(path, ["customer", *period_column_names(periods)], encoding=encoding)


def read_table(path: AnyPath, *, periods: int, encoding: str = "auto") -> PseudonymTable:
    """The table f, or a guess of it."""
    text = read_table_text(path, periods, encoding=encoding)
    text.require_regular(path)
    return PseudonymTable.of_cells(text.frame["customer"], text.frame.drop("customer"))


def count_periods(path: AnyPath, *, encoding: str = "auto") -> int:
    """How many periods the table of a file has, by its first line."""
    if detect_format(path, CONTEST_SUFFIXES) is FileFormat.PARQUET:
        period_count = read_parquet(path, MAX_BYTES).width - 1
    else:
        fields = read_contest_file(path, ["customer"], encoding=encoding).fields
        period_count = int(fields[0]) - 1 if len(fields) else 0
    if period_count < 1:
        raise input_error(path, Message("no pseudonyms"))
    return period_count


def read_guess_map(path: AnyPath, *, encoding: str = "auto") -> pl.DataFrame:
    """A guess as a map: period (1 the first), pseudonym, customer."""
    text = read_contest_file(path, ("period", "pseudonym", "customer"), encoding=encoding)
    text.require_regular(path)
    period = text.frame["period"].cast(pl.Int64, strict=False)
    if (bad_lines := period.is_null().arg_true()).len():
        line = text.line_of(int(bad_lines[0]))
        reason = Message("line {line}: no period number", line=line)
        raise input_error(path, reason)
    return text.frame.with_columns(period)


def rows_output(rows: PeriodRows, path: AnyPath, *, secret: bool = False) -> Output:
    """Rows as a contest file, for `write_all`."""
    return contest_file_output(rows.cells, path, secret=secret)


def table_output(table: PseudonymTable, path: AnyPath, *, secret: bool = True) -> Output:
    """A table as a contest file, for `write_all`."""
    return contest_file_output(table.cells(), path, secret=secret)


def master_output(master: CustomerMaster, path: AnyPath) -> Output:
    """Customers as a contest file, for `write_all`."""
    return contest_file_output(master.frame.select(pl.col(MASTER_COLUMNS)), path)


def period_column_names(periods: int) -> list[str]:
    """The columns of a table: p1 … pL."""
    return [f"p{place}" for place in range(1, periods + 1)]
