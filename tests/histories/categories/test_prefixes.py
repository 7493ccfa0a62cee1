from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import UsageError
from tokumei.histories.categories.categories import is_nested, prefix_categories, prefix_hierarchy


def test_items_with_the_same_beginning_share_a_category():
    found = prefix_categories(["85123A", "85123B", "22423", "M"], length=5)
    assert found.name == "prefix"
    assert found.of == {"85123A": "85123", "85123B": "85123", "22423": "22423", "M": "M"}


def test_levels_from_fine_to_coarse():
    levels = prefix_hierarchy(iter(["85123A", "85199", "84000"]), lengths=(5, 3, 2, 1))
    assert [level.of["85123A"] for level in levels] == ["85123", "851", "85", "8"]
    assert [len(level.sizes()) for level in levels] == [3, 2, 2, 1]


@given(
    st.lists(st.text("0AB", max_size=6), max_size=30),
    st.sets(st.integers(1, 7), min_size=1).map(lambda chosen: sorted(chosen, reverse=True)),
)
def test_levels_are_nested(codes, lengths):
    levels = prefix_hierarchy(codes, lengths=lengths)
    for fine, coarse in pairwise(levels):
        assert is_nested(fine, coarse)


@pytest.mark.parametrize("lengths", [(), (3, 3), (2, 5), (3, 0), (-1,)])
def test_lengths_must_become_smaller_and_stay_positive(lengths):
    with pytest.raises(UsageError, match="length"):
        prefix_hierarchy(["85123A"], lengths=lengths)
