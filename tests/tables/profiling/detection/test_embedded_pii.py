"""Tests of tokumei.tables.profiling.detection.embedded_pii."""

import polars as pl
import pytest

from tokumei.tables.profiling.detection.embedded_pii import MAYBE_PII_PATTERN


@pytest.mark.parametrize(
    "cell", ["fine", "arrived late", "元気です", "かなり良い、とのこと", "12 boxes", "A4"]
)
def test_plain_words_are_not(cell):
    assert not pl.Series([cell]).str.contains(MAYBE_PII_PATTERN).item()
