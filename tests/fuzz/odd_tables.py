"""A random odd table, and the same in every container.

table = odd_table(Random(7))
table.write(folder / "people.parquet")
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

from fuzz.odd_values import NUMBERS, POOLS, cells
from independent.cells import Cells, text_of

NAMES = ["age", "sex", "年齢", "zip code", "x,y", 'the "best"', "A", "a", "Größe", "1", "n;m"]
NAMES += ["two\nlines", " lead", "trail ", "0.5", "=sum", "id", "名前", "値", "b", "c", "d"]
PLAIN = ["age", "sex", "年齢", "zip code", "A", "a", "Größe", "1", "b", "c", "d", "e", "値"]
"""Names that can be given on a command line."""


@dataclass
class OddTable:
    """Columns of Python values with roles; `person` and `id` may be there."""

    columns: dict[str, list[Any]]
    qi: list[str]
    sa: list[str]
    others: list[str]
    ids: list[str] = field(default_factory=list)
    person: str = ""
    pools: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values())))

    def texts(self, name: str) -> list[str]:
        """The cells of a column as a CSV file has them."""
        return [text_of(value) for value in self.columns[name]]

    def write(self, path: Path, sep: str = ",") -> None:
        """As the container that the name says."""
        writers = {".parquet": write_parquet, ".xlsx": write_xlsx}
        if path.suffix in writers:
            writers[path.suffix](self, path)
        else:
            write_csv(self, path, sep)

    def pandas(self) -> Any:
        """As a pandas frame: objects where the values are of several types."""
        import pandas

        return pandas.DataFrame(
            {name: pandas.Series(values, dtype=_dtype(values)) for name, values in self.lists()}
        )

    def lists(self) -> list[tuple[str, list[Any]]]:
        return list(self.columns.items())

    def cells(self) -> Cells:
        """The table itself, as the verifier sees one."""
        rows = [list(row) for row in zip(*self.columns.values(), strict=True)]
        return Cells(list(self.columns), rows)


def odd_table(rng: Random, *, numbers: bool = False, rows: int | None = None) -> OddTable:
    """A table of few rows; with `numbers` the sensitive columns hold numbers, none missing."""
    height = rows or rng.choice((5, 8, 12, 20, 30, 60))
    odd_names = rng.random() < 0.25
    taken = iter(rng.sample(PLAIN, len(PLAIN)))
    strange = iter(rng.sample(NAMES, len(NAMES)))
    columns: dict[str, list[Any]] = {}
    pools: dict[str, str] = {}

    def add(choice: list[str], *, gaps: bool, given: bool) -> str:
        names = taken if given or not odd_names else strange
        name = next(one for one in names if one not in columns)
        pools[name] = rng.choice(choice)
        columns[name] = cells(rng, pools[name], height, gaps=gaps)
        return name

    every = list(POOLS)
    qi = [add(every, gaps=True, given=True) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    pool = list(NUMBERS) if numbers else every
    sa = [add(pool, gaps=not numbers, given=True) for _ in range(rng.choice((0, 1, 1, 2)))]
    others = [add(every, gaps=True, given=False) for _ in range(rng.choice((0, 1, 1, 2)))]
    made = OddTable(columns, qi, sa, others, pools=pools)
    if rng.random() < 0.2:
        made.ids = ["id9"]
        columns["id9"] = [f"p{n}" for n in range(height)]
    if rng.random() < 0.2:
        made.person = "who"
        columns["who"] = [f"w{rng.randrange(max(2, height // 2))}" for _ in range(height)]
    order = rng.sample(list(columns), len(columns))
    made.columns = {name: columns[name] for name in order}
    return made


def write_csv(table: OddTable, path: Path, sep: str = ",") -> None:
    rows = zip(*(table.texts(name) for name in table.columns), strict=True)
    lines = (sep.join(_csv_cell(cell, sep) for cell in row) for row in (table.columns, *rows))
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


def _csv_cell(cell: str, sep: str) -> str:
    """Quoted where it must be; Python's writer forgets that of a lone carriage return."""
    quoted = any(mark in cell for mark in (sep, '"', "\r", "\n"))
    return '"' + cell.replace('"', '""') + '"' if quoted else cell


def write_parquet(table: OddTable, path: Path) -> None:
    """Typed where the values of a column are of one type, else as text."""
    import pyarrow
    from pyarrow import parquet

    made = {name: _arrow(pyarrow, values) for name, values in table.lists()}
    parquet.write_table(pyarrow.table(made), path)


def write_xlsx(table: OddTable, path: Path) -> None:
    """Every cell in its own type, as a spreadsheet may have it."""
    import xlsxwriter

    with xlsxwriter.Workbook(path, {"strings_to_formulas": False}) as book:
        sheet = book.add_worksheet()
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        for place, (name, values) in enumerate(table.lists()):
            sheet.write_string(0, place, name)
            for row, value in enumerate(values, 1):
                _write_cell(sheet, row, place, value, day, moment)


def _write_cell(sheet: Any, row: int, place: int, value: Any, day: Any, moment: Any) -> None:
    if value is None or value == "":
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**53):
        sheet.write_number(row, place, value)
    elif isinstance(value, datetime):
        sheet.write_datetime(row, place, value, moment)
    elif isinstance(value, date) and value.year >= 1900:
        sheet.write_datetime(row, place, value, day)
    else:
        sheet.write_string(row, place, text_of(value))


def _dtype(values: list[Any]) -> Any:
    """What pandas would find by itself, or objects: whole numbers with gaps stay whole."""
    kinds = {type(value) for value in values if value is not None}
    gaps = any(value is None for value in values)
    if kinds == {int} and gaps:
        return "Int64"
    return object if len(kinds) > 1 or kinds & {Decimal, date} else None


def _arrow(pyarrow: Any, values: list[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) == 1 and kinds != {Decimal}:
        return pyarrow.array(values)
    if kinds == {Decimal}:
        return pyarrow.array(values, pyarrow.decimal128(38, 6))
    if not kinds:
        return pyarrow.array(values, pyarrow.string())
    texts = [None if value is None else text_of(value) for value in values]
    return pyarrow.array(texts, pyarrow.string())
