"""A word in a column of numbers: listed, made a gap, and said wherever the original is read."""

from __future__ import annotations

from pathlib import Path
from random import Random

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tokumei.tables.profiling.detection.missing_in_text import find_non_numbers, is_exact_as_float

ROLES = ["--qi", "age,town", "--sa", "income"]


def people(path: Path) -> str:
    draw = Random(1)
    lines = list[str]()
    for i in range(120):
        age = "forty" if i == 7 else draw.randint(20, 60)
        pay = "n.n." if i == 9 else draw.randint(100, 900)
        lines.append(f"{age},{draw.choice('AB')}x,{pay}")
    path.write_text("\n".join(["age,town,income", *lines]) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("cells", "odd"),
    [
        (["1", "2", "3", "x"], ["x"]),
        (["1", "2", None], []),
        (["a", "b", "1"], []),
        (["a", "b"], []),
    ],
)
def test_few_words_among_numbers_are_odd(cells: list[str | None], odd: list[str]) -> None:
    assert find_non_numbers(pl.Series("q", cells)).to_list() == odd


def test_anonymize_lists_them_and_attacks_and_measures_say_so(tmp_path: Path) -> None:
    x, y, link = people(tmp_path / "x.csv"), str(tmp_path / "y.csv"), str(tmp_path / "l.csv")
    call = ["anonymize", "table", "--data", x, *ROLES, "--k", "5", "--out", y, "--secret", link]
    refused = run(call)
    assert refused.code == 2
    assert "line 9, age: a cell of the form" in refused.err
    assert "line 11, income: a cell of the form" in refused.err
    made = run([*call, "--bad-cells", "missing"])
    assert made.code == 0, made.err
    assert "[" in Path(y).read_text(encoding="utf-8")  # still ranges, not a column of stars
    case = ["--original", x, "--release", y, "--truth", link]
    for command in (["attack", *case, "--method", "linkage"], ["measure", "utility", *case]):
        told = run(command)
        assert told.code == 0
        assert "age: 1 of 120 cells are no numbers (row 8 of the original)" in told.err
        assert "income: 1 of 120 cells are no numbers (row 10 of the original)" in told.err
        assert "count as missing" in told.err
    same = run(["attack", "--original", x, "--release", x, *ROLES, "--method", "everything"])
    assert "the whole column is compared as text" in same.err


def test_a_kind_that_is_said_stays(tmp_path: Path) -> None:
    x, y = people(tmp_path / "x.csv"), str(tmp_path / "y.csv")
    kinds = ["--kind", "age=category", "--kind", "income=category"]
    made = run(["anonymize", "table", "--data", x, *ROLES, *kinds, "--k", "5", "--out", y])
    assert made.code == 0, made.err


def test_long_fractions_stay_texts() -> None:
    exact = pl.Series("q", ["0.125", "123456.789", "1e-7", "-0.5", "x"])
    assert is_exact_as_float(exact)
    assert not is_exact_as_float(pl.Series("q", ["0.1234567890123456783", "x"]))
    assert not is_exact_as_float(pl.Series("q", ["-5217281541614373.671"]))


@pytest.mark.parametrize("mark", ["x", "-", "?"])
def test_numbers_with_more_digits_than_reals_keep_stay_texts(mark: str) -> None:
    digits = [str(2**63 + 2 * (i // 6)) for i in range(60)]
    frame = pl.DataFrame({"q": [*digits, mark, mark], "s": range(62)})
    made = tk.anonymize(frame, "mondrian", k=2, qi=["q"], sa=["s"], qi_anyway=["q"], sets=["q"])
    assert {*made.public.frame["q"].drop_nulls()} <= {*digits, mark}
