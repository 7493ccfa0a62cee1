"""Contest files of 2017: M, T (also A(T), S, T_α), and the table F (also a guess of it).

    master, original = read_master("M.csv"), read_rows("T.csv")
    table = read_table("F.csv", periods=12)

Nothing but the number of fields is checked on reading; `verify.periods` lists what is wrong.
"""

from __future__ import annotations

import polars as pl

from tokumei.data.files.atomic import Output
from tokumei.data.files.contest_text import ContestText, contest_output, read_contest
from tokumei.data.files.formats import AnyPath, input_error
from tokumei.data.periods.master import MASTER_COLUMNS, Master
from tokumei.data.periods.pseudonym_table import PseudonymTable
from tokumei.data.periods.rows import PERIOD_COLUMNS, PeriodRows
from tokumei.text import Text


def read_master(path: AnyPath, *, encoding: str = "auto") -> Master:
    """The customers; every identifier once."""
    text = read_contest(path, MASTER_COLUMNS, encoding=encoding)
    text.require_regular(path)
    twice = text.frame["customer"].filter(text.frame["customer"].is_duplicated())
    if len(twice) or not text.rows:
        what = Text("no customers", "顧客がありません")
        if len(twice):
            what = Text(
                f"{twice.n_unique()} customer(s) stand in more than one line",
                f"{twice.n_unique()} 人の顧客が 2 行以上にあります",
            )
        raise input_error(path, what)
    return Master(text.frame)


def read_rows(path: AnyPath, *, encoding: str = "auto") -> PeriodRows:
    """The rows of T, A(T), S or T_α as they are."""
    text = read_contest(path, PERIOD_COLUMNS, encoding=encoding)
    text.require_regular(path)
    return PeriodRows(text.frame)


def table_text(path: AnyPath, periods: int, *, encoding: str = "auto") -> ContestText:
    """The lines of F or of a guess: customer, p1 … pL."""
    return read_contest(path, ["customer", *period_names(periods)], encoding=encoding)


def read_table(path: AnyPath, *, periods: int, encoding: str = "auto") -> PseudonymTable:
    """The table f, or a guess of it."""
    text = table_text(path, periods, encoding=encoding)
    text.require_regular(path)
    return PseudonymTable.of_cells(text.frame["customer"], text.frame.drop("customer"))


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
