"""Estimates the people found in a candidate by attackers who know some or all columns.

Of a large table, a random part of the released rows is attacked, always with all known rows: the
rate is then a sample's, and its interval says how much that may be off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tokumei.core.advice.candidate import AttackEstimate
from tokumei.core.attack_rates import AttackRate
from tokumei.core.randomness import Randomness
from tokumei.tables.advice.candidate_figures import CandidateRelease
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.evaluation_suite import attack_suite, find_strongest_attack
from tokumei.tables.registry import attackers
from tokumei.tables.services.comparison_requests import EVERYTHING

MAX_ATTACKED_ROWS = 100_000
"""Up to so many rows all are attacked, with every attack."""
SAMPLE_ROWS = 2_000


def attack_candidate(
    candidate_release: CandidateRelease, known: Sequence[str], people: int, seed: int
) -> tuple[AttackEstimate, AttackEstimate]:
    """The strongest attack of who knows the `known` columns, and of who knows every public one."""
    case, sample = sample_released_rows(candidate_release.case, seed)
    rng = Randomness(seed)
    known_columns = tuple(candidate_release.public(known))
    attack_params = {EVERYTHING: {"known": known_columns}}
    known_rates = attack_suite(case, [EVERYTHING], rng=rng, params=attack_params, expected=True)
    if not known_columns:
        known_rates = {EVERYTHING: replace(known_rates[EVERYTHING], rate=0.0, hits=0.0)}
    names = [EVERYTHING] if sample else [*dict.fromkeys((*attackers.names(), EVERYTHING))]
    full_rates = attack_suite(case, names, rng=rng, expected=True)
    # Who knows everything also knows these columns, though a further one may mislead.
    all_rates = {**full_rates, f"{EVERYTHING} (known)": known_rates[EVERYTHING]}
    return estimate_people_found(known_rates, people, sample), estimate_people_found(
        all_rates, people, sample
    )


def estimate_people_found(
    rates: Mapping[str, AttackRate], people: int, sample: int | None
) -> AttackEstimate:
    """The strongest of some attacks, in people."""
    strongest_attack = find_strongest_attack(rates)
    return AttackEstimate(
        strongest_attack.attack,
        strongest_attack.rate * people,
        strongest_attack.low * people,
        strongest_attack.high * people,
        strongest_attack.baseline * people,
        people,
        sample,
    )


def sample_released_rows(case: Comparison, seed: int) -> tuple[Comparison, int | None]:
    """The case with a random part of the released rows (of people) if there are very many."""
    rows = case.released.rows
    if rows <= MAX_ATTACKED_ROWS:
        return case, None
    rng = Randomness(seed).child("advice", "sample").generator
    if case.people is None:
        row_numbers = np.sort(rng.choice(rows, SAMPLE_ROWS, replace=False))
    else:
        row_people = case.people[case.link]
        sampled_people = rng.choice(
            np.unique(row_people), min(SAMPLE_ROWS, len(np.unique(row_people))), replace=False
        )
        row_numbers = np.flatnonzero(np.isin(row_people, sampled_people))
    sampled_case = replace(
        case, released=case.released.take(row_numbers), link=case.link[row_numbers]
    )
    return sampled_case, len(row_numbers)
