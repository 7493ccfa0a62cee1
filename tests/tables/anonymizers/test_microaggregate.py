"""F: group means equal a dictionary and a loop, bit for bit; MDAV groups have k to 2k − 1 rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.paper import F, X
from tables.anonymizers.microaggregate_helpers import real
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.data.table import Table
from tokumei.tables.verification.claims import claim_violations

RNG = Randomness(1)


def table(rows: list[tuple[Any, ...]]) -> Table:
    frame = pl.DataFrame(rows, schema=["q", "p", "s", "t"], orient="row")
    return Table.of(frame, qi=["q", "p"], sa=["s", "t"])


def means(source: Table, **params: Any) -> list[list[float]]:
    made = Microaggregate(**params).anonymize(source, rng=RNG, shuffle=False)
    return made.public.numbers(source.schema.sa).tolist()


def test_the_papers_f() -> None:
    made = Microaggregate().anonymize(X, rng=RNG, shuffle=False)
    assert made.public.frame.cast(pl.Float64).equals(F.frame.cast(pl.Float64))


whole = st.integers(-(10**6), 10**6)


qi = (st.integers(0, 2), st.none() | st.sampled_from("ab"))


@given(st.lists(st.tuples(*qi, whole, whole), min_size=1, max_size=12))
def test_means_of_whole_numbers_are_exact_fractions(rows: list[tuple[Any, ...]]) -> None:
    groups: dict[Any, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        groups[row[:2]].append(row)
    wanted = []
    for row in rows:
        group = groups[row[:2]]
        wanted.append([float(Fraction(sum(r[j] for r in group), len(group))) for j in (2, 3)])
    assert means(table(rows)) == wanted


@given(st.lists(st.tuples(*qi, real, real), min_size=1, max_size=12))
def test_means_of_reals_are_summed_in_row_order(rows: list[tuple[Any, ...]]) -> None:
    total: dict[Any, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for q, p, s, t in rows:
        total[q, p][0] += s
        total[q, p][1] += t
    count = Counter(row[:2] for row in rows)
    wanted = [[part / count[row[:2]] for part in total[row[:2]]] for row in rows]
    assert means(table(rows)) == wanted


@given(st.lists(st.tuples(*qi, whole, whole), min_size=1, max_size=12))
def test_class_means_and_the_total_mean_are_kept(rows: list[tuple[Any, ...]]) -> None:
    source = table(rows)
    found = np.array(means(source))
    assert np.allclose(found.mean(axis=0), source.numbers(["s", "t"]).mean(axis=0))


@given(n=st.integers(3, 30), seed=st.integers(0, 99))
def test_mdav_release_keeps_its_claim(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [(0, "a", *map(float, pair)) for pair in rng.integers(0, 9, (n, 2))]
    made = Microaggregate(groups="mdav", k=3).anonymize(table(rows), rng=RNG)
    assert [claim.as_json() for claim in made.claims] == [
        {"rule": "k-anonymity", "params": {"k": 3, "columns": ["s", "t"]}}
    ]
    assert claim_violations(made.public, made.claims) == []
    vectors = Counter(made.public.frame.select("s", "t").iter_rows())
    assert min(vectors.values()) >= 3


def test_impossible_input() -> None:
    with pytest.raises(UsageError, match="k = 9 is more than the 4 rows"):
        Microaggregate(groups="mdav", k=9).anonymize(X, rng=RNG)
    with pytest.raises(UsageError, match="k must be at least 2"):
        Microaggregate(groups="mdav", k=1).anonymize(X, rng=RNG)
    bare = Table.of(X, qi=X.schema.qi, sa=[])
    with pytest.raises(UsageError, match="microaggregate: name at least one"):
        Microaggregate().anonymize(bare, rng=RNG)


def test_generalized_values_count_by_their_middle() -> None:
    frame = pl.DataFrame({"q": [1, 1], "s": ["[10;20]", "25"]})
    made = Microaggregate().anonymize(Table.of(frame, qi=["q"], sa=["s"]), rng=RNG)
    assert made.public.frame["s"].to_list() == [20.0, 20.0]


def test_near_means_make_whole_rows_equal_and_say_so() -> None:
    source = table([(i % 2, "a", i * i, 5 * i) for i in range(20)])
    made = Microaggregate("near", 4).anonymize(source, rng=RNG)
    assert [(c.rule, c.params) for c in made.claims] == [
        ("k-anonymity", {"k": 4, "columns": ["q", "p", "s", "t"]})
    ]
    assert claim_violations(made.public, made.claims) == []
    assert min(Counter(made.public.frame.rows()).values()) >= 4


def test_near_means_need_classes_that_can_hold_a_group() -> None:
    with pytest.raises(UsageError, match="only 1 rows"):
        Microaggregate("near", 2).anonymize(table([(i, "a", i, i) for i in range(4)]), rng=RNG)
