"""SPSS, Stata and SAS: what is read is what the file says, and labels survive a release."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from files.reading_helpers import error_of
from support.sql_tables import random_table
from tokumei.core.errors import UsageError
from tokumei.files.reading import read_frame
from tokumei.files.statistical_files import encode_labels, read_labels
from tokumei.files.writing import write_frame

pyreadstat = pytest.importorskip("pyreadstat")

LABELS = {"sex": {1: "male", 2: "female", 3: "not said"}, "age": {99: "refused"}}
DESCRIBED = {"sex": "Sex of the head", "age": "Age in years"}
WRITABLE = ["sav", "zsav", "dta", "xpt"]


def survey(rows: int = 60) -> pl.DataFrame:
    """Answers as codes."""
    return pl.DataFrame(
        {
            "sex": [1.0 + row % 2 for row in range(rows)],
            "age": [20.0 + row % 7 for row in range(rows)],
            "income": [1000.5 + row * row % 97 for row in range(rows)],
            "town": [["Osaka", "東京", "Nara"][row % 3] for row in range(rows)],
        }
    )


def write_survey(path: Path, frame: pl.DataFrame | None = None) -> Path:
    """The answers in a file, with labels where the format has them."""
    frame = survey() if frame is None else frame
    if path.suffix == ".dta":
        pyreadstat.write_dta(
            frame, str(path), variable_value_labels=LABELS, column_labels=DESCRIBED
        )
    else:
        pyreadstat.write_sav(
            frame, str(path), variable_value_labels=LABELS, column_labels=DESCRIBED
        )
    return path


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_labels_are_read_where_all_values_have_one(tmp_path: Path, suffix: str) -> None:
    frame = read_frame(write_survey(tmp_path / f"x.{suffix}"))
    assert frame["sex"].to_list()[:3] == ["male", "female", "male"]
    assert frame["age"].dtype == pl.Int64
    assert frame["income"].dtype == pl.Float64
    labels = read_labels(tmp_path / f"x.{suffix}")
    assert labels.codes["sex"] == {"male": 1, "female": 2, "not said": 3}
    assert labels.columns == DESCRIBED
    assert read_labels(tmp_path / "none.csv").codes == {}


@pytest.mark.parametrize("suffix", WRITABLE)
@pytest.mark.parametrize("seed", range(6))
def test_a_round_trip_gives_the_same_cells(tmp_path: Path, suffix: str, seed: int) -> None:
    frame = random_table(seed).rename({'to"wn': "town"})
    moments = [datetime(2026, 1, 2, 3, 4, 5), None]
    frame = frame.with_columns(
        pl.Series("moment", [moments[row % 2] for row in range(frame.height)], pl.Datetime("us")),
        pl.Series("flag", [[True, False, None][row % 3] for row in range(frame.height)]),
    )
    path = tmp_path / f"x.{suffix}"
    write_frame(frame, path)
    read = read_frame(path)
    assert read.columns == frame.columns
    for name, dtype in frame.schema.items():
        wanted = frame[name].cast(pl.String) if dtype == pl.Boolean else frame[name]
        if wanted.dtype == pl.String:
            # These files know no difference between an empty text and none.
            assert read[name].to_list() == [cell or None for cell in wanted.to_list()], name
        else:
            assert read[name].cast(pl.String).to_list() == [
                None if cell is None else str_of(cell, read[name]) for cell in wanted.to_list()
            ], name


def str_of(cell: object, read: pl.Series) -> str:
    """A cell as the column that was read writes it: 1.0 is 1 in a column of whole numbers."""
    return str(pl.Series([cell]).cast(read.dtype).cast(pl.String)[0])


@pytest.mark.parametrize("suffix", WRITABLE)
def test_equal_frames_give_equal_bytes_without_the_moment(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x.{suffix}"
    write_frame(survey(), path)
    first = path.read_bytes()
    assert b"2000" in first[:400] or b"01JAN00" in first or b"01 Jan 00" in first[:120]
    write_frame(survey(), path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_a_release_keeps_codes_labels_and_descriptions(
    tmp_path: Path, suffix: str, tokumei: Any
) -> None:
    source, out = write_survey(tmp_path / f"x.{suffix}"), tmp_path / f"y.{suffix}"
    ran = tokumei(
        *("anonymize", "table", "--data", source, "--method", "mondrian", "--k", 5, "--seed", 1),
        *("--qi", "sex,age,town", "--sa", "income", "--out", out, "--secret", "link.csv"),
    )
    assert ran.code == 0, ran.err
    read = pyreadstat.read_sav if suffix == "sav" else pyreadstat.read_dta
    frame, metadata = read(str(out), output_format="polars")
    names = metadata.variable_value_labels["sex"]
    present = set(frame["sex"].drop_nulls())
    # Only labels that occur; those of the source have their codes, new cells have new ones.
    assert present == set(names)
    old = {1: "male", 2: "female", 3: "not said"}
    assert all(old[code] == text for code, text in names.items() if code in old)
    assert all(text not in old.values() for code, text in names.items() if code not in old)
    assert "not said" not in names.values()
    assert metadata.column_names_to_labels["sex"] == "Sex of the head"
    checked = tokumei(
        "check", "--format", "table", "--release", out, "--qi", "sex,age,town", "--k", 5
    )
    assert checked.code == 0, checked.out


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_a_release_of_plain_labels_has_the_same_codes(
    tmp_path: Path, suffix: str, tokumei: Any
) -> None:
    source, out = write_survey(tmp_path / f"x.{suffix}"), tmp_path / f"y.{suffix}"
    ran = tokumei(
        *("anonymize", "table", "--data", source, "--method", "mondrian", "--k", 2, "--seed", 1),
        *("--qi", "sex", "--pass", "town", "--drop", "age,income", "--out", out),
        *("--secret", "link.csv"),
    )
    assert ran.code == 0, ran.err
    read = pyreadstat.read_sav if suffix == "sav" else pyreadstat.read_dta
    frame, metadata = read(str(out), output_format="polars")
    assert sorted(frame["sex"]) == sorted(survey()["sex"])
    assert metadata.variable_value_labels == {"sex": {1: "male", 2: "female"}}


def test_profiles_see_the_labels(tmp_path: Path, tokumei: Any) -> None:
    labelled = tokumei("look", write_survey(tmp_path / "x.sav"), "--json").json
    words = read_frame(tmp_path / "x.sav")
    write_frame(words, tmp_path / "x.csv")
    plain = tokumei("look", tmp_path / "x.csv", "--json").json
    assert labelled["format"] == "spss"
    meanings = [[column["type"] for column in one["columns"]] for one in (labelled, plain)]
    assert meanings[0] == meanings[1]


def test_values_that_are_declared_missing_are_missing(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20.0, 99.0, 30.0]})
    pyreadstat.write_sav(frame, str(tmp_path / "x.sav"), missing_ranges={"age": [99]})
    assert read_frame(tmp_path / "x.sav")["age"].to_list() == [20, None, 30]


def test_labels_that_tell_no_codes_apart_are_left_alone(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0]})
    path = tmp_path / "x.sav"
    pyreadstat.write_sav(frame, str(path), variable_value_labels={"a": {1: "same", 2: "same"}})
    assert read_frame(path)["a"].to_list() == [1, 2]
    assert read_labels(path).codes == {}


def test_what_a_format_cannot_hold_leaves_as_text_or_is_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"n": [2**60 + 1, 1], "moment": [datetime(2026, 1, 1, 0, 0, 0, 5)] * 2, "x": ["a", "b"]}
    )
    write_frame(frame, tmp_path / "x.sav")
    read = read_frame(tmp_path / "x.sav")
    assert read["n"].to_list() == [str(2**60 + 1), "1"]
    assert read["moment"].dtype == pl.String
    for bad, word in (
        (pl.DataFrame({"a b": [1]}), "cannot be written"),
        (pl.DataFrame({"a": ["x" * 40_000]}), "too long"),
        (pl.DataFrame({"a": ["x  "]}), "as they are"),
    ):
        with pytest.raises(UsageError, match=word):
            write_frame(bad, tmp_path / "y.sav")
        assert not (tmp_path / "y.sav").exists()
    with pytest.raises(UsageError, match="only be read"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / "y.sas7bdat")


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    for name in ("x.sav", "x.xpt", "x.sas7bdat"):
        (tmp_path / name).write_bytes(b"a,b\n1,2\n")
        assert "not what its name says" in error_of(tmp_path / name).message.show("en")
    path = write_survey(tmp_path / "x.sav")
    for bytes_kept in (40, 200, 500):
        (tmp_path / "cut.sav").write_bytes(path.read_bytes()[:bytes_kept])
        assert "damaged" in error_of(tmp_path / "cut.sav").message.show("en")
    (tmp_path / "x.dta").write_bytes(b"nothing of the kind")
    assert "damaged" in error_of(tmp_path / "x.dta").message.show("en")


def test_codes_of_labels_are_those_of_the_source_and_new_ones_follow() -> None:
    codes = {"low": 1.0, "high": 7.0}
    numbers, labels = encode_labels(pl.Series("a", ["high", None, "{low;high}", "low"]), codes)
    assert numbers.to_list() == [7.0, None, 8.0, 1.0]
    assert labels == {1.0: "low", 7.0: "high", 8.0: "{low;high}"}


def test_days_survive(tmp_path: Path) -> None:
    frame = pl.DataFrame({"day": [date(1899, 5, 6), None, date(2026, 1, 1)]})
    for suffix in WRITABLE:
        write_frame(frame, tmp_path / f"x.{suffix}")
        assert read_frame(tmp_path / f"x.{suffix}").equals(frame, null_equal=True), suffix
