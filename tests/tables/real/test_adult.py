"""UCI Adult as ARX prepared it: `;`-separated, CRLF, 30,162 rows. Read in place, never copied."""

import polars as pl
import pytest

import tokumei as tk
from tokumei.files.reading import detect_file_separator

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
