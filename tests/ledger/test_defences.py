"""Releases that keep earlier classes: no joint class of 1 … k − 1 is ever made by cutting."""

from dataclasses import replace

import numpy as np
import pytest

from ledger.defences_helpers import classes, drawn
from tokumei.core.randomness import Randomness
from tokumei.ledger.linked_risk import group_by_classes
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.ledger.cell_widening import CellWidening
from tokumei.tables.ledger.earlier_class_methods import CutKeepingClasses
from tokumei.tables.verification.claims import claim_violations


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("first", ["mondrian", "local", "random"])
def test_no_cut_makes_a_small_joint_class(seed, first):
    table, k = drawn(240, seed), 3
    rng = np.random.default_rng(seed)
    if first == "random":
        before = rng.permutation(np.repeat(np.arange(40), 6))
        before[rng.random(240) < 0.3] = -1
    else:
        before = classes(build_method(first, {"k": k}).anonymize(table, rng=Randomness(1)), 240)
    sizes = np.bincount(before[before >= 0])
    for method in (
        CutKeepingClasses(k, earlier=(before,)),
        CutKeepingClasses(k, earlier=(before,), wait=True),
    ):
        release = method.anonymize(table, rng=Randomness(seed))
        assert claim_violations(release.public, release.claims, release.written) == []
        after = classes(release, 240)
        both = (before >= 0) & (after >= 0)
        found = group_by_classes([before[both], after[both]])
        least = np.minimum(k, sizes[before[both]])
        assert (found.k >= least).all()
        assert not method.wait or (found.k >= k).all()


class Choosing(Mondrian):
    """A method that says which steps it chose."""

    def change(self, step, *, rng):
        return replace(super().change(step, rng=rng), chosen_steps=({"method": "chosen"},))


def test_slack_keeps_the_steps_that_a_method_chose():
    release = CellWidening(Choosing(k=3), 0.3).anonymize(drawn(100, 1), rng=Randomness(1))
    assert [one["method"] for one in release.provenance.steps] == ["mondrian", "slack", "chosen"]
