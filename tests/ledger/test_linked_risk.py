"""Tests of tokumei.ledger.linked_risk."""

import numpy as np
import polars as pl
import pytest

from ledger.defences_helpers import classes, drawn
from ledger.linked_risk_fixtures import adult as adult
from ledger.linked_risk_fixtures import made
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.randomness import Randomness
from tokumei.ledger.linked_risk import group_by_classes
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.data.table import Table
from tokumei.tables.ledger.earlier_class_methods import CutKeepingClasses, ReuseClasses

pytestmark = [pytest.mark.data, pytest.mark.long]


def test_a_safe_second_release_and_what_it_costs(adult):
    qi = [name for name in adult.columns if name not in ("occupation", "id")]
    table = Table.of(adult.drop("id"), qi=qi, sa=["occupation"])
    before = classes_of(made(adult, "mondrian"), qi)
    weights = {name: 3.0 if name in ("age", "education") else 0.3 for name in qi}
    for method in (
        CutKeepingClasses(5, earlier=(before,), weights=weights),
        ReuseClasses(5, earlier=(before,), weights=weights),
    ):
        after = classes_of(method.anonymize(table, rng=Randomness(1)), qi)
        assert group_by_classes([before, after]).sizes.min() >= 5
        assert loss(adult, after, weights) <= 0.043


def classes_of(release, qi):
    found = np.empty(len(release.link), dtype=np.int64)
    found[release.link] = equivalence_class_codes(
        release.public.frame.select(pl.col(qi).cast(pl.String)), qi
    )
    return found


def loss(frame, classes, weights):
    """The mean NCP with weights: width over range, or values over all values."""
    total = 0.0
    for name, weight in weights.items():
        of, values = pl.DataFrame({"c": classes, "v": frame[name]}), frame[name]
        if values.dtype.is_numeric():
            width = of.select((pl.col("v").max() - pl.col("v").min()).over("c")).to_series()
            total += weight * float((width / (values.max() - values.min())).mean())
        else:
            many = of.select(pl.col("v").n_unique().over("c")).to_series()
            total += weight * float((many / values.n_unique()).set(many == 1, 0.0).mean())
    return total / sum(weights.values())


@pytest.mark.parametrize("seed", range(3))
def test_unions_and_the_same_classes_again(seed):
    table = drawn(240, seed)
    before = classes(build_method("local", {"k": 3}).anonymize(table, rng=Randomness(1)), 240)
    after = classes(
        CutKeepingClasses(12, earlier=(before,), whole=True).anonymize(table, rng=Randomness(1)),
        240,
    )
    assert np.bincount(after).min() >= 12
    assert len(group_by_classes([before, after]).sizes) == len(group_by_classes([before]).sizes)
    new = before.copy()
    new[:20] = -1
    again = ReuseClasses(3, earlier=(new,)).anonymize(table, rng=Randomness(1))
    of = classes(again, 240)
    known = (new >= 0) & (of >= 0)
    assert group_by_classes([new[known], of[known]]).sizes.min() >= 3
    assert (of[:20] >= 0).all()


def test_groups_do_not_depend_on_how_they_are_counted():
    rng = np.random.default_rng(0)
    columns = [rng.integers(-1, 40_000, 5_000) for _ in range(3)]
    found = group_by_classes(columns)
    _, slow = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    assert len(found.sizes) == slow.max() + 1
    assert len(np.unique(np.column_stack([found.group, slow]), axis=0)) == len(found.sizes)
