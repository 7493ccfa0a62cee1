import polars as pl
import pytest

from tokumei.histories.categories.keywords import (
    OTHER,
    TAXONOMY,
    UNKNOWN,
    display_name,
)
from tokumei.histories.categories.mapping import Categories, prefix_categories


def test_sizes_are_largest_first_and_equal_sizes_by_name():
    categories = Categories("file", {"1": "b", "2": "a", "3": "c", "4": "c"})
    assert list(categories.sizes().items()) == [("c", 2), ("a", 1), ("b", 1)]


def test_items_with_the_same_beginning_share_a_category():
    found = prefix_categories(["85123A", "85123B", "22423", "M"], length=5)
    assert found.name == "prefix"
    assert found.of == {"85123A": "85123", "85123B": "85123", "22423": "22423", "M": "M"}


def test_frame_is_sorted_by_item_and_text_even_when_empty():
    assert Categories("file", {"b": "x", "a": "y"}).frame().rows() == [("a", "y"), ("b", "x")]
    assert Categories("file", {}).frame().schema == {"item": pl.String, "category": pl.String}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_taxonomy_has_nineteen_names_in_both_languages(language):
    assert len(TAXONOMY) == len({category.show(language) for category in TAXONOMY}) == 19
    assert {UNKNOWN, OTHER} <= set(TAXONOMY)


def test_names_are_found_in_either_language():
    assert display_name(" Kitchenware ", "ja") == display_name("キッチン用品", "ja")
    assert display_name("spaceships", "ja") == "spaceships"
    assert display_name("雑貨", "en") == "general goods"
    assert display_name("general goods", "ja") == "雑貨"
    assert display_name("spaceships", "ja") == "spaceships"
