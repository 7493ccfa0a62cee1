"""Columns as callers of Python name them."""

import pytest

from tokumei.tables.services.requests import column_names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (None, None),
        ("age", ("age",)),
        (["age", "town"], ("age", "town")),
        (0, ("0",)),
        ([0, 1], ("0", "1")),
        ([], ()),
    ],
)
def test_one_name_many_names_and_numbers(names: object, expected: tuple[str, ...] | None) -> None:
    assert column_names(names) == expected
