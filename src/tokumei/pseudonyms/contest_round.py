"""Runs a contest round: releases × knowledge × attacks, and the ranking.

    board = ContestRound(alphas=[0.25, 1.0], attacks=["S1"]).play(history, {"monthly":
    Pseudonyms()}) board.best.total          # (U + S) / 2, lower is better

U is the judge's utility (the worst of its measures, 0 best); S is the judge's safety: the largest,
over attacks, of the mean over knowledge of the share of customers wholly found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.core.workflow import ParamsByMethod
from tokumei.pseudonyms.anonymizers.pseudonyms import PeriodAnonymizer
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.flow import anonymize, attack, measure
from tokumei.pseudonyms.measures.contest_measures import judge_safety, judge_total

WORST_MEASURE = "worst"
RatesByName = dict[str, Score]


@dataclass(frozen=True, eq=False)
class ScoreboardEntry:
    """One release: what it is worth, and what each attack with each knowledge finds in it."""

    name: str
    step: Mapping[str, object]
    rows_kept: float
    pseudonyms: int
    utility: Mapping[str, Score]
    safety: Mapping[float, Mapping[str, RatesByName]]
    release: PeriodRelease | None = field(default=None, repr=False)

    @property
    def worst_utility_loss(self) -> float:
        """The judge's U."""
        return self.utility[WORST_MEASURE].value

    def mean_rate(self, attack: str) -> float:
        """The mean over knowledge of the share of customers an attack finds wholly."""
        return judge_safety({attack: self._rates_of_attack(attack)})

    @property
    def strongest(self) -> str:
        """The attack with the largest mean (of equal ones the first)."""
        return max(self._attack_names, key=self.mean_rate)

    def highest_rate(self, alpha: float, rate: str = "reid_all") -> Score:
        """The largest rate that any attack reaches with this knowledge."""
        return max((rates[rate] for rates in self.safety[alpha].values()), key=lambda s: s.value)

    @property
    def risk(self) -> float:
        """The judge's S."""
        return judge_safety(
            {attack: self._rates_of_attack(attack) for attack in self._attack_names}
        )

    @property
    def total(self) -> float:
        """(U + S) / 2."""
        return judge_total(self.worst_utility_loss, self.risk)

    @property
    def _attack_names(self) -> list[str]:
        return list(next(iter(self.safety.values())))

    def _rates_of_attack(self, attack: str) -> list[float]:
        return [rates[attack]["reid_all"].value for rates in self.safety.values()]

    def as_json(self) -> dict[str, object]:
        """All figures as plain data."""
        return {
            "name": self.name,
            "step": dict(self.step),
            "rows_kept": self.rows_kept,
            "pseudonyms": self.pseudonyms,
            "utility": {name: score.value for name, score in self.utility.items()},
            "safety": {
                f"{alpha:g}": {
                    attack: {name: score.as_json() for name, score in rates.items()}
                    for attack, rates in attacks.items()
                }
                for alpha, attacks in self.safety.items()
            },
            "strongest": self.strongest,
            "U": self.worst_utility_loss,
            "S": self.risk,
            "total": self.total,
        }


@dataclass(frozen=True, eq=False)
class RoundScoreboard:
    """All releases of a round, in the order given."""

    entries: Sequence[ScoreboardEntry]
    alphas: Sequence[float]
    rows: int
    customers: int
    periods: int
    active_pairs: int

    @property
    def best(self) -> ScoreboardEntry:
        """The entry with the lowest total (of equal ones the first)."""
        return min(self.entries, key=lambda entry: entry.total)

    def as_json(self) -> dict[str, object]:
        """The whole board as plain data; nothing secret is in it."""
        return {
            "rows": self.rows,
            "customers": self.customers,
            "periods": self.periods,
            "active_pairs": self.active_pairs,
            "alphas": list(self.alphas),
            "best": self.best.name,
            "entries": [entry.as_json() for entry in self.entries],
        }


@dataclass(frozen=True)
class ContestRound:
    """What is played: how much is known and how well, which attacks and measures are used."""

    alphas: Sequence[float] = (0.25, 0.5, 0.75, 1.0)
    knowledge: PartialKnowledge = field(
        default_factory=lambda: PartialKnowledge(prefix={"item": 2})
    )
    attacks: Sequence[str] = ()
    measures: Sequence[str] = ()
    params: ParamsByMethod = field(default_factory=dict)

    def play(
        self,
        source: PeriodHistory,
        releases: Mapping[str, str | PeriodAnonymizer],
        *,
        seed: int | None = None,
        sha256: str | None = None,
    ) -> RoundScoreboard:
        """Release, measure, attack; every release meets the same knowledge.

        `sha256` is the digest of the source's file.
        """
        known = {
            alpha: replace(self.knowledge, alpha=alpha).of(source.rows, rng=Randomness(seed))
            for alpha in self.alphas
        }
        work = track_progress(list(releases.items()), Message("releases"))
        entries = [
            self._play_release(
                name, anonymize(source, method, seed=seed, sha256=sha256), source, known, seed
            )
            for name, method in work
        ]
        active = len(np.unique(source.person * source.months.count + source.period))
        people, periods = len(source.master.customers), source.months.count
        return RoundScoreboard(entries, tuple(known), source.rows.rows, people, periods, active)

    def _play_release(
        self,
        name: str,
        release: PeriodRelease,
        source: PeriodHistory,
        known: Mapping[float, PeriodRows],
        seed: int | None,
    ) -> ScoreboardEntry:
        measure_names = list(dict.fromkeys([*(self.measures or ["default"]), WORST_MEASURE]))
        utility = measure(source, release, methods=measure_names, params=self.params)
        safety = {
            alpha: attack(
                source, release, known=rows, methods=self.attacks, params=self.params, seed=seed
            )
            for alpha, rows in known.items()
        }
        kept, names = release.public.rows / source.rows.rows, len(release.public.people)
        return ScoreboardEntry(
            name, release.provenance.steps[0], kept, names, utility, safety, release
        )
