"""All attacks and all measures on one release, and how an attack depends on how much it uses.

rates = attack_suite(case, rng=rng)
points = attack_curve(case, "qi", ["E2"], rng=rng)      # the paper's Figures 2–6
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from tokumei.core.flow import run_attacks
from tokumei.core.measure import Score
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.rates import AttackRate, wilson
from tokumei.core.registry import required_params
from tokumei.core.text import Text
from tokumei.tables.attackers.protocol import Attacker, attack_rate
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.kind import TABLES
from tokumei.tables.registry import attackers, chosen_attacks, measures


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
    challenge = TableChallenge(public, Knowledge(case.original, case.hierarchies))
    chosen = chosen_attacks(names)
    # What an attack declares for rows in the file's order or shuffled, and what is given.
    declared = "in_file_order" if as_is else "when_shuffled"
    given = {
        name: {**getattr(attackers.get(name), declared, {}), **(params or {}).get(name, {})}
        for name in chosen
    }
    guesses = run_attacks(TABLES, challenge, chosen, params=given, rng=rng)
    found = {}
    for name, guess in guesses.items():
        generator = None if expected else rng.child("attack", name).child("draw").generator
        found[name] = attack_rate(
            guess, truth, case.original.rows, generator=generator, people=case.people
        )
    return found


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
            every = {one: measures.get(one) for one in measures.names()}
            found += [one for one in every if not getattr(every[one], "on_request", False)]
        elif name == ALL:
            needed = {one: required_params(measures.get(one)) for one in measures.names()}
            found += [one for one in needed if {*needed[one]} <= {*(params or {}).get(one, {})}]
        else:
            found.append(name)
    return list(dict.fromkeys(found))


By = Literal["qi", "sa", "rows"]
ROW_STEPS = 10


@dataclass(frozen=True)
class CurvePoint:
    """One attack run: how much it used, how often it was right, how long it took."""

    attack: str
    by: By
    used: int
    rate: float
    low: float
    high: float
    baseline: float
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


def attack_curve(
    case: Comparison,
    by: By,
    attacks: Sequence[str],
    *,
    rng: Randomness,
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[CurvePoint]:
    """Run the attacks with the first 1, 2, … QI or SA, or with growing random parts of the rows."""
    top = {"qi": len(case.qi), "sa": len(case.sa), "rows": case.released.rows}[by]
    steps = list(range(1, top + 1))
    if by == "rows":
        steps = sorted({max(2, round(top * i / ROW_STEPS)) for i in range(1, ROW_STEPS + 1)})
    order = rng.child("rows").permutation(case.released.rows)
    points = []
    for used in track(steps, Text("curve", "曲線")):
        part = _part(case, by, used, order)
        for attack in attacks:
            started = time.perf_counter()
            rate = attack_suite(part, [attack], rng=rng, params=params, expected=True)[attack]
            seconds = time.perf_counter() - started
            points.append(
                CurvePoint(attack, by, used, rate.rate, rate.low, rate.high, rate.baseline, seconds)
            )
    return points


def _part(case: Comparison, by: By, used: int, order: np.ndarray) -> Comparison:
    """The case with fewer QI, fewer SA, or fewer people."""
    if by == "rows":
        return _fewer_people(case, np.sort(order[:used]))
    qi = case.qi[:used] if by == "qi" else case.qi
    sa = case.sa[:used] if by == "sa" else case.sa
    original = Table.of(case.original, qi=qi, sa=sa)
    return replace(case, original=original, cross=())


def _fewer_people(case: Comparison, keep: np.ndarray) -> Comparison:
    """Some released rows and the original rows they are linked to."""
    originals, link = np.unique(case.link[keep], return_inverse=True)
    original, released = case.original.take(originals), case.released.take(keep)
    people = None if case.people is None else case.people[originals]
    return replace(
        case, original=original, released=released, link=link.astype(np.int64), people=people
    )
