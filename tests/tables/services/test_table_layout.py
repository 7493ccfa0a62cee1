"""The layout `table` reads what it writes, with roles as they are given."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tokumei.files.atomic_write import write_all
from tokumei.tables.data.table import Table
from tokumei.tables.registry import formats
from tokumei.tables.services.table_layout import TableFile

FRAME = pl.DataFrame({"age": [31, 44], "town": ["Osaka", "東京"], "income": [1.5, 2.25]})


@pytest.mark.parametrize("name", ["x.csv", "x.parquet", "x.arrow", "x.jsonl"])
def test_a_table_comes_back_with_its_roles(tmp_path: Path, name: str) -> None:
    layout = TableFile(qi=("age", "town"), sa=("income",))
    write_all([layout.output(Table.of(FRAME), tmp_path / name)])
    table = layout.read(tmp_path / name)
    assert table.frame.equals(FRAME)
    assert (table.schema.qi, table.schema.sa) == (["age", "town"], ["income"])


def test_separator_and_encoding_are_those_that_are_named(tmp_path: Path) -> None:
    write_all([TableFile(sep=";").output(Table.of(FRAME), tmp_path / "x.csv")])
    assert (tmp_path / "x.csv").read_text(encoding="utf-8").splitlines()[0] == "age;town;income"
    (tmp_path / "y.csv").write_bytes("町\n大阪\n京都\n".encode("cp932"))
    assert TableFile(encoding="cp932", qi=("町",)).read(tmp_path / "y.csv").frame["町"][0] == "大阪"


def test_it_is_the_format_of_tables() -> None:
    assert formats.get("table") is TableFile
