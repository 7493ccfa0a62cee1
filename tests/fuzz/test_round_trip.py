"""What is released gives the same classes to whoever reads it: Polars, pandas, Python's csv.

As CSV, as Parquet and as a workbook.
"""

import csv
from collections import Counter

import pandas
import polars as pl
import pytest

from fuzz.cases import make_case
from fuzz.judged import RELEASED, judge, run
from independent.cells import read_cells, text_of

CASES = range(10_000, 10_060)


def by_polars(path, names):
    if path.suffix == ".parquet":
        frame = pl.read_parquet(path).select(names)
        return [tuple(map(text_of, row)) for row in frame.rows()]
    frame = pl.read_csv(path, infer_schema=False)
    return [tuple(map(text_of, row)) for row in frame.select(names).rows()]


def by_pandas(path, names):
    if path.suffix == ".parquet":
        frame = pandas.read_parquet(path, dtype_backend="pyarrow")[names]
        return [tuple(map(_plain, row)) for row in frame.itertuples(index=False, name=None)]
    frame = pandas.read_csv(path, dtype=str, keep_default_na=False, skip_blank_lines=False)
    return list(frame[names].itertuples(index=False, name=None))


def _plain(value):
    return "" if value is pandas.NA else text_of(value)


def by_csv(path, names):
    if path.suffix == ".parquet":
        return read_cells(path).texts(names)
    with path.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    places = [header.index(name) for name in names]
    return [tuple((row or [""])[place] for place in places) for row in rows]


@pytest.mark.long
def test_every_reader_finds_the_same_classes(tmp_path):
    compared = 0
    for number in CASES:
        case = make_case(number)
        if case.out not in ("csv", "parquet") or case.sep != ",":
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        if judge(case, folder).kind != RELEASED:
            continue
        names, path = case.table.qi, case.public(folder)
        found = [Counter(read(path, names)) for read in (by_csv, by_polars, by_pandas)]
        assert found[0] == found[1] == found[2], f"case {number}"
        compared += 1
    assert compared > 10


def test_numbers_read_as_numbers_never_make_a_smaller_class(tmp_path, monkeypatch):
    """With their own types readers may merge `1` and `1.0`, but never split a class."""
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"q": ["1", "1.0", "2", "2.50"] * 3}).write_csv("x.csv")
    args = ["--data", "x.csv", "--qi", "q", "--k", "3", "--out", "y.csv"]
    assert run(["anonymize", "table", *args]).code == 0
    for sizes in (
        pl.read_csv("y.csv")["q"].value_counts()["count"].to_list(),
        pandas.read_csv("y.csv")["q"].value_counts(dropna=False).to_list(),
    ):
        assert min(sizes) >= 3


def test_a_workbook_gives_the_same_classes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [text for text in ["007", "7", "1e5", "=1+1", "北海道", "-0.0"] for _ in range(3)]
    pl.DataFrame({"q": cells, "n": [n // 3 for n in range(18)]}).write_csv("x.csv")
    args = ["--data", "x.csv", "--qi", "q,n", "--k", "3", "--out", "y.xlsx"]
    assert run(["anonymize", "table", *args]).code == 0
    polars = pl.read_excel("y.xlsx", infer_schema_length=0).group_by("q", "n").len()["len"]
    plain = Counter(read_cells("y.xlsx").texts(["q", "n"]))
    assert sorted(polars) == sorted(plain.values()) == [3] * 6
