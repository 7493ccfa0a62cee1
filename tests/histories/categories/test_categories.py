import polars as pl
import pytest

from tokumei.histories.categories.categories import Categories, is_nested
from tokumei.histories.categories.keywords import (
    OTHER,
    TAXONOMY,
    UNKNOWN,
    category_named,
    display_name,
)


def test_sizes_are_largest_first_and_equal_sizes_by_name():
    categories = Categories("file", {"1": "b", "2": "a", "3": "c", "4": "c"})
    assert list(categories.sizes().items()) == [("c", 2), ("a", 1), ("b", 1)]


def test_share_of_a_category():
    categories = Categories("file", {"1": "b", "2": "a", "3": "a", "4": "a"})
    assert categories.share("a") == 0.75
    assert categories.share("none") == 0
    assert Categories("file", {}).share("a") == 0


def test_frame_is_sorted_by_item_and_text_even_when_empty():
    assert Categories("file", {"b": "x", "a": "y"}).frame().rows() == [("a", "y"), ("b", "x")]
    assert Categories("file", {}).frame().schema == {"item": pl.String, "category": pl.String}


@pytest.mark.parametrize(
    ("coarse", "expected"),
    [
        ({"1": "A", "2": "A", "3": "B"}, True),
        ({"1": "A", "2": "A", "3": "A"}, True),
        ({"1": "A", "2": "B", "3": "B"}, False),
        ({"1": "A", "2": "A"}, False),
    ],
)
def test_nested_means_that_no_fine_category_is_torn(coarse, expected):
    fine = Categories("file", {"1": "a", "2": "a", "3": "b"})
    assert is_nested(fine, Categories("file", coarse)) is expected


def test_the_taxonomy_has_nineteen_names_in_both_languages():
    assert len(TAXONOMY) == len({c.en for c in TAXONOMY}) == len({c.ja for c in TAXONOMY}) == 19
    assert {UNKNOWN, OTHER} <= set(TAXONOMY)


def test_names_are_found_in_either_language():
    assert category_named(" Kitchenware ") is category_named("キッチン用品")
    assert category_named("spaceships") is None
    assert display_name("雑貨", "en") == "general goods"
    assert display_name("general goods", "ja") == "雑貨"
    assert display_name("spaceships", "ja") == "spaceships"
