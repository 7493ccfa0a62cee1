"""Attacks a released history, and counts how many people were found.

guesses = attack_history(AttackHistoryRequest(known=source, public="public.csv", seed=1))
hits = count_hits(guesses, release, customers=30)
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.result_table import AttackResults
from tokumei.core.workflow import run_attacks
from tokumei.histories.attackers.protocol import HistoryChallenge, keep_surest_answers
from tokumei.histories.data.guess import HistoryGuess, HistoryHits, history_hits
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.kind import HISTORIES
from tokumei.histories.services.read import layout_of_source, read_history
from tokumei.histories.services.requests import AttackHistoryRequest


def attack_history(request: AttackHistoryRequest) -> dict[str, HistoryGuess]:
    """Run the attacks; return whom each of them names."""
    public = request.public
    if not isinstance(public, pl.DataFrame):
        public = layout_of_source(request.known).read_public(public)
    challenge = HistoryChallenge(public, read_history(request.known).history)
    rng = Randomness(request.seed)
    guesses = run_attacks(HISTORIES, challenge, request.methods, params=request.params, rng=rng)
    return {name: limit_answers(guess, request.answers) for name, guess in guesses.items()}


def count_hits(
    guesses: Mapping[str, HistoryGuess], release: HistoryRelease, *, customers: int
) -> AttackResults[HistoryHits]:
    """Count the people that each attack found."""
    truth = release.truth()
    return AttackResults(
        {name: history_hits(guess, truth, customers=customers) for name, guess in guesses.items()}
    )


def limit_answers(guess: HistoryGuess, answers: str) -> HistoryGuess:
    """All answers, the number most likely to reach R(n), or the N most confident ones."""
    if answers == "all":
        return guess
    if answers == "most-confident":
        return keep_surest_answers(guess)
    if not answers.isdecimal() or int(answers) < 1:
        raise UsageError(
            "answers: 'all', 'most-confident' or a whole number from 1, not '{answers}'",
            answers=answers,
        )
    return guess.top(int(answers))
