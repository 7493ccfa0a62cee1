"""The ledger's figures: one million people in two releases; all coalitions of three of twenty.

$ python -m bench.ledger
"""

from __future__ import annotations

import time

import numpy as np
import polars as pl

from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.hash_chain import CODE_HIGH, CODE_LOW
from tokumei.ledger.linked_risk import coalition_risks, linked_risk
from tokumei.ledger.presence_and_invariance import compare_membership
from tokumei.ledger.recorded_classes import RecordedClasses

K = 5


def release(people: int, keep: float, seed: int) -> RecordedClasses:
    """Some of the people, in random classes of about 2 k."""
    rng = np.random.default_rng(seed)
    codes = np.random.default_rng(0).integers(0, 2**63, people, dtype=np.uint64)
    who = np.sort(codes[rng.random(people) < keep])
    frame = pl.DataFrame(
        {
            CODE_HIGH: who,
            CODE_LOW: who,
            "class": rng.integers(0, len(who) // (2 * K), len(who), dtype=np.int32),
            "own_0": rng.integers(0, 12, len(who)).astype(np.uint64),
        }
    )
    empty = pl.DataFrame()
    return RecordedClasses(frame, empty, empty)


def main() -> None:
    """Print CPU seconds."""
    two = [release(1_000_000, 0.95, seed) for seed in (1, 2)]
    begun = time.process_time()
    together = ClassMembership.of(two)
    figures = linked_risk(together, [0, 1], K, 1)
    gone = compare_membership(together, 0, 1, K)
    spent = time.process_time() - begun
    print(f"1,000,000 people x 2: {spent:.2f} CPU s ({figures.people:,} in both, {gone.leavers:,})")
    twenty = [release(100_000, 0.9, seed) for seed in range(20)]
    begun = time.process_time()
    found, whole = coalition_risks(ClassMembership.of(twenty), range(20), K, most=3)
    spent = time.process_time() - begun
    print(f"100,000 people x 20: {len(found):,} coalitions in {spent:.1f} CPU s (all: {whole})")


if __name__ == "__main__":
    main()
