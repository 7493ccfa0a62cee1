"""Guesses which original row every released row is, for a contest; no link is needed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.randomness import Randomness
from tokumei.core.workflow import run_attacks
from tokumei.files.atomic_write import Output
from tokumei.files.writing import text_output
from tokumei.tables.data.guess import ABSTAIN, Knowledge
from tokumei.tables.evaluation_suite import TableChallenge
from tokumei.tables.kind import TABLES
from tokumei.tables.registry import attackers, resolve_attack_names
from tokumei.tables.services.comparison_requests import AttackTableRequest
from tokumei.tables.services.open_comparison import open_comparison

GUESS_HEADER = "released,original"


def guess_rows(request: AttackTableRequest) -> np.ndarray:
    """By released row, in the file's order, an original row (ABSTAIN: none) by the one attack.

    The attack sees the rows shuffled, so that it does not profit from their order.
    """
    names = resolve_attack_names(request.methods)
    if len(names) != 1:
        raise UsageError(
            "a guess is of one attack: name it with {option}",
            field="method",
            option=field_name("method"),
        )
    case = open_comparison(request.comparison).case
    rng = Randomness(request.seed).child(*request.stream)
    order = rng.child("attack-order").permutation(case.released.rows)
    challenge = TableChallenge(
        case.released.take(order), Knowledge(case.original, case.hierarchies)
    )
    params = {names[0]: _shuffled_params(names[0], request.params)}
    guess = run_attacks(TABLES, challenge, names, params=params, rng=rng)[names[0]]
    answers = np.full(len(order), ABSTAIN, dtype=np.int64)
    answers[order] = guess.draw(rng.child("attack", names[0]).child("draw").generator)
    return answers


def _shuffled_params(
    name: str, given: Mapping[str, Mapping[str, object]] | None
) -> dict[str, object]:
    declared: Mapping[str, object] = getattr(attackers.get(name), "when_shuffled", {})
    return {**declared, **(given or {}).get(name, {})}


def guess_output(answers: np.ndarray, path: str) -> Output:
    """The file as contests of tables take it."""
    lines = [f"{row},{answer}" for row, answer in enumerate(answers) if answer != ABSTAIN]
    return text_output("\n".join([GUESS_HEADER, *lines, ""]), path)
