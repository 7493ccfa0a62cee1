"""The verifier's δ(k) against the formula in whole sums, and what it refuses."""

from __future__ import annotations

import math

import polars as pl
import pytest

from tokumei.core.errors import UsageError
from tokumei.tables.data.table import Table
from tokumei.tables.verification.differential_privacy import DifferentialPrivacy, reached_delta


@pytest.mark.parametrize("epsilon", [0.2, 0.5, 1.0, 1.7])
def test_delta_by_the_formula(epsilon: float) -> None:
    beta, gamma = 1 - math.exp(-epsilon), 1 - math.exp(-2 * epsilon)
    for k in (2, 5, 20):
        tails = [
            sum(
                math.comb(n, j) * beta**j * (1 - beta) ** (n - j)
                for j in range(n + 1)
                if j > gamma * n
            )
            for n in range(max(math.ceil(k / gamma - 1), 1), 250)
        ]
        assert reached_delta(k, epsilon) == pytest.approx(max(tails), rel=1e-9)


def table(rows: list[tuple[str, str]]) -> Table:
    return Table.of(pl.DataFrame(rows, schema=["a", "b"], orient="row"), qi=["a", "b"], sa=[])


def test_small_classes_other_columns_and_too_small_k() -> None:
    good = DifferentialPrivacy(1.0, 0.2, 12, ("a", "b"))
    assert reached_delta(12, 1.0) <= 0.2
    assert good.check(table([("x", "y")] * 12)) == []
    (fault,) = good.check(table([("x", "y")] * 12 + [("x", "z")]))
    assert "only 1 row has (a=x, b=z)" in fault.message.show("en")
    assert fault.rule == "differential-privacy"
    (fault,) = DifferentialPrivacy(1.0, 0.2, 12, ("a",)).check(table([("x", "y")] * 12))
    assert "does not cover these columns: b" in fault.message.show("en")
    (fault,) = DifferentialPrivacy(1.0, 1e-6, 12, ("a", "b")).check(table([("x", "y")] * 12))
    assert "at most 1e-06 allowed" in fault.message.show("en")


def test_parameters_that_prove_nothing() -> None:
    for epsilon, delta, k, columns in (
        (0, 0.1, 5, ("a",)),
        (1, 0, 5, ("a",)),
        (1, 0.1, 1, ("a",)),
        (1, 0.1, 5, ()),
    ):
        with pytest.raises(UsageError):
            DifferentialPrivacy(epsilon, delta, k, columns)
