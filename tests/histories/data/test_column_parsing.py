"""What the further values of a history are like."""

import polars as pl
import pytest

from tokumei.histories.data.column_parsing import infer_value_type, is_value_column


@pytest.mark.parametrize(
    ("cells", "like"),
    [
        (["2011-01-31", "2011-02-01"], "day"),
        (["1.5", "20"], "price"),
        (["red", "blue"], "item"),
        (["007", "008"], "item"),
    ],
)
def test_values_are_days_numbers_or_words(cells: list[str], like: str) -> None:
    assert infer_value_type(pl.Series(cells)) == like


def test_further_values_are_named_by_number() -> None:
    assert is_value_column("value1")
    assert is_value_column("value12")
    assert not is_value_column("price")
    assert not is_value_column("value")
