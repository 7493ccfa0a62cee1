"""Runs all attacks and measures on one release, and attack curves.

rates = attack_suite(case, rng=rng)
points = attack_curve(case, "qi", ["E2"], rng=rng)      # the paper's Figures 2–6
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from tokumei.core.attack_rates import AttackRate, wilson
from tokumei.core.json_types import JsonObject
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.core.registry import required_params
from tokumei.core.workflow import run_attacks
from tokumei.tables.attackers.protocol import Attacker, attack_rate
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.kind import TABLES
from tokumei.tables.registry import attackers, measures, resolve_attack_names


@dataclass(frozen=True, eq=False)
class TableChallenge:
    """The released rows in the order the attacker gets them, and the rows the attacker knows."""

    public: Table = field(repr=False)
    known: Knowledge = field(repr=False)

    def put_to(self, attacker: Attacker, *, rng: Randomness) -> Guess:
        """For every released row, which known row it might be."""
        return attacker.attack(self.public, self.known, rng=rng)


DEFAULT, ALL = "default", "all"
EXACT = Randomness(1)
"""What exact rates draw from: attacks that assign rows one to one break ties by their order, and
an exact rate of the same release is to be the same wherever it is computed."""


@dataclass(frozen=True)
class StrongestAttack:
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
    params: Mapping[str, Mapping[str, object]] | None = None,
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
    challenge = TableChallenge(public, Knowledge(case.original, case.hierarchies))
    chosen = resolve_attack_names(names)
    # What an attack declares for rows in the file's order or shuffled, and what is given.
    declared = "in_file_order" if as_is else "when_shuffled"
    attack_params = {
        name: {**getattr(attackers.get(name), declared, {}), **(params or {}).get(name, {})}
        for name in chosen
    }
    guesses = run_attacks(TABLES, challenge, chosen, params=attack_params, rng=rng)
    rates = {}
    for name, guess in guesses.items():
        generator = None if expected else rng.child("attack", name).child("draw").generator
        rates[name] = attack_rate(
            guess, truth, case.original.rows, generator=generator, people=case.people
        )
    return rates


def find_strongest_attack(
    rates: Mapping[str, AttackRate], confidence: float = 0.95
) -> StrongestAttack:
    """The maximum over the suite, with an interval that accounts for having looked at all."""
    name = max(rates, key=lambda attack: rates[attack].rate)
    best = rates[name]
    level = 1 - (1 - confidence) / len(rates)
    low, high = wilson(best.hits, best.released, level)
    return StrongestAttack(name, best.rate, low, high, best.baseline)


def measure_suite(
    case: Comparison,
    names: Sequence[str] = (),
    *,
    params: Mapping[str, Mapping[str, object]] | None = None,
) -> dict[str, Score]:
    """Score the release by measures, named as `resolve_measure_names` takes them."""
    measure_params = params or {}
    chosen = resolve_measure_names(names, measure_params)
    return {name: measures.build(name, measure_params.get(name, {})).score(case) for name in chosen}


def resolve_measure_names(
    names: Sequence[str] = (), params: Mapping[str, Mapping[str, object]] | None = None
) -> list[str]:
    """Names, each once; `default` (also without names) and `all` stand for several.

    By default all but those on request. All: those that the given parameters suffice for.
    """
    resolved: list[str] = []
    for name in names or [DEFAULT]:
        if name == DEFAULT:
            all_measures = {measure: measures.get(measure) for measure in measures.names()}
            resolved += [
                measure
                for measure in all_measures
                if not getattr(all_measures[measure], "on_request", False)
            ]
        elif name == ALL:
            needed = {
                measure: required_params(measures.get(measure)) for measure in measures.names()
            }
            resolved += [
                measure
                for measure in needed
                if {*needed[measure]} <= {*(params or {}).get(measure, {})}
            ]
        else:
            resolved.append(name)
    return list(dict.fromkeys(resolved))


CurveAxis = Literal["qi", "sa", "rows"]
ROW_STEPS = 10


@dataclass(frozen=True)
class CurvePoint:
    """One attack run: how much it used, how often it was right, how long it took."""

    attack: str
    by: CurveAxis
    used: int
    rate: float
    low: float
    high: float
    baseline: float
    seconds: float

    def as_json(self) -> JsonObject:
        """As plain data."""
        return dict(vars(self))


def attack_curve(
    case: Comparison,
    by: CurveAxis,
    attacks: Sequence[str],
    *,
    rng: Randomness,
    params: Mapping[str, Mapping[str, object]] | None = None,
) -> list[CurvePoint]:
    """Run the attacks with the first 1, 2, … QI or SA, or with growing random parts of the rows."""
    largest = {"qi": len(case.qi), "sa": len(case.sa), "rows": case.released.rows}[by]
    steps = list(range(1, largest + 1))
    if by == "rows":
        steps = sorted({max(2, round(largest * i / ROW_STEPS)) for i in range(1, ROW_STEPS + 1)})
    order = rng.child("rows").permutation(case.released.rows)
    points = []
    for used in track_progress(steps, Message("curve")):
        restricted = _restrict_case(case, by, used, order)
        for attack in attacks:
            started = time.perf_counter()
            rate = attack_suite(restricted, [attack], rng=rng, params=params, expected=True)[attack]
            seconds = time.perf_counter() - started
            points.append(
                CurvePoint(attack, by, used, rate.rate, rate.low, rate.high, rate.baseline, seconds)
            )
    return points


def _restrict_case(case: Comparison, by: CurveAxis, used: int, order: np.ndarray) -> Comparison:
    """The case with fewer QI, fewer SA, or fewer people."""
    if by == "rows":
        return _restrict_rows(case, np.sort(order[:used]))
    qi = case.qi[:used] if by == "qi" else case.qi
    sa = case.sa[:used] if by == "sa" else case.sa
    original = Table.of(case.original, qi=qi, sa=sa)
    return replace(case, original=original, cross=())


def _restrict_rows(case: Comparison, keep: np.ndarray) -> Comparison:
    """Some released rows and the original rows they are linked to."""
    originals, link = np.unique(case.link[keep], return_inverse=True)
    original, released = case.original.take(originals), case.released.take(keep)
    people = None if case.people is None else case.people[originals]
    return replace(
        case, original=original, released=released, link=link.astype(np.int64), people=people
    )
