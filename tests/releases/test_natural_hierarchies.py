"""Tests of tokumei.releases.natural_hierarchies."""

from __future__ import annotations

import polars as pl

from tokumei.releases.natural_hierarchies import choose_natural_hierarchies
from tokumei.tables.profiling.profiler import look


def test_words_of_many_values_are_merged_where_rare_and_never_listed() -> None:
    frame = pl.DataFrame({"hobby": [f"hobby {n % 40}" for n in range(400)]})
    for proposed in ("suppress", "codes", "auto"):
        chosen = choose_natural_hierarchies(frame, look(frame), {"hobby": proposed})
        assert chosen == {"hobby": "rare"}


def test_prefixes_stay_where_they_mean_something() -> None:
    frame = pl.DataFrame({"zip": [f"{n % 90 + 10}{n % 7}{n % 11:02}" for n in range(400)]})
    chosen = choose_natural_hierarchies(frame, look(frame), {"zip": "codes"})
    assert chosen == {"zip": "codes"}


def test_numbers_and_few_words_stay_as_proposed() -> None:
    frame = pl.DataFrame({"age": [n % 60 for n in range(300)], "size": ["S", "M", "L"] * 100})
    proposed = {"age": "age-bands", "size": "scale"}
    assert choose_natural_hierarchies(frame, look(frame), proposed) == proposed
