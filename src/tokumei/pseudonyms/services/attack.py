"""Attacks a release under changing pseudonyms, and rates what was found.

request = AttackPeriodsRequest(public="S.csv", known="T25.csv", master="M.csv", truth="F.csv")
attack_periods(request).rates["best"]["reid_all"].value
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.workflow import run_attacks
from tokumei.pseudonyms.attackers.challenge import PeriodChallenge
from tokumei.pseudonyms.confidence_curves import ConfidenceCurve, challenge_curves
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import Months
from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows, read_table
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores
from tokumei.pseudonyms.services.requests import AttackPeriodsRequest


@dataclass(frozen=True, eq=False)
class AttackedPeriods:
    """Whom each attack names, and how much of the true table that is; no rates without one."""

    guesses: dict[str, PeriodGuess]
    rates: dict[str, dict[str, Score]] = field(default_factory=dict)


def attack_periods(request: AttackPeriodsRequest) -> AttackedPeriods:
    """Run the attacks; with the truth, rate them: reid_pairs, _active, _all and _rows."""
    seen, rng = _build_challenge(request), Randomness(request.seed)
    guesses = run_attacks(PSEUDONYMS, seen, request.methods, params=request.params, rng=rng)
    if request.truth is None:
        return AttackedPeriods(guesses)
    truth = _read_truth(request, seen.months.count)
    rates = {
        name: reid_scores(
            GuessClaims.of_table(guess.table, truth), public=seen.public, months=seen.months
        )
        for name, guess in guesses.items()
    }
    return AttackedPeriods(guesses, rates)


def curve_attacks(request: AttackPeriodsRequest) -> dict[str, ConfidenceCurve]:
    """What the confidence of each attack is worth."""
    seen, rng = _build_challenge(request), Randomness(request.seed)
    truth = _read_truth(request, seen.months.count)
    return challenge_curves(seen, truth, request.methods, params=request.params, rng=rng)


def _build_challenge(request: AttackPeriodsRequest) -> PeriodChallenge:
    """What the attacker sees and knows."""
    customers = read_master(request.master, encoding=request.encoding).customers
    public = read_rows(request.public, encoding=request.encoding)
    known = read_rows(request.known, encoding=request.encoding)
    months = request.months or Months.spanning(public.days, known.days)
    return PeriodChallenge(public, known, customers, months)


def _read_truth(request: AttackPeriodsRequest, periods: int) -> PseudonymTable:
    assert request.truth is not None, "rates need the true table"
    if isinstance(request.truth, PseudonymTable):
        return request.truth
    return read_table(request.truth, periods=periods, encoding=request.encoding)
