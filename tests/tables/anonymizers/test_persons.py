"""k counted in persons, who are not named in the release."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from support.guarded_methods import random_source
from tokumei import anonymize
from tokumei.core.errors import ClaimError, InputError


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
