"""Checks what rows can show of SafePub's differential privacy: k suffices for ε and δ, and holds.

    DifferentialPrivacy(1.0, 1e-5, 61, ("age", "sex"))

No file shows whether its rows were drawn at random at the rate 1 − e^−ε, and its levels without a
look at the rows; that is the method's promise. What follows from ε and δ can be computed: every
combination of all columns occurs in k rows, and with this k, δ(k) is at most δ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import betainc

from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message, join_messages
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.verification.k_anonymity import KAnonymity
from tokumei.tables.verification.protocol import (
    ABOVE_0,
    AT_LEAST_2,
    ParameterRequirement,
    TableClaimCheck,
    require_parameters,
)

OPEN_SHARE = ParameterRequirement(
    lambda value: 0 < value < 1, Message("{parameter} must be above 0 and below 1, not {value}")
)


@dataclass(frozen=True)
class DifferentialPrivacy(TableClaimCheck):
    """Recomputes δ(k), counts the rows of every combination, and looks for other columns."""

    name: ClassVar[str] = "differential-privacy"
    title: ClassVar[Message] = Message("(ε,δ)-differential privacy by sampling")
    sentence: ClassVar[Message] = Message(
        "Every combination of all columns occurs in the k rows that a sample needs for ε and δ."
    )
    claim: ClassVar[Message] = Message(
        "of a sample drawn at random, every combination of all columns ({columns}) occurs in at "
        "least {k} rows, as ε = {epsilon:g} and δ = {delta:g} need"
    )

    epsilon: float
    delta: float
    k: int
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        require_parameters(self, {"epsilon": ABOVE_0, "delta": OPEN_SHARE, "k": AT_LEAST_2})
        if not self.columns:
            raise UsageError("name at least one column to count")

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """A k that is too small, other columns, then the combinations that are too rare."""
        submission.schema.require(self.columns)
        others = [n for n in submission.schema.names if n not in (*self.columns, COUNT_COLUMN)]
        messages = []
        if (reached := reached_delta(self.k, self.epsilon)) > self.delta * (1 + 1e-9):
            messages.append(
                Message(
                    "k = {k} gives δ = {reached:.6g} with ε = {epsilon:g}; at most {delta:g} "
                    "allowed",
                    k=self.k,
                    reached=reached,
                    epsilon=self.epsilon,
                    delta=self.delta,
                )
            )
        if others:
            messages.append(
                Message(
                    "the claim does not cover these columns: {columns}",
                    columns=join_messages(others),
                )
            )
        small = KAnonymity(self.k, self.columns).check(submission)
        return [
            *(Violation(rule=self.name, message=message) for message in messages),
            *(replace(fault, rule=self.name) for fault in small),
        ]


def reached_delta(k: int, epsilon: float) -> float:
    """max over n of P(X > γ·n), X binomial with n trials at 1 − e^−ε, from n = ⌈k/γ − 1⌉ on.

    P(X ≥ j) is a regularized incomplete beta function. γ = 1 − e^−2ε. By Hoeffding a tail is at
    most e^(−2n(γ − β)²), so that larger n need not be looked at.
    """
    rate, gamma = -math.expm1(-epsilon), -math.expm1(-2 * epsilon)
    trials, worst = max(math.ceil(k / gamma - 1 - 1e-9), 1), 0.0
    while worst < math.exp(-2 * trials * (gamma - rate) ** 2):
        n = np.arange(trials, trials + 1000, dtype=np.float64)
        least = np.floor(gamma * n - 1e-9) + 1
        worst = max(worst, float(betainc(least, n - least + 1, rate).max()))
        trials += 1000
    return worst
