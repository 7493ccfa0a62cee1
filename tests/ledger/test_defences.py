"""Releases that keep earlier classes: no joint class of 1 … k − 1 is ever made by cutting."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.randomness import Randomness
from tokumei.ledger.linked_risk import group_by_classes
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.table import Table
from tokumei.tables.ledger.algorithm_attacks import attack_algorithm
from tokumei.tables.ledger.cell_widening import CellWidening
from tokumei.tables.ledger.earlier_class_methods import CutKeepingClasses, ReuseClasses
from tokumei.tables.ledger.top_down_cutting import overlapping_classes
from tokumei.tables.verification.claims import claim_violations

QI = ["age", "sex", "area"]


def drawn(rows, seed):
    rng = np.random.default_rng(seed)
    return Table.of(
        pl.DataFrame(
            {
                "age": rng.integers(20, 60, rows),
                "sex": rng.choice(["F", "M"], rows),
                "area": rng.choice([f"a{i}" for i in range(12)], rows),
                "ill": rng.choice(["x", "y", "z"], rows),
            }
        ),
        qi=QI,
        sa=["ill"],
    )


def classes(release, rows):
    found = np.full(rows, -1)
    found[release.link] = equivalence_class_codes(
        release.public.frame.select(pl.col(QI).cast(pl.String)), QI
    )
    return found


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


def test_who_was_in_which_class_is_in_no_manifest():
    table = drawn(60, 0)
    release = ReuseClasses(3, earlier=(np.repeat(np.arange(20), 3),)).anonymize(
        table, rng=Randomness(1)
    )
    told = str(release.manifest()) + repr(release) + repr(ReuseClasses(3, earlier=(np.arange(3),)))
    assert "earlier" not in told
    assert "array" not in told


def test_atoms_hold_together_all_that_overlaps():
    assert (
        overlapping_classes([np.array([0, 0, 1, 1, -1]), np.array([-1, 5, 5, 7, -1])]).tolist()[:4]
        == [overlapping_classes([np.array([0, 0, 1, 1, -1]), np.array([-1, 5, 5, 7, -1])])[0]] * 4
    )
    assert overlapping_classes([np.array([0, -1])]).tolist()[1] == -1


def test_slack_leaves_no_exact_record():
    table = drawn(400, 1)
    method = build_method("mondrian", {"k": 2})
    plain, loose = (
        one.anonymize(table, rng=Randomness(1)) for one in (method, CellWidening(method, 0.3))
    )
    found = []
    for release in (plain, loose):
        frame, public = table.frame, release.public.frame
        readers = {name: ColumnReader.of(frame[name], public[name]) for name in QI}
        found.append(attack_algorithm(frame, public, release.link, QI, ["ill"], readers).exact)
    assert claim_violations(loose.public, loose.claims, loose.written) == []
    assert found[0].right == found[0].claimed > 50
    assert found[1].right == 0


class Choosing(Mondrian):
    """A method that says which steps it chose."""

    def change(self, step, *, rng):
        return replace(super().change(step, rng=rng), found=({"method": "chosen"},))


def test_slack_keeps_the_steps_that_a_method_chose():
    release = CellWidening(Choosing(k=3), 0.3).anonymize(drawn(100, 1), rng=Randomness(1))
    assert [one["method"] for one in release.provenance.steps] == ["mondrian", "slack", "chosen"]
