"""Tests of tokumei.tables.audit.predicates."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from tables.audit.people import mixed
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.released_columns import read_released_columns
from tokumei.tables.audit.singling_out import audit_singling_out


def true_of(row, chosen, person, medians):
    for name in chosen:
        if name in medians and row[name] is not None:
            if person[name] is None:
                return False
            above = row[name] > medians[name]
            if person[name] < row[name] if above else person[name] > row[name]:
                return False
        elif row[name] != person[name]:
            return False
    return True


def slow(release, sides, width, numeric):
    medians = {name: release[name].median() for name in numeric}
    rows = release.to_dicts()
    tried, hits, single = 0, [0, 0], [set(), set()]
    for chosen in combinations(release.columns, width):
        for row in rows:
            if sum(true_of(row, chosen, other, medians) for other in rows) != 1:
                continue
            tried += 1
            for side, frame in enumerate(sides):
                found = [i for i, p in enumerate(frame) if true_of(row, chosen, p, medians)]
                if len(found) == 1:
                    hits[side] += 1
                    single[side].add(found[0])
    return tried, hits, [len(one) for one in single]


@pytest.mark.parametrize("numeric", [("age",), ("age", "pay")])
def test_all_predicates_are_counted(numeric):
    rng = np.random.default_rng(5)
    frames = [mixed(rng, 40) for _ in range(3)]
    frames = [
        frame.with_columns(
            pl.Series("pay", rng.integers(1, 30, 40)),
            # As many gaps everywhere: more in the release would be suppressed cells.
            pl.when(pl.int_range(40) % 13 == 5).then(None).otherwise("age").alias("age"),
        ).select("town", "work", *numeric)
        for frame in frames
    ]
    release, members, control = frames
    columns = read_released_columns(
        release.columns, release, members, pl.concat([members, control]), {}
    )
    assert not any(column.general for column in columns)
    sides = [members.to_dicts(), control.to_dicts()]
    asked = audit_singling_out(columns, 40, rng=Randomness(1), width=2)
    assert [one.equal for one in asked].count(True) == 1
    for one in asked:
        tried, hits, single = slow(release, sides, one.columns, () if one.equal else numeric)
        assert one.predicates == tried
        assert (one.members, one.control) == tuple(single)
        if tried:
            assert one.rate == pytest.approx(hits[0] / tried)
            assert one.control_rate == pytest.approx(hits[1] / tried)
