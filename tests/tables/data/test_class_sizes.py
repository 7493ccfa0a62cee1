"""Sizes of classes, against counting rows one by one."""

from __future__ import annotations

from collections import Counter
from datetime import date

import numpy as np
import polars as pl
import pytest

from tokumei.files.dictionary_encoding import encode_dictionary
from tokumei.tables.data.class_sizes import class_sizes
from tokumei.tables.data.column_report import FullRowUniqueness

DRAWN = np.random.default_rng(1).integers(5, size=(8, 300))
MANY = [pl.Series(f"m{j}", DRAWN[j] * 2**20) for j in range(6)]
COLUMNS = {
    "text": pl.Series("t", ["", "a", "b", None, "ab"])[DRAWN[0]],
    "code": encode_dictionary(pl.Series("c", ["x", "y", "z", None, "w"])[DRAWN[1]]),
    "whole": pl.Series("w", [-3, 7, None, 0, 2**40])[DRAWN[2]],
    "wide": pl.Series("v", [-(2**63), 2**63 - 1, 0, None, 1])[DRAWN[3]],
    "real": pl.Series("r", [0.5, None, 1.0, 2.0, 1e300])[DRAWN[4]],
    "day": pl.Series("d", [date(2020, 1, 1), None, date(1, 1, 1), date(1999, 2, 3), date.max])[
        DRAWN[5]
    ],
}


@pytest.mark.parametrize("names", [["text"], ["real"], ["wide"], ["code", "whole"], list(COLUMNS)])
def test_sizes_are_those_of_a_plain_count(names: list[str]) -> None:
    frame = pl.DataFrame([COLUMNS[name] for name in names])
    plain = Counter(frame.iter_rows()).values()
    assert sorted(class_sizes(frame).tolist()) == sorted(plain)
    found = FullRowUniqueness.of(frame)
    assert (found.smallest, found.alone) == (min(plain), sum(size == 1 for size in plain))


def test_columns_that_one_number_cannot_hold() -> None:
    frame = pl.DataFrame([column.cast(pl.Int64) for column in MANY])
    assert sorted(class_sizes(frame).tolist()) == sorted(Counter(frame.iter_rows()).values())


def test_no_rows_have_no_classes() -> None:
    assert not len(class_sizes(pl.DataFrame({"a": pl.Series([], dtype=pl.Int64)})))
