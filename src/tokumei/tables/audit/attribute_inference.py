"""Attribute inference: guesses for members against the same guesses for others.

Success on members against success on people who are not in the data, with the same attack: what
works on both is knowledge of the population, not leakage.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy import sparse

from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.tables.audit.attack_statistics import Interval, risk_above_control
from tokumei.tables.audit.attacker_view import AttackerObservation
from tokumei.tables.audit.attribute_guessers import GUESSER_TITLES, AttributeGuesser
from tokumei.tables.audit.control_matching import ControlMatching, MatchedRisk
from tokumei.tables.audit.sensitive_values import SensitiveValues

PROBABLE_CHANCE = 0.9
CONFIDENCE_BANDS = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
MOST_FREQUENT = "most-frequent"


@dataclass(frozen=True)
class GuessResult:
    """One attack: success on both sides, the risk above the control, and how sure it was.

    `certain`: members for whom every released row that fits has the same value; `probable`:
    members guessed with a probability of at least .9; each with the share that is right.
    """

    name: str
    title: Message
    members: float
    control: float
    risk: Interval
    matched: MatchedRisk
    certain: int
    certain_right: float | None
    probable: int
    probable_right: float | None
    calibration: tuple[tuple[float, float, int, float], ...]

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            **MatchedRisk(self.members, self.control, self.risk).as_json(),
            "matched": self.matched.as_json(),
            "certain": self.certain,
            "certain_right": self.certain_right,
            "probable": self.probable,
            "probable_right": self.probable_right,
            "calibration": [
                {"from": low, "to": high, "members": count, "right": right}
                for low, high, count, right in self.calibration
            ],
        }


@dataclass(frozen=True)
class AttributeInference:
    """All attacks on a sensitive column; `strongest` by the risk, at the corrected level.

    `baselines`: success on members and control without the release.
    """

    column: str
    attacks: dict[str, GuessResult]
    strongest: str
    corrected: Interval
    baselines: dict[str, tuple[float, float]]
    untold: int
    tolerance: float | None

    @property
    def best(self) -> GuessResult:
        """The strongest attack."""
        return self.attacks[self.strongest]

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            "attacks": {name: attack.as_json() for name, attack in self.attacks.items()},
            "strongest": {"attack": self.strongest, **self.corrected.as_json()},
            "baselines": {
                name: {"members": member_rate, "control": control_rate}
                for name, (member_rate, control_rate) in self.baselines.items()
            },
            "released_without_value": self.untold,
            "tolerance": self.tolerance,
        }


def audit_attribute(
    seen: AttackerObservation, sensitive: SensitiveValues, member: np.ndarray, column: str
) -> AttributeInference:
    """Make all guesses and judge them; `member` tells who of the targets is one."""
    guesser = AttributeGuesser(seen, sensitive)
    judge = _GuessJudge(seen, sensitive, member, guesser)
    chances_by_name = guesser.chances()
    attacks = {name: judge.score_attack(name, chances) for name, chances in chances_by_name.items()}
    best_name = max(attacks, key=lambda name: attacks[name].risk.value)
    is_right = judge.right(chances_by_name[best_name])
    return AttributeInference(
        column,
        attacks,
        best_name,
        judge.risk(is_right, 1 - 0.05 / len(attacks)),
        judge.baselines(),
        int((sensitive.released < 0).sum()),
        sensitive.tolerance,
    )


@dataclass(frozen=True, eq=False)
class _GuessJudge:
    """Compares guesses with what is true of the targets."""

    seen: AttackerObservation
    sensitive: SensitiveValues
    member: np.ndarray
    guesser: AttributeGuesser

    @cached_property
    def usual(self) -> int:
        """The most frequent value of the release, of numbers the median."""
        counts = np.bincount(self.sensitive.released[self.sensitive.released >= 0], minlength=1)
        usual_value = int(counts.argmax())
        if self.sensitive.tolerance is not None and counts.sum():
            usual_value = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
        return usual_value

    @cached_property
    def _control_matching(self) -> ControlMatching:
        return ControlMatching.of(self.seen, self.member)

    @property
    def truth(self) -> np.ndarray:
        """What is true of the targets."""
        return self.sensitive.known[: self.seen.targets]

    def right(self, chances: sparse.csr_array) -> np.ndarray:
        """Which targets are guessed right; who fits nothing is guessed the most frequent value."""
        guesses = self.sensitive.guesses(chances)
        guesses = np.where(guesses < 0, self.usual, guesses)
        return self.sensitive.right(self.seen.scores_of_targets(guesses), self.truth)

    def risk(self, right: np.ndarray, level: float = 0.95) -> Interval:
        """Above the control."""
        member_hits, control_hits = right[self.member], right[~self.member]
        return risk_above_control(
            int(member_hits.sum()),
            len(member_hits),
            int(control_hits.sum()),
            len(control_hits),
            level,
        )

    def score_attack(self, name: str, chances: sparse.csr_array) -> GuessResult:
        """All figures of one attack."""
        is_right = self.right(chances)
        confidence = self._guess_confidence(chances)
        is_certain, is_only_right = self._certain_and_correct
        is_probable = (confidence >= PROBABLE_CHANCE) & self.member
        return GuessResult(
            name,
            GUESSER_TITLES[name],
            float(is_right[self.member].mean()),
            float(is_right[~self.member].mean()),
            self.risk(is_right),
            self._control_matching.risk(is_right),
            int(is_certain.sum()),
            _mean_or_none(is_only_right[is_certain]),
            int(is_probable.sum()),
            _mean_or_none(is_right[is_probable]),
            tuple(_calibration_bands(confidence[self.member], is_right[self.member])),
        )

    @cached_property
    def _certain_and_correct(self) -> tuple[np.ndarray, np.ndarray]:
        """For which members all rows that fit say the same, and of whom it is true."""
        fitting = self.guesser.fitting
        is_certain = self.seen.scores_of_targets(self.sensitive.certain(fitting)) & self.member
        only_guess = self.seen.scores_of_targets(self.sensitive.guesses(fitting))
        return is_certain, self.sensitive.right(only_guess, self.truth)

    def baselines(self) -> dict[str, tuple[float, float]]:
        """Guesses that need no release, or only its most frequent value."""
        usual_right = self.sensitive.right(np.full(len(self.truth), self.usual), self.truth)
        baseline_hits = {MOST_FREQUENT: usual_right}
        if (population_chances := self.guesser.population) is not None:
            baseline_hits["reference"] = self.right(population_chances)
        return {
            name: (float(is_right[self.member].mean()), float(is_right[~self.member].mean()))
            for name, is_right in baseline_hits.items()
        }

    def _guess_confidence(self, chances: sparse.csr_array) -> np.ndarray:
        """How sure every target's guess is: the likeliest value's share of the weight."""
        total = np.asarray(chances.sum(axis=1)).ravel()
        top = chances.max(axis=1).toarray().ravel() if chances.nnz else np.zeros(len(total))
        share = np.divide(top, total, out=np.zeros(len(total)), where=total > 0)
        return self.seen.scores_of_targets(share)


def _mean_or_none(is_right: np.ndarray) -> float | None:
    return float(is_right.mean()) if len(is_right) else None


def _calibration_bands(
    confidence: np.ndarray, is_right: np.ndarray
) -> list[tuple[float, float, int, float]]:
    """Members guessed with a probability in each band, and the share of them that is right."""
    bands = []
    for low, high in pairwise(CONFIDENCE_BANDS):
        in_band = (confidence >= low) & ((confidence < high) | (high == 1.0))
        if in_band.any():
            bands.append((low, high, int(in_band.sum()), float(is_right[in_band].mean())))
    return bands
