"""Counts of consistent purchases against a double loop over all rows."""

from collections import Counter

from hypothesis import given, settings

from histories.attackers.consistency_helpers import fast_counts, read, slow_counts
from support.released_histories import smalls


@given(smalls())
def test_counts_equal_the_double_loop(small):
    assert fast_counts(small) == slow_counts(small)
    assert fast_counts(small, numbers=False) == slow_counts(small, numbers=False)


@settings(max_examples=40)
@given(smalls())
def test_every_released_row_belongs_to_its_pseudonym(small):
    released, _ = read(small)
    rows = Counter(cells[0] for cells in small.left)
    assert dict(zip(released.pseudonyms, released.rows_per_pseudonym, strict=True)) == dict(rows)
