"""Tests of tokumei.tables.audit.released_columns."""

import numpy as np
import polars as pl
import pytest

from tables.audit.people import mixed
from tokumei.tables.audit.released_columns import read_released_column


@pytest.mark.parametrize(("share", "exact"), [(0.2, True), (0.9, False)])
def test_a_few_more_gaps_than_members_have_are_chance(share, exact):
    """Synthetic rows have gaps as people do; cells that were emptied are far more."""
    rng = np.random.default_rng(1)
    people = [mixed(rng, 100) for _ in range(3)]

    def emptied(frame, share):
        lost = pl.Series(rng.random(frame.height) < share)
        return frame.with_columns(pl.when(lost).then(None).otherwise("ill").alias("ill"))

    members, control, more = (emptied(one, 0.2) for one in people)
    release = pl.concat([members, emptied(mixed(rng, 200), share), more])
    both = pl.concat([members, control])
    assert read_released_column(release["ill"], members["ill"], both["ill"], None).general != exact


@pytest.mark.parametrize(("more", "exact"), [(1, True), (9, False)])
def test_marks_for_missing_values_are_chance_as_gaps_are(more, exact):
    """Twice as many rows have twice as many marks; nine times as many were written over values."""
    members = pl.Series("ill", ["flu", "cold", "gout", "-"] * 25)
    release = pl.Series("ill", [*["flu", "cold", "gout"] * (59 - 6 * more), *["-"] * (23 * more)])
    assert read_released_column(release, members, members, None).general != exact


def test_cells_stand_in_an_order_that_does_not_depend_on_the_run():
    """What is drawn with a seed depends on it."""
    values = pl.Series("town", list("abcdefgh") * 3)
    cells = [f"{{{one};{other}}}" for one in "hgfedcba" for other in "abc" if one != other]
    column = read_released_column(pl.Series("town", [*cells, None]), values, values, None)
    texts = [cell.text for cell in column.cells]
    assert texts == [*sorted(set(texts) - {None}), None]
