"""Marks of missing values among words: read as missing, counted, switchable; codes stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from support.command_line import run
from tokumei.files.column_types import encode_dictionary
from tokumei.tables.profiling.detection.missing_in_text import (
    find_marks,
    kept_mark_messages,
    missing_mark_messages,
    replace_marks,
)

TOWNS = pl.Series("town", ["Oslo", "?", "Hamar", " - ", "N/A", "NA", "Molde", "Ｎ／Ａ", "none"])


CODES = pl.Series("cc", ["DE", "FR", "NA", "ZA", "US", "N/A", "NA"])


@pytest.mark.parametrize("compact", [False, True])
def test_marks_become_gaps_and_words_stay(compact: bool) -> None:
    cells = encode_dictionary(TOWNS) if compact else TOWNS
    read = replace_marks(cells, find_marks(cells)).cast(pl.String).to_list()
    assert read == ["Oslo", None, "Hamar", None, None, None, "Molde", None, "none"]
    assert replace_marks(cells, find_marks(cells)).dtype == cells.dtype
    (said,) = missing_mark_messages(cells)
    assert "(5: -, ?, N/A, NA, Ｎ／Ａ;" in said.show("en")
    assert 'no_normalize=["missing"]' in said.show("en")
    assert 'no_normalize=["missing"]' in said.show("ja")


def test_a_code_that_looks_like_a_mark_stays_and_is_said() -> None:
    assert find_marks(CODES).to_list() == ["N/A"]
    read, kept = missing_mark_messages(CODES)
    assert "(1: N/A;" in read.show("en")
    assert kept.show("en").startswith("cc: NA (2) stays a value")


def test_switched_off_nothing_is_read_or_said() -> None:
    off = frozenset({"missing"})
    assert not len(find_marks(TOWNS, off))
    assert missing_mark_messages(TOWNS, off) == missing_mark_messages(CODES, off) == []


def test_unknown_is_a_word_among_words_and_missing_among_codes_of_a_known_form() -> None:
    assert not len(find_marks(pl.Series("q", ["red", "不明", "blue"])))
    assert not len(find_marks(pl.Series("q", ["red", "unknown", "blue"])))
    postal = pl.Series("q", ["100-0001", "不明", "150-0002", "160-0003"])
    assert find_marks(postal).to_list() == ["不明"]


def _people(path: Path) -> str:
    sick = ["flu", "?", "?", "cold", "?"]
    lines = [f"{20 + i // 5},{'Oslo' if i % 2 else '-'},{sick[i % 5]}" for i in range(40)]
    path.write_text("\n".join(["age,town,disease", *lines]) + "\n", encoding="utf-8")
    return str(path)


def _anonymized(capsys: Any, x: str, y: str, *more: str) -> str:
    roles = ("--qi", "age,town", "--sa", "disease", "--k", "5", "--method", "mondrian")
    code, _, err = run(capsys, "anonymize", "table", "--data", x, "--out", y, *roles, *more)
    assert code == 0, err
    return str(err)


def test_a_release_says_what_was_read_and_attacks_read_it_the_same_way(
    tmp_path: Path, capsys: Any
) -> None:
    x, y, link = (str(tmp_path / name) for name in ("x.csv", "y.csv", "link.csv"))
    told = _anonymized(capsys, _people(tmp_path / "x.csv"), y, "--l", "2", "--secret", link)
    assert "town: marks of missing values read as missing (20: -;" in told
    assert "disease: marks of missing values read as missing (24: ?;" in told
    released = pl.read_csv(y)
    known = released.with_columns(gap=pl.col("disease") == "?").filter(~pl.col("gap"))
    classes = known.group_by("age", "town").agg(pl.col("disease").n_unique())
    assert classes["disease"].min() == 2  # marks are no values: every class shows two others
    assert released["disease"].value_counts().sort("count")["count"].to_list() == [8, 8, 24]
    case = ("--original", x, "--release", y, "--truth", link, "--method", "everything")
    code, _, err = run(capsys, "attack", *case)
    assert code == 0
    assert "town: marks of missing values read as missing" in err
    assert "town 20 → " in err


def test_switched_off_marks_are_values_of_the_release(tmp_path: Path, capsys: Any) -> None:
    x, y = _people(tmp_path / "x.csv"), str(tmp_path / "y.csv")
    told = _anonymized(capsys, x, y, "--no-normalize", "missing")
    assert "read as missing" not in told
    assert pl.read_csv(y)["town"].null_count() == 0


def test_hierarchies_that_somebody_gave_may_name_a_mark(tmp_path: Path, capsys: Any) -> None:
    x, y = _people(tmp_path / "x.csv"), str(tmp_path / "y.csv")
    (tmp_path / "town.csv").write_text("Oslo;Norway;*\n-;elsewhere;*\n", encoding="utf-8")
    (tmp_path / "age.csv").write_text(
        "".join(f"{age};20-29;*\n" for age in range(20, 30)), encoding="utf-8"
    )
    given = ("--hierarchies", str(tmp_path / "{column}.csv"), "--method", "local")
    roles = ("--qi", "age,town", "--sa", "disease", "--k", "5", "--out", y)
    code, _, err = run(capsys, "anonymize", "table", "--data", x, *roles, *given)
    assert code == 0, err
    assert "town: marks" not in err
    assert {*pl.read_csv(y)["town"]} <= {"Oslo", "-", "Norway", "elsewhere", "*"}


def test_a_check_says_that_marks_count_as_values() -> None:
    (said,) = kept_mark_messages(pl.Series("disease", ["flu", "?", "cold"]))
    assert said.show("en").startswith("disease: 1 cell (?) may stand for a missing value")
    assert kept_mark_messages(pl.Series("disease", ["flu", "cold"])) == []


def test_blanks_are_shown_as_such() -> None:
    (said,) = missing_mark_messages(pl.Series("q", ["red", "  ", "blue", " "]))
    assert "(2: ' ';" in said.show("en")


@pytest.mark.parametrize(
    ("odd", "more", "left"),
    [("N/A", ["--no-normalize", "all"], "N/A"), ("abc", ["--bad-cells", "missing"], None)],
)
def test_plain_numbers_that_no_method_changes_leave_as_they_are_written(
    tmp_path: Path, capsys: Any, odd: str, more: list[str], left: str | None
) -> None:
    pay = ["0.50", "1e3", "-0.0", "2", "7.10"] * 5
    frame = pl.DataFrame({"age": [20 + i % 5 for i in range(26)], "pay": [*pay, odd]})
    frame.write_parquet(tmp_path / "x.parquet")
    files = ["--data", str(tmp_path / "x.parquet"), "--out", str(tmp_path / "y.csv")]
    roles = ["--qi", "age", "--sa", "pay", "--k", "5", "--seed", "1"]
    code, _, err = run(capsys, "anonymize", "table", *files, *roles, *more)
    assert code == 0, err
    found = pl.read_csv(tmp_path / "y.csv", infer_schema=False)["pay"]
    assert sorted(found.to_list(), key=str) == sorted([*pay, left], key=str)
