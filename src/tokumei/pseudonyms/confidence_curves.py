"""Evaluates the confidence of attacks: precision with abstention, ROC, calibration.

    curve = attack_curves(history, release, known=known, methods=["best"], seed=1)["best"]
    curve.auc, curve.found_at(0.001), curve.expected, curve.hits

A pair is a customer and a pseudonym of a period. Positive are the pairs of the secret table;
negative is every other customer, also those outside the release, with every pseudonym of the
period. Pairs that the attack did not name share the lowest confidence: there the ROC is straight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tokumei.core.attack_rates import wilson
from tokumei.core.json_types import JsonObject
from tokumei.core.randomness import Randomness
from tokumei.core.workflow import run_attacks
from tokumei.pseudonyms.attackers.calibration import calibrate_guesses
from tokumei.pseudonyms.attackers.challenge import PeriodChallenge
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PeriodRelease, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.measures.reidentification import GuessClaims

FALSE_RATES = (0.001, 0.01)
PRECISIONS = (0.99, 0.95, 0.9, 0.5)
BIN_EDGES = (0.0, 0.5, 0.9, 0.99, 0.999, 1.0)


@dataclass(frozen=True)
class ConfidenceBin:
    """Answers of about the same confidence: how sure, and how often right."""

    low: float
    high: float
    answers: int
    confidence: float
    right: float


@dataclass(frozen=True, eq=False)
class ConfidenceCurve:
    """An attack's answers from the surest to the least sure, and which of them are right."""

    attack: str
    confidence: np.ndarray = field(repr=False)
    right: np.ndarray = field(repr=False)
    positives: int
    negatives: int
    people: int
    outside: int
    """Customers without any pseudonym in the release."""

    @property
    def answers(self) -> int:
        """How many pairs were named."""
        return len(self.right)

    @property
    def hits(self) -> int:
        """How many of them are right."""
        return int(self.right.sum())

    @property
    def expected(self) -> float:
        """How many the attack expects to be right."""
        return float(self.confidence.sum())

    @property
    def steps(self) -> tuple[np.ndarray, np.ndarray]:
        """Answers and hits when everything at least so sure is answered, by falling confidence."""
        if not self.answers:
            return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        last = np.append(np.flatnonzero(np.diff(self.confidence)), self.answers - 1)
        hits = np.cumsum(self.right)[last]
        return np.append(0, last + 1), np.append(0, hits)

    @property
    def roc(self) -> tuple[np.ndarray, np.ndarray]:
        """False and true positive rates, from (0, 0) to (1, 1)."""
        answers, hits = self.steps
        false = (answers - hits) / max(self.negatives, 1)
        true = hits / max(self.positives, 1)
        return np.append(false, 1.0), np.append(true, 1.0)

    @property
    def auc(self) -> float:
        """The area under the ROC: a true pair is surer than a false one, ties counting half."""
        return float(np.trapezoid(self.roc[1], self.roc[0]))

    def found_at(self, false_rate: float) -> float:
        """The true positive rate at a false positive rate, on the straight lines of the ROC."""
        false, true = self.roc
        last = int(np.searchsorted(false, false_rate, side="right")) - 1
        if last >= len(false) - 1:
            return 1.0
        share = (false_rate - false[last]) / (false[last + 1] - false[last])
        return float(true[last] + share * (true[last + 1] - true[last]))

    @property
    def precision(self) -> tuple[np.ndarray, np.ndarray]:
        """Share of the true pairs answered for (coverage) and share of the answers right."""
        answers, hits = self.steps
        has_answers = answers > 0
        return answers[has_answers] / max(self.positives, 1), hits[has_answers] / answers[
            has_answers
        ]

    def coverage_at(self, precision: float) -> float:
        """The largest coverage at which so many of the answers are right; 0 if there is none."""
        coverage, right = self.precision
        coverages = coverage[right >= precision - 1e-12]
        return float(coverages.max(initial=0.0))

    @property
    def bins(self) -> list[ConfidenceBin]:
        """Answers by confidence."""
        place = np.clip(
            np.searchsorted(BIN_EDGES, self.confidence, side="right") - 1, 0, len(BIN_EDGES) - 2
        )
        filled_bins = []
        for number in range(len(BIN_EDGES) - 1):
            in_bin = place == number
            if in_bin.any():
                sure, right = (
                    float(self.confidence[in_bin].mean()),
                    float(self.right[in_bin].mean()),
                )
                filled_bins.append(
                    ConfidenceBin(
                        BIN_EDGES[number], BIN_EDGES[number + 1], int(in_bin.sum()), sure, right
                    )
                )
        return filled_bins

    def as_json(self) -> JsonObject:
        """Plain data; no customer and no pseudonym is in it."""
        low, high = wilson(self.hits, self.answers, 0.95)
        return {
            "attack": self.attack,
            "pairs": self.positives + self.negatives,
            "true_pairs": self.positives,
            "customers_outside": self.outside,
            "answered": self.answers,
            "hits": self.hits,
            "expected_hits": self.expected,
            "precision": self.hits / self.answers if self.answers else None,
            "precision_low": low,
            "precision_high": high,
            "chance": 1 / self.people,
            "auc": self.auc,
            "found_at": {f"{rate:g}": self.found_at(rate) for rate in FALSE_RATES},
            "coverage_at": {f"{p:g}": self.coverage_at(p) for p in PRECISIONS},
            "calibration": [dict(vars(confidence_bin)) for confidence_bin in self.bins],
        }


def confidence_curve(attack: str, guess: PeriodGuess, truth: PseudonymTable) -> ConfidenceCurve:
    """The curve of a guess against the secret table."""
    claims = GuessClaims.of_table(guess.table, truth)
    row, period = np.nonzero(guess.table.codes >= 0)  # the order of the claims
    confidence = guess.confidence[row, period]
    order = np.lexsort((claims.right, -confidence))
    has_pseudonym = truth.codes >= 0
    alive = [len(np.unique(column[column >= 0])) for column in truth.codes.T]
    positives, people = int(has_pseudonym.sum()), len(has_pseudonym)
    return ConfidenceCurve(
        attack,
        confidence[order],
        claims.right[order],
        positives,
        sum(alive) * people - positives,
        people,
        int((~has_pseudonym.any(axis=1)).sum()),
    )


def attack_curves(
    source: PeriodHistory,
    release: PeriodRelease,
    *,
    known: PeriodRows | None = None,
    methods: Sequence[str] = ("best",),
    params: Mapping[str, Mapping[str, object]] | None = None,
    seed: int | None = None,
) -> dict[str, ConfidenceCurve]:
    """What the confidence of attacks is worth; without `known` they know all of T."""
    rows = source.rows if known is None else known
    challenge = PeriodChallenge(release.public, rows, source.master.customers, release.months)
    return challenge_curves(challenge, release.table, methods, params=params, rng=Randomness(seed))


def challenge_curves(
    challenge: PeriodChallenge,
    truth: PseudonymTable,
    methods: Sequence[str],
    *,
    params: Mapping[str, Mapping[str, object]] | None = None,
    rng: Randomness,
) -> dict[str, ConfidenceCurve]:
    """The same of what an attacker sees, and the secret table."""
    guesses = run_attacks(PSEUDONYMS, challenge, methods, params=params, rng=rng)
    calibrated_guesses = calibrate_guesses(challenge, guesses, rng=rng.child("calibration"))
    return {
        name: confidence_curve(name, guess, truth) for name, guess in calibrated_guesses.items()
    }
