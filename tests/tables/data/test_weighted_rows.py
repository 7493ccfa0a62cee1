"""Tests of tokumei.tables.data.weighted_rows."""

from __future__ import annotations

from collections import Counter
from datetime import date

import numpy as np
import polars as pl
import pytest

from tokumei.core.errors import InputError
from tokumei.files.column_types import encode_dictionary
from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.full_row_uniqueness import FullRowUniqueness
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN, class_sizes
from tokumei.tables.evaluation_suite import measure_suite
from tokumei.tables.hierarchies.hierarchy import Hierarchy


class TestLabels:
    """Cells of hierarchies, when it is not known which row they come from."""

    def case(self, labels: dict[str, list[str]], released: list[str]) -> Comparison:
        leaves = list(labels)
        left = pl.DataFrame({"a": leaves, COUNT_COLUMN: [2] * len(leaves)})
        right = pl.DataFrame({"a": released, COUNT_COLUMN: [3] * len(released)})
        sides = [Table(one, schema_for(one, qi=["a"], sa=[], ids=[])) for one in (left, right)]
        return Comparison(*sides, np.empty(0, dtype=np.int64))

    def prec(self, labels, released):
        rows = [[leaf, *names] for leaf, names in labels.items()]
        hierarchy = Hierarchy.of("a", rows)
        chosen = {"hierarchies": {"a": hierarchy}}
        return measure_suite(self.case(labels, released), ["prec"], params={"prec": chosen})

    def test_a_label_that_a_level_repeats_counts_as_the_lowest(self):
        labels = {"p": ["P", "P", "*"], "q": ["P", "P", "*"], "r": ["R", "R", "*"]}
        found = self.prec(labels, ["P", "r"])["prec"].value
        assert found == pytest.approx(1 - 3 * (1 / 3) / 6)

    def test_a_label_of_different_values_is_refused(self):
        labels = {"p": ["P", "Q", "*"], "q": ["Q", "Q", "*"]}
        with pytest.raises(InputError, match="'Q' stands for different values"):
            self.prec(labels, ["Q", "p"])


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
