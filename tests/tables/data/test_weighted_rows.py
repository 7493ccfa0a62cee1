"""Tests of tokumei.tables.data.weighted_rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.core.errors import InputError
from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
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
