"""Ranks teams: pure functions from score rows to ranks.

Lower is better. A release's safety is the larger of what the organiser's suite and what any other
team found. Only published releases and attacks that count belong into the rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from tokumei.apps.contest.judge.scoring import combine_total
from tokumei.apps.contest.spec.model import Scoring


@dataclass(frozen=True)
class ReleaseScore:
    """A published release with the judge's figures; None where there are none."""

    team: str
    entry: str
    utility: float | None
    suite: float | None
    """S by the organiser's suite."""
    unsafe: bool = False
    """Shown unsafe by the suite."""


@dataclass(frozen=True)
class AttackScore:
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


def rank_teams(
    releases: Iterable[ReleaseScore], attacks: Iterable[AttackScore], scoring: Scoring
) -> list[Standing]:
    """One place per team, by its best release; equal ones share a rank, ordered by name."""
    best: dict[str, Standing] = {}
    for standing in rank_releases(releases, attacks, scoring):
        best.setdefault(standing.team, standing)
    return _sort_and_rank(best.values(), scoring.gate)


def rank_releases(
    releases: Iterable[ReleaseScore], attacks: Iterable[AttackScore], scoring: Scoring
) -> list[Standing]:
    """One place per release, the best first."""
    attacks_by_target: dict[str, list[AttackScore]] = defaultdict(list)
    for attack in attacks:
        attacks_by_target[attack.target].append(attack)
    return _sort_and_rank(
        (
            _score_release(release, attacks_by_target[release.entry], scoring)
            for release in releases
        ),
        scoring.gate,
    )


def rank_attackers(
    teams: Iterable[str], releases: Sequence[ReleaseScore], attacks: Iterable[AttackScore]
) -> list[AttackerScore]:
    """The best attacker first; every team's releases weigh the same."""
    owner = {release.entry: release.team for release in releases}
    attacks_by_pair: dict[tuple[str, str | None], list[AttackScore]] = defaultdict(list)
    for attack in attacks:
        attacks_by_pair[attack.attacker, owner.get(attack.target)].append(attack)
    defenders = sorted(set(owner.values()))
    scores = [
        _score_attacker(
            team, [attacks_by_pair[team, other] for other in defenders if other != team]
        )
        for team in sorted(set(teams))
    ]
    scores.sort(key=lambda score: (-score.score, score.team))
    ranks = _competition_ranks([(-score.score,) for score in scores])
    return [replace(score, rank=rank) for rank, score in zip(ranks, scores, strict=True)]


def _score_release(
    release: ReleaseScore, attacks: Sequence[AttackScore], scoring: Scoring
) -> Standing:
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
        total=combine_total(release.utility, safety, scoring.total),
        unsafe=release.unsafe or any(attack.unsafe for attack in others),
    )


def _sort_and_rank(standings: Iterable[Standing], gate: bool) -> list[Standing]:
    """Sorted: numbers before none, behind a gate safe before unsafe, then by total."""
    ordered = sorted(
        standings,
        key=lambda standing: (*_ranking_key(standing, gate), standing.team, standing.entry),
    )
    ranks = _competition_ranks([_ranking_key(standing, gate) for standing in ordered])
    return [
        replace(standing, rank=None if standing.total is None else rank)
        for rank, standing in zip(ranks, ordered, strict=True)
    ]


def _ranking_key(standing: Standing, gate: bool) -> tuple[bool, bool, float]:
    return standing.total is None, gate and standing.unsafe, standing.total or 0.0


def _competition_ranks(keys: Sequence[tuple[object, ...]]) -> list[int]:
    """The places of sorted keys: 1, 2, 2, 4."""
    ranks: list[int] = []
    for number, key in enumerate(keys):
        same = number > 0 and key == keys[number - 1]
        ranks.append(ranks[-1] if same else number + 1)
    return ranks


def _score_attacker(
    team: str, attacks_by_defender: Sequence[Sequence[AttackScore]]
) -> AttackerScore:
    """The score of attacks on each of the other teams."""
    best = [
        max((attack.value or 0.0 for attack in attacks), default=0.0)
        for attacks in attacks_by_defender
    ]
    broken = sum(any(attack.unsafe for attack in attacks) for attacks in attacks_by_defender)
    return AttackerScore(
        0, team, fmean(best) if best else 0.0, broken, sum(map(len, attacks_by_defender))
    )
