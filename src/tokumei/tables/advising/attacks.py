"""Whom attackers find in a candidate: one who knows some columns, one who knows all of them.

Of a large table, a random part of the released rows is attacked, always with all known rows: the
rate is then a sample's, and its interval says how much that may be off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tokumei.core.advice.candidate import Found
from tokumei.core.randomness import Randomness
from tokumei.tables.advising.measured import Made
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.registry import attackers
from tokumei.tables.services.comparison_requests import EVERYTHING
from tokumei.tables.suite import attack_suite, strongest

ALL_ROWS = 100_000
"""Up to so many rows all are attacked, with every attack."""
SAMPLE = 2_000


def attacks_of(made: Made, known: Sequence[str], people: int, seed: int) -> tuple[Found, Found]:
    """The strongest attack of who knows the `known` columns, and of who knows every public one."""
    case, sample = sampled(made.case, seed)
    rng = Randomness(seed)
    shown = tuple(made.public(known))
    named = {EVERYTHING: {"known": shown}}
    by_known = attack_suite(case, [EVERYTHING], rng=rng, params=named, expected=True)
    if not shown:
        by_known = {EVERYTHING: replace(by_known[EVERYTHING], rate=0.0, hits=0.0)}
    names = [EVERYTHING] if sample else [*dict.fromkeys((*attackers.names(), EVERYTHING))]
    by_all = attack_suite(case, names, rng=rng, expected=True)
    # Who knows everything also knows these columns, though a further one may mislead.
    most = {**by_all, f"{EVERYTHING} (known)": by_known[EVERYTHING]}
    return found(by_known, people, sample), found(most, people, sample)


def found(rates: Mapping[str, Any], people: int, sample: int | None) -> Found:
    """The strongest of some attacks, in people."""
    best = strongest(rates)
    return Found(
        best.attack,
        best.rate * people,
        best.low * people,
        best.high * people,
        best.baseline * people,
        people,
        sample,
    )


def sampled(case: Comparison, seed: int) -> tuple[Comparison, int | None]:
    """The case with a random part of the released rows (of people) if there are very many."""
    rows = case.released.rows
    if rows <= ALL_ROWS:
        return case, None
    rng = Randomness(seed).child("advice", "sample").generator
    if case.people is None:
        chosen = np.sort(rng.choice(rows, SAMPLE, replace=False))
    else:
        who = case.people[case.link]
        some = rng.choice(np.unique(who), min(SAMPLE, len(np.unique(who))), replace=False)
        chosen = np.flatnonzero(np.isin(who, some))
    part = replace(case, released=case.released.take(chosen), link=case.link[chosen])
    return part, len(chosen)
