"""k counted in persons, who are not named in the release."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from support.guarded_methods import METHODS, Make, random_source
from tokumei import anonymize
from tokumei.core.errors import ClaimError, InputError
from tokumei.core.randomness import Randomness
from tokumei.tables.data.table import Table
from tokumei.tables.verification.claims import claim_violations


@pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)
def test_every_class_has_k_persons_and_none_is_named(make: Make) -> None:
    for seed in range(4):
        source = random_source(seed)
        source = Table.of(source.frame, qi=["a", "b"], sa=["s"], ids=["who"] * (seed % 2))
        made = make(k=3, person="who").anonymize(source, rng=Randomness(1))
        assert made.public.schema.names == ["a", "b", "s"]
        people: dict[Any, set[str]] = {}
        for cells, origin in zip(made.public.frame.iter_rows(), made.link.tolist(), strict=True):
            people.setdefault(cells[:2], set()).add(source.frame["who"][origin])
        assert min(len(found) for found in people.values()) >= 3
        assert {"k-per-person", "no-identifiers"} < {claim.rule for claim in made.claims}
        assert claim_violations(made.public, made.claims) == []


def test_rows_of_nobody_hide_nobody() -> None:
    frame = pl.DataFrame({"a": [1, 1, 1, 2, 2, 2], "who": ["p", "q", None, "p", "q", "r"]})
    made = anonymize(frame, "flash", qi=["a"], sa=[], k=3, person="who", seed=1)
    assert made.public.frame["a"].n_unique() == 1
    alone = anonymize(frame, "flash", qi=["a"], sa=[], k=3, passed=["who"], seed=1)
    assert alone.public.frame["a"].n_unique() == 2


def test_too_few_persons() -> None:
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "who": ["p", "q", "p", "q"]})
    with pytest.raises(InputError, match=r"k-per-person \(k = 3\) cannot be met: for 'who'"):
        anonymize(frame, "mondrian", qi=["a"], sa=[], k=3, person="who")


def test_a_later_step_that_drops_rows_breaks_the_claim() -> None:
    source = random_source(3)
    steps: list[dict[str, Any]] = [
        {"method": "flash", "k": 2, "person": "who"},
        {"method": "delete", "share": 0.1},
    ]
    assert anonymize(source, steps[:1], seed=1).public.rows == source.rows
    with pytest.raises(ClaimError) as caught:
        anonymize(source, steps, seed=1)
    assert caught.value.faults[0].rule == "k-per-person"
