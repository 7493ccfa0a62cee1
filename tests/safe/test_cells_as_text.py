"""Claims are about the text in the file (issue "Safe as said", lines 1, 2 and 4)."""

import csv
import json
from pathlib import Path

import polars as pl
import pytest

from fuzz.judged import run
from independent.cells import read_cells
from independent.verifier import verify

LONG = [f"0.123456789012345678{n}" for n in range(5)]
ENGINES = ["local", "stream"]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(path, names, rows):
    with Path(path).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([names, *rows])


def anonymize(data, *args, out="y.csv", engine="local"):
    where = ["--data", data, "--out", out, "--secret", "link.csv", "--engine", engine]
    return run(["anonymize", "table", *where, "--json", *args])


def check(*args, release="y.csv"):
    return run(["check", "--format", "table", "--release", release, "--json", *args])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("cells", [LONG, ["1", "1", "1", "1", "1.0"], ["0", "-0", "0", "0", "0"]])
def test_check_tells_apart_what_a_reader_of_the_file_tells_apart(cells, engine):
    write("y.csv", ["q"], [[cell] for cell in cells])
    ran = check("--qi", "q", "--k", "5", "--engine", engine)
    assert ran.code == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_check_says_when_numbers_would_make_other_classes(engine):
    """Read as text there are two classes, of 2 and 3 rows; read as numbers one of 5."""
    write("y.csv", ["q"], [["1"], ["1"], ["1"], ["1.0"], ["1.0"]])
    ran = check("--qi", "q", "--k", "2", "--engine", engine)
    assert ran.code == 0
    assert "number" in ran.err


def null_and_empty():
    """Two classes of four rows; the sensitive cell is missing or empty: one value in CSV."""
    return pl.DataFrame({"q": ["a"] * 4 + ["b"] * 4, "s": [None, ""] * 4})


@pytest.mark.parametrize("engine", ENGINES)
def test_missing_and_empty_are_one_value_in_a_csv_file(engine):
    null_and_empty().write_parquet("x.parquet")
    ran = anonymize("x.parquet", "--qi", "q", "--sa", "s", "--k", "2", "--l", "2", engine=engine)
    if ran.code == 0:
        assert verify("y.csv").broken == []
        assert check("--qi", "q", "--sa", "s", "--l", "2").code == 0
    else:
        assert json.loads(ran.out)["ok"] is False
        assert not Path("y.csv").exists()
    assert ran.code != 0, "no file can show two values here"


def signed_zeros():
    """Seen as numbers every class is like the file; written, `0.0` and `-0.0` are two values."""
    values = [0.0] * 4 + [1.0] * 4 + [-0.0] * 4 + [1.0] * 4
    return pl.DataFrame({"q": ["a"] * 8 + ["b"] * 8, "s": values})


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_signed_zeros_are_counted_as_they_are_written(engine, end):
    signed_zeros().write_parquet("x.parquet")
    out = f"y.{end}" if engine == "local" else "y.csv"
    args = ["--qi", "q", "--sa", "s", "--k", "8", "--model", "t=0.1"]
    assert anonymize("x.parquet", *args, out=out, engine=engine).code == 0
    assert verify(out).broken == [], "two classes at distance .25 were called .1"
    assert len(set(read_cells(out).column("q"))) == 1
    assert anonymize("x.parquet", *args[:-1], "t=0.3", out=out, engine=engine).code == 0
    assert verify(out).broken == []
    assert len(set(read_cells(out).column("q"))) == 2


PASSING = {
    "long": ["1234567890123456.1", "12345678901234567890.5", "0.10000000000000000001"] * 2,
    "zeros": ["1.50", "0.0", "-0.0", "0", ".5", "1e3"],
    "dates": ["2020-01-01", "2020-1-1", "2020-01-02T00:00", "", "2020-01-01", "0001-01-01"],
    "text": [" a", "a ", '"', "two\nlines", "", "x,y"],
    "whole": [str(2**63 - 1), str(-(2**63)), "0", "", "-0", "7"],
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", list(PASSING))
def test_columns_that_pass_leave_byte_for_byte(name, engine):
    cells = PASSING[name]
    write("x.csv", ["q", "passes"], [["abab"[n % 2], cell] for n, cell in enumerate(cells)])
    ran = anonymize("x.csv", "--qi", "q", "--pass", "passes", "--k", "2", engine=engine)
    assert ran.code == 0, ran.err
    assert sorted(read_cells("y.csv").column("passes")) == sorted(cells)
    assert verify("y.csv", original="x.csv", link="link.csv").changed == []


def test_columns_that_pass_into_parquet_keep_their_digits():
    cells = PASSING["long"]
    write("x.csv", ["q", "passes"], [["ab"[n % 2], cell] for n, cell in enumerate(cells)])
    assert anonymize("x.csv", "--qi", "q", "--k", "2", out="y.parquet").code == 0
    assert verify("y.parquet", original="x.csv", link="link.csv").changed == []


@pytest.mark.parametrize("engine", ENGINES)
def test_sensitive_columns_that_are_not_touched_keep_their_digits(engine):
    cells = ["1234567890123456.1", "0.10", "12345678901234567890.5", "7"]
    write("x.csv", ["q", "s"], [["ab"[n % 2], cell] for n, cell in enumerate(cells)])
    assert anonymize("x.csv", "--qi", "q", "--sa", "s", "--k", "2", engine=engine).code == 0
    assert verify("y.csv", original="x.csv", link="link.csv").changed == []


SPELLED = ["1", "1.0", "01", "1e0"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("model", ["l=2", "entropy-l=1.5", "alpha=0.6", "recursive=3,2"])
def test_one_number_in_several_spellings_is_one_value(model, engine):
    """Whoever reads the cells as numbers sees one value in class `a`: not diverse."""
    rows = [["a", spelled] for spelled in SPELLED] + [["b", "2"], ["b", "3"]] * 2
    write("x.csv", ["q", "s"], rows)
    args = ["--qi", "q", "--sa", "s", "--k", "2", "--model", model]
    assert anonymize("x.csv", *args, engine=engine).code == 0
    assert verify("y.csv", original="x.csv", link="link.csv").ok
    assert check(*args).code == 0
    write("y.csv", ["q", "s"], rows)
    assert check(*args, "--engine", engine).code == 1


LOOK_ALIKE = {
    "case": ["flu", "Flu", "FLU", "flu"],
    "spaces": ["flu", "flu ", " flu", "flu\u3000"],
    "width": ["flu", "ｆｌｕ", "flu", "ｆlu"],
    "accents": ["caf\u00e9", "cafe\u0301", "caf\u00e9", "cafe\u0301"],
    "invisible": ["flu", "fl\u200bu", "\ufeffflu", "flu\u200d"],
    "booleans": ["True", "true", "TRUE", "true"],
    "nothing": ["flu", "NA", "null", "NaN"],
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", list(LOOK_ALIKE))
def test_what_looks_like_one_value_is_one(kind, engine):
    """Whoever looks at class `a` sees one value: not diverse, though its texts differ."""
    rows = [["a", text] for text in LOOK_ALIKE[kind]] + [["b", "gout"], ["b", "cold"]] * 2
    write("y.csv", ["q", "s"], rows)
    args = ["--qi", "q", "--sa", "s", "--k", "2", "--l", "2"]
    assert check(*args, "--engine", engine).code == 1
    write("x.csv", ["q", "s"], rows)
    assert anonymize("x.csv", *args, engine=engine).code == 0
    assert verify("y.csv", original="x.csv", link="link.csv").ok
    assert {cells[0] for cells in read_cells("y.csv").rows} == {"{a;b}"}


@pytest.mark.parametrize("engine", ENGINES)
def test_closeness_holds_of_texts_and_of_numbers(engine):
    """As numbers all classes are alike; as text they are as different as can be."""
    write("x.csv", ["q", "s"], [["a", "1"]] * 4 + [["b", "1.0"]] * 4)
    args = ["--qi", "q", "--sa", "s", "--k", "2", "--model", "t=0.3"]
    assert anonymize("x.csv", *args, engine=engine).code == 0
    assert verify("y.csv", original="x.csv", link="link.csv").ok
    write("y.csv", ["q", "s"], [["a", "1"]] * 4 + [["b", "1.0"]] * 4)
    assert check(*args, "--engine", engine).code == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_an_order_counts_digits_that_a_float_does_not_hold(engine):
    """As floats all are one number; by their exact sizes the classes are at the two ends."""
    low, high = (f"0.123456789012345678{digit}" for digit in "01")
    rows = [["a", low]] * 4 + [["b", high]] * 4
    write("y.csv", ["q", "s"], rows)
    args = ["--qi", "q", "--sa", "s", "--k", "2", "--model", "t-ordered=0.3"]
    assert check(*args, "--engine", engine).code == 1
    write("x.csv", ["q", "s"], rows)
    anonymize("x.csv", *args, engine=engine, out="z.csv")
    assert not Path("z.csv").exists() or verify("z.csv", original="x.csv", link="link.csv").ok
    write("y.csv", ["q", "s"], [["a", low], ["a", high], ["b", low], ["b", high]] * 2)
    assert check(*args, "--engine", engine).code == 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_a_release_called_tsv_has_tabs(sep, engine):
    Path("x.csv").write_text("".join(f"{a}{sep}{b}\n" for a, b in ["qs", *["ax", "by"] * 3]))
    assert anonymize("x.csv", "--qi", "q", "--k", "2", out="y.tsv", engine=engine).code == 0
    assert read_cells("y.tsv", "\t").names == ["q", "s"]
    assert verify("y.tsv", sep="\t").ok


def test_a_name_with_a_comma_is_given_in_quotation_marks():
    write("x.csv", ["a,b", 'the "best"', " c"], [["1", "2", "3"], ["1", "2", "3"]] * 2)
    ran = anonymize("x.csv", "--qi", '"a,b",the "best"," c"', "--k", "2")
    assert ran.code == 0, ran.err
    assert set(json.loads(ran.out)["columns"].values()) == {"quasi-identifier"}
