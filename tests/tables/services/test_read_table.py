"""Tests of tokumei.tables.services.read_table."""

from __future__ import annotations

from pathlib import Path

import fastexcel
import polars as pl
import pytest

import tokumei as tk
from support.command_line import exit_code as run
from tables.services.anonymize_helpers import ROLES, people, write
from tokumei.core.errors import InputError
from tokumei.files.reading import detect_file_separator


def test_in_files_the_line_is_named(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,x\n2,y\n")
    assert tk.read_table(path, kinds={"a": "category"}).frame["a"].to_list() == ["1", "2"]
    with pytest.raises(InputError, match="line 2, column 'b': 'x' is not a valid real"):
        tk.read_table(path, kinds={"b": "real"})


QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]


pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def adult(real_data):
    return real_data / "adult" / "adult.csv"


def test_it_reads_as_it_is(adult):
    table = tk.read_table(adult)
    assert table.rows == 30_162
    assert detect_file_separator(adult) == ";"
    assert table.schema["age"].kind is tk.tables.ColumnKind.INTEGER


@pytest.mark.parametrize("k", [5, 50])
def test_mondrian_is_k_anonymous_by_the_independent_check(adult, k, tmp_path):
    table = tk.read_table(adult, qi=QI, sa=[])
    release = tk.anonymize(table, "mondrian", k=k, sets=["native-country"], seed=1)
    tk.save(release, tmp_path / "y.csv", sep=";")
    written = pl.read_csv(tmp_path / "y.csv", separator=";", infer_schema=False)
    assert written.group_by(QI).len()["len"].min() >= k
    assert tk.check(written, qi=QI, k=k) == []
    assert tk.check(table, qi=QI, k=2)
    assert tk.measure(table, release)["gcp_sets"].value < 0.2


def test_raw_adult_has_the_published_classes(adult):
    """Eight QI: 12,458 distinct tuples in 30,162 rows."""
    table = tk.read_table(adult, qi=[*QI, "salary-class"], sa=[])
    scores = tk.measure(table, table, methods=["S1", "S2"])
    assert scores["S2"].sample == 12_458
    assert scores["S1"].value == 1


def test_python_reads_what_the_command_reads(tokumei):
    write("titled")
    with pytest.warns(UserWarning, match="title lines"):
        table = tk.read_table("x.csv", **ROLES)
    assert table.frame.equals(people().cast({"age": pl.Int64, "pay": pl.Int64}))


def test_the_ledger_goes_to_excel_and_back_without_its_people(tmp_path: Path) -> None:
    source = tmp_path / "台帳.csv"
    assert run("sample", "table", "--messy", "ja", "--rows", 80, "--seed", 1, "--out", source) == 0
    text = source.read_bytes().decode("cp932")
    asked = ["anonymize", "table", "--data", source, "--id", "備考", "--k", 5, "--seed", 1]
    assert run(*asked, "--out", tmp_path / "y.csv", "--excel", "--secret", tmp_path / "l.csv") == 0
    public = (tmp_path / "y.csv").read_bytes()
    assert public.startswith(b"\xef\xbb\xbf")
    lines = [line.split(",") for line in text.splitlines()[2:-1]]
    for cells in lines:
        assert cells[1].encode() not in public  # name
        assert cells[6].encode() not in public  # telephone
    assert run(*asked, "--out", tmp_path / "y.xlsx") == 0
    pages = fastexcel.read_excel(tmp_path / "y.xlsx").load_sheet(0).to_polars()
    assert pages.columns == tk.read_table(tmp_path / "y.csv").schema.names
    assert pages["来店回数"].dtype.is_numeric()
    both = ["--original", source, "--release", tmp_path / "y.csv", "--truth", tmp_path / "l.csv"]
    assert run("attack", *both, "--method", "everything", "--json") == 0
