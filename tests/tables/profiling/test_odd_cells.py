"""A word in a column of numbers: listed, made a gap, and said wherever the original is read."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tables.profiling.odd_cells_samples import ROLES, people
from tokumei.tables.profiling.detection.missing_in_text import find_non_numbers, is_exact_as_float


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
