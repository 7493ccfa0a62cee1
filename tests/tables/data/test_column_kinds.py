"""Columns read as another kind than their values suggest."""

from datetime import date

import polars as pl
import pytest

import tokumei as tk
from tokumei.core.errors import InputError, UnknownNameError

FRAME = pl.DataFrame(
    {"code": [1, 2, 2, 3], "text": ["1", "2", "3.5", None], "day": ["2020-01-02"] * 4}
)


def kinds(**given):
    return tk.Table.of(FRAME, qi=["code", "text", "day"], kinds=given)


def test_codes_become_categories_and_are_generalized_to_sets():
    table = kinds(code="category")
    assert table.schema["code"].kind is tk.tables.ColumnKind.CATEGORY
    assert table.frame["code"].to_list() == ["1", "2", "2", "3"]
    release = tk.anonymize(table.drop(["text", "day"]), "mondrian", k=3, seed=1, qi_anyway=["code"])
    assert set(release.public.frame["code"]) == {"{1;2;3}"}


def test_text_becomes_numbers_and_dates():
    table = kinds(text="real", day="date")
    assert table.frame["text"].to_list() == [1.0, 2.0, 3.5, None]
    assert table.frame["day"][0] == date(2020, 1, 2)
    assert table.schema["day"].kind is tk.tables.ColumnKind.DATE


def test_cells_that_do_not_allow_it_are_listed():
    with pytest.raises(InputError, match="'text' cannot be read as integer") as caught:
        kinds(text="integer")
    assert "row 2 (from 0), column 'text': '3.5' is not a valid integer" in str(caught.value)


def test_unknown_kinds_and_columns():
    with pytest.raises(UnknownNameError, match="Did you mean 'category'"):
        kinds(code="categry")
    with pytest.raises(UnknownNameError, match="Did you mean 'code'"):
        kinds(cod="category")
