"""What whole attacks must and must not find: row order, standardizing, generalized cells."""

from __future__ import annotations

import pytest

from tables.attackers.suite_of_attacks_helpers import euc2
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.noise import Distribution, Noise
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table


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
