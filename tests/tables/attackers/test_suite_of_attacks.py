"""What whole attacks must and must not find: row order, standardizing, generalized cells."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Distribution, Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation_suite import attack_suite


def euc2(case: Comparison, **options: bool) -> float:
    found = attack_suite(case, ["EUC2"], rng=Randomness(3), params={"EUC2": options})
    return found["EUC2"].rate


def test_euc1_lives_on_row_order_and_the_harness_takes_it_away() -> None:
    """Own row numbers as answers are right in an unshuffled file, and say nothing otherwise."""
    people = sample_table(1000, seed=1)
    kept = Mondrian(5).anonymize(people, rng=Randomness(1), shuffle=False)
    case = Comparison.of(people, kept)
    in_order = attack_suite(case, ["EUC1"], rng=Randomness(2), as_is=True)["EUC1"]
    shuffled = attack_suite(case, ["EUC1"], rng=Randomness(2))["EUC1"]
    assert in_order.rate > 0.8
    assert shuffled.rate < 0.05
    # A release shuffled by the anonymizer needs no harness.
    public = Comparison.of(people, Mondrian(5).anonymize(people, rng=Randomness(1)))
    assert attack_suite(public, ["EUC1"], rng=Randomness(2), as_is=True)["EUC1"].rate < 0.05


def test_euc2_does_not_live_on_row_order() -> None:
    people = sample_table(500, seed=2)
    case = Comparison.of(people, Noise(0.5).anonymize(people, rng=Randomness(1), shuffle=False))
    rates = [
        attack_suite(case, ["EUC2"], rng=Randomness(2), as_is=as_is, expected=True)["EUC2"].rate
        for as_is in (True, False)
    ]
    assert rates[0] == pytest.approx(rates[1])


@pytest.mark.long
@pytest.mark.parametrize("distribution", ["uniform", "normal", "laplace"])
def test_standardizing_and_assigning_find_twice_what_raw_distances_find(
    distribution: Distribution,
) -> None:
    """Raw distances hear only the columns with the largest numbers. No QI helps here."""
    people = sample_table(4000, seed=1)
    bare = Table.of(people, qi=[], sa=people.schema.sa)
    noise = Noise(0.6, distribution=distribution)
    case = Comparison.of(bare, noise.anonymize(bare, rng=Randomness(1)))
    raw = euc2(case)
    one_to_one = euc2(case, standardize=True, assign=True)
    print(f"{distribution}: {raw:.3f} raw, {one_to_one:.3f} standardized and one-to-one")
    assert one_to_one >= 2 * raw


def test_reading_generalized_cells_pays() -> None:
    """After Mondrian hardly a QI vector matches as text; the aware attacker uses the cells."""
    people = sample_table(1000, seed=3)
    k_anonymous = Comparison.of(people, Mondrian(4).anonymize(people, rng=Randomness(1)))
    rates = attack_suite(k_anonymous, ["E1", "linkage"], rng=Randomness(2))
    assert rates["E1"].rate < 0.02
    assert rates["linkage"].rate == 1.0  # Mondrian leaves the SA alone
    noisy = Pipeline((Mondrian(4), Noise(0.6))).anonymize(people, rng=Randomness(1))
    case = Comparison.of(people, noisy)
    blind, aware = (euc2(case, standardize=True, aware=aware) for aware in (False, True))
    assert aware > 1.5 * blind


def test_linkage_ignores_unified_columns() -> None:
    people = sample_table(500, seed=4)
    columns = tuple(people.schema.qi)
    case = Comparison.of(people, Unify(columns).anonymize(people, rng=Randomness(1)))
    assert attack_suite(case, ["linkage"], rng=Randomness(2))["linkage"].rate == 1.0


def test_the_same_seed_gives_the_same_rates() -> None:
    people = sample_table(300, seed=5)
    case = Comparison.of(people, Noise(1.0).anonymize(people, rng=Randomness(1)))
    first, again, other = (attack_suite(case, rng=Randomness(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_attacks_do_not_depend_on_the_hidden_link() -> None:
    """Another truth changes the score, never the answers."""
    people = sample_table(300, seed=6)
    release = Noise(0.3).anonymize(people, rng=Randomness(1))
    turned = Comparison(people, release.public, np.roll(release.link, 1))
    honest = Comparison.of(people, release)
    for name, rate in attack_suite(honest, rng=Randomness(2)).items():
        other = attack_suite(turned, [name], rng=Randomness(2))[name]
        assert other.answered == rate.answered
        assert other.rate <= rate.rate
