"""Tests of tokumei.tables.anonymizers.unify."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from support.paper import X
from support.required_claims import require_claims
from tables.anonymizers.releases_helpers import WITH_ID
from tables.anonymizers.yamaoka_unify_swap_delete_helpers import made_by
from tables.verification.rules_helpers import PEOPLE, broken
from tokumei.core.errors import ClaimError, UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.data.table import Table


@pytest.mark.parametrize("method", [Unify(("who",)), Noise(columns=("who",))])
def test_methods_do_not_see_identifiers(method: TableMethod) -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'who'"):
        method.anonymize(WITH_ID, rng=Randomness(1))


@pytest.mark.parametrize(
    ("values", "mode"),
    [
        ([3, 1, 3, 2], 3),
        ([3, 1], 1),  # a tie goes to the smallest
        (["b", "a", "b"], "b"),
        (["[1;2]", "[1;2]", "5"], "5"),  # plain values before generalized cells
        (["[1;2]", "*", "[1;2]"], "[1;2]"),
        ([None, None, 4], 4),
        ([None, None], None),
    ],
)
def test_unify_takes_the_most_frequent_value(values: list[Any], mode: Any) -> None:
    frame = pl.DataFrame({"q": values, "s": range(len(values))})
    made = made_by(Unify(("q",)), Table.of(frame, qi=["q"], sa=["s"]))
    assert made.public.frame["q"].to_list() == [mode] * len(values)
    assert [claim.rule for claim in made.claims] == ["constant"]


def test_unify_without_columns_spares_the_first_six() -> None:
    frame = pl.DataFrame({f"q{j}": [1, 2, 2] for j in range(8)} | {"s": [1, 2, 3]})
    source = Table.of(frame, qi=[f"q{j}" for j in range(8)], sa=["s"])
    made = made_by(Unify(), source, shuffle=False).public.frame
    assert made.select("q6", "q7").unique().rows() == [(2, 2)]
    kept = [f"q{j}" for j in range(6)] + ["s"]
    assert made.select(kept).equals(frame.select(kept))


def test_unify_says_what_is_missing() -> None:
    with pytest.raises(UsageError, match="unify: name the columns"):
        made_by(Unify(), X)
    with pytest.raises(UnknownNameError, match=r"unify: unknown column 'QI33'. Did you mean 'QI3'"):
        made_by(Unify(("QI33",)), X)


def test_other_claims_are_caught_too() -> None:
    unified = Unify(("region",)).anonymize(PEOPLE, rng=Randomness(1))
    with pytest.raises(ClaimError, match="column 'region' has 2 values; the claim says one"):
        require_claims(broken(unified, "region", "Atlantis"), unified.claims)
    averaged = Microaggregate(groups="mdav", k=4).anonymize(PEOPLE, rng=Randomness(1))
    with pytest.raises(ClaimError, match=r"only 1 row has"):
        require_claims(broken(averaged, "food", -1.0), averaged.claims)
