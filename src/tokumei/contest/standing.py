"""Who stands where: pure functions from plain rows to ranks.

Lower is better. A release's safety is the larger of what the organiser's suite and what any other
team found. Only published releases and attacks that count belong into the rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from tokumei.contest.judge.scoring import total_of
from tokumei.contest.spec.model import Scoring


@dataclass(frozen=True)
class Release:
    """A published release with the judge's figures; None where there are none."""

    team: str
    entry: str
    utility: float | None
    suite: float | None
    """S by the organiser's suite."""
    unsafe: bool = False
    """Shown unsafe by the suite."""


@dataclass(frozen=True)
class Attack:
    """What a team found in a release (`target`: the release's entry)."""

    attacker: str
    target: str
    value: float | None
    unsafe: bool = False


@dataclass(frozen=True)
class Standing:
    """A release in its place. `rank` is None without a total: it stands after all numbers."""

    rank: int | None
    team: str
    entry: str
    utility: float | None
    suite: float | None
    safety: float | None
    total: float | None
    unsafe: bool


@dataclass(frozen=True)
class AttackerScore:
    """An attacker's mean over the other teams of the most found there (0 where not attacked)."""

    rank: int
    team: str
    score: float
    broken: int
    """How many teams' releases were shown unsafe."""
    attempts: int


def standings(
    releases: Iterable[Release], attacks: Iterable[Attack], scoring: Scoring
) -> list[Standing]:
    """One place per team, by its best release; equal ones share a rank, ordered by name."""
    best: dict[str, Standing] = {}
    for found in release_standings(releases, attacks, scoring):
        best.setdefault(found.team, found)
    return _ranked(best.values(), scoring.gate)


def release_standings(
    releases: Iterable[Release], attacks: Iterable[Attack], scoring: Scoring
) -> list[Standing]:
    """One place per release, the best first."""
    strongest: dict[str, list[Attack]] = defaultdict(list)
    for attack in attacks:
        strongest[attack.target].append(attack)
    return _ranked(
        (_figures(release, strongest[release.entry], scoring) for release in releases), scoring.gate
    )


def attacker_scores(
    teams: Iterable[str], releases: Sequence[Release], attacks: Iterable[Attack]
) -> list[AttackerScore]:
    """The best attacker first; every team's releases weigh the same."""
    owner = {release.entry: release.team for release in releases}
    held: dict[tuple[str, str | None], list[Attack]] = defaultdict(list)
    for attack in attacks:
        held[attack.attacker, owner.get(attack.target)].append(attack)
    defenders = sorted(set(owner.values()))
    found = [
        _attacker(team, [held[team, other] for other in defenders if other != team])
        for team in sorted(set(teams))
    ]
    found.sort(key=lambda one: (-one.score, one.team))
    places = _places([(-one.score,) for one in found])
    return [replace(one, rank=place) for place, one in zip(places, found, strict=True)]


def _figures(release: Release, attacks: Sequence[Attack], scoring: Scoring) -> Standing:
    others = [attack for attack in attacks if attack.attacker != release.team]
    parts = [release.suite, *(attack.value for attack in others)]
    safety = max((value for value in parts if value is not None), default=None)
    return Standing(
        rank=None,
        team=release.team,
        entry=release.entry,
        utility=release.utility,
        suite=release.suite,
        safety=safety,
        total=total_of(release.utility, safety, scoring.total),
        unsafe=release.unsafe or any(attack.unsafe for attack in others),
    )


def _ranked(found: Iterable[Standing], gate: bool) -> list[Standing]:
    """Sorted: numbers before none, behind a gate safe before unsafe, then by total."""
    ordered = sorted(found, key=lambda one: (*_key(one, gate), one.team, one.entry))
    places = _places([_key(one, gate) for one in ordered])
    return [
        replace(one, rank=None if one.total is None else place)
        for place, one in zip(places, ordered, strict=True)
    ]


def _key(one: Standing, gate: bool) -> tuple[bool, bool, float]:
    return one.total is None, gate and one.unsafe, one.total or 0.0


def _places(keys: Sequence[tuple[object, ...]]) -> list[int]:
    """The places of sorted keys: 1, 2, 2, 4."""
    places: list[int] = []
    for number, key in enumerate(keys):
        same = number > 0 and key == keys[number - 1]
        places.append(places[-1] if same else number + 1)
    return places


def _attacker(team: str, held: Sequence[Sequence[Attack]]) -> AttackerScore:
    """The score of attacks on each of the other teams."""
    best = [max((one.value or 0.0 for one in attacks), default=0.0) for attacks in held]
    broken = sum(any(one.unsafe for one in attacks) for attacks in held)
    return AttackerScore(0, team, fmean(best) if best else 0.0, broken, sum(map(len, held)))
