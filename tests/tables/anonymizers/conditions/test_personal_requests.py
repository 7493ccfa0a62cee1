"""What people ask for in columns of their own: hidden cells, and larger classes."""

import polars as pl
import pytest

from tokumei.core.errors import InputError
from tokumei.tables.anonymizers.conditions.personal_requests import (
    hide_cells,
    parse_hidden_cells,
    personal_k_column,
)

QI = ["age", "town"]


def test_attributes_are_named_with_any_separator() -> None:
    wishes = pl.Series("hide", ["age; town", "town", None, "age、town", ""])
    assert parse_hidden_cells(wishes, QI).tolist() == [
        [True, True],
        [False, True],
        [False, False],
        [True, True],
        [False, False],
    ]


def test_only_quasi_identifiers_can_be_hidden() -> None:
    with pytest.raises(InputError, match="'pay' is not a quasi-identifier"):
        parse_hidden_cells(pl.Series("hide", ["pay"]), QI)


def test_hidden_cells_become_stars_and_the_others_stay() -> None:
    frame = pl.DataFrame({"age": ["30", "40"], "town": ["Kobe", "Nara"], "pay": ["1", "2"]})
    hidden = hide_cells(frame, QI, parse_hidden_cells(pl.Series("hide", ["town", ""]), QI))
    assert hidden.rows() == [("30", "*", "1"), ("40", "Nara", "2")]


def test_a_number_below_the_methods_own_asks_for_nothing() -> None:
    guarded = personal_k_column(pl.Series("wanted", ["20", "2", None]), min_k=3)
    assert [condition.numbers[1] for condition in guarded.conditions] == [20]


@pytest.mark.parametrize("wish", ["0", "2.5", "many"])
def test_a_wish_that_is_no_number_of_people_is_refused(wish: str) -> None:
    with pytest.raises(InputError, match=f"'{wish}' is not a number of people"):
        personal_k_column(pl.Series("wanted", ["3", wish]), min_k=2)
