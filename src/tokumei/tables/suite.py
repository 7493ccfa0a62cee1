"""The whole attack suite and all measures on one release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.core.flow import run_attacks
from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.rates import AttackRate, wilson
from tokumei.core.registry import required_params
from tokumei.tables.attackers.protocol import attack_rate
from tokumei.tables.challenge import TableChallenge
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.knowledge import Knowledge
from tokumei.tables.kind import TABLES
from tokumei.tables.registry import attackers, measures

DEFAULT, ALL = "default", "all"


@dataclass(frozen=True)
class Strongest:
    """The attack that counts. Its interval holds for the maximum of the suite (Bonferroni)."""

    attack: str
    rate: float
    low: float
    high: float
    baseline: float


def attack_suite(
    case: Comparison,
    names: Sequence[str] = (),
    *,
    rng: Randomness,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    as_is: bool = False,
    expected: bool = False,
) -> dict[str, AttackRate]:
    """Run attacks (all by default) on the release and score them against the claimed link.

    The released rows are shuffled first and the truth is carried along, so that no attack gains
    from their order; `as_is` keeps the file's order, as the paper's examples need. `expected`
    gives exact expected rates instead of one draw.
    """
    order = np.arange(case.released.rows)
    if not as_is:
        order = rng.child("attack-order").permutation(case.released.rows)
    public, truth = case.released.take(order), case.link[order]
    challenge = TableChallenge(public, Knowledge(case.original))
    chosen = list(names) or attackers.names()
    given = {
        name: attack_params(name, (params or {}).get(name, {}), as_is=as_is) for name in chosen
    }
    guesses = run_attacks(TABLES, challenge, chosen, params=given, rng=rng)
    found = {}
    for name, guess in guesses.items():
        generator = None if expected else rng.child("attack", name).child("draw").generator
        found[name] = attack_rate(guess, truth, case.original.rows, generator=generator)
    return found


def attack_params(name: str, params: Mapping[str, Any], *, as_is: bool = False) -> dict[str, Any]:
    """An attack's parameters, with what it declares for rows in the file's order or shuffled."""
    order = "in_file_order" if as_is else "when_shuffled"
    return {**getattr(attackers.get(name), order, {}), **params}


def strongest(rates: Mapping[str, AttackRate], confidence: float = 0.95) -> Strongest:
    """The maximum over the suite, with an interval that accounts for having looked at all."""
    name = max(rates, key=lambda attack: rates[attack].rate)
    best = rates[name]
    level = 1 - (1 - confidence) / len(rates)
    low, high = wilson(best.hits, best.released, level)
    return Strongest(name, best.rate, low, high, best.baseline)


def measure_suite(
    case: Comparison,
    names: Sequence[str] = (),
    *,
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Score]:
    """Score the release by measures, named as `chosen_measures` takes them."""
    given = params or {}
    chosen = chosen_measures(names, given)
    return {name: measures.build(name, given.get(name, {})).score(case) for name in chosen}


def chosen_measures(
    names: Sequence[str] = (), params: Mapping[str, Mapping[str, Any]] | None = None
) -> list[str]:
    """Names, each once; `default` (also without names) and `all` stand for several.

    By default all but those on request. All: those that the given parameters suffice for.
    """
    found: list[str] = []
    for name in names or [DEFAULT]:
        if name == DEFAULT:
            found += [n for n in measures.names() if not _on_request(n)]
        elif name == ALL:
            found += [n for n in measures.names() if _suffice(n, (params or {}).get(n, {}))]
        else:
            found.append(name)
    return list(dict.fromkeys(found))


def _on_request(name: str) -> bool:
    return getattr(measures.get(name), "on_request", False)


def _suffice(name: str, given: Mapping[str, Any]) -> bool:
    return set(required_params(measures.get(name))) <= set(given)
