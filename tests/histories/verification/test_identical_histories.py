"""k identical histories, against multisets in a dictionary."""

from __future__ import annotations

from collections import Counter, defaultdict

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.histories import contest_history, history
from support.histories import rows as purchases
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.history import COLUMNS
from tokumei.histories.registry import claim_checks
from tokumei.histories.verification.identical_histories import IdenticalHistories

texts = st.sampled_from(["a", "b", "a,b", "[1;2]", "*", "", "1", "1.0"])


public = st.lists(st.tuples(st.sampled_from("123456"), texts, texts, st.just("1"), texts))


def frame(rows: list[tuple[str, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


def expected(rows: list[tuple[str, ...]], k: int) -> list[tuple[int, str, int]]:
    """Size, first pseudonym and its line of every class that is too small."""
    people: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    first: dict[str, int] = {}
    for line, (person, *cells) in enumerate(rows, 1):
        people[person][tuple(cells)] += 1
        first.setdefault(person, line)
    classes: dict[frozenset, list[str]] = defaultdict(list)
    for person in sorted(people, key=first.__getitem__):
        classes[frozenset(people[person].items())].append(person)
    small = [(len(c), first[c[0]], c[0]) for c in classes.values() if len(c) < k]
    return [(size, person, line) for size, line, person in sorted(small)]


def found(rows: list[tuple[str, ...]], k: int) -> list[tuple[int, str, int]]:
    faults = IdenticalHistories(k).check(frame(rows))
    assert {fault.rule for fault in faults} <= {"identical-histories"}
    words = [(fault.message.show("en").split(), fault.line) for fault in faults]
    return [(int(w[1]), w[7].strip("',"), line) for w, line in words]


@given(rows=public, k=st.integers(2, 4))
def test_against_multisets(rows, k):
    assert found(rows, k) == expected(rows, k)


@given(rows=public, k=st.integers(2, 4), seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(rows, k, seed):
    shuffled = frame(rows).sample(fraction=1, shuffle=True, seed=seed)
    sizes = [size for size, *_ in found(shuffled.rows(), k)]
    assert sizes == [size for size, *_ in found(rows, k)]


@given(rows=purchases(customers=8, least=12), k=st.integers(2, 3), data=st.data())
def test_a_release_keeps_it_and_one_changed_row_breaks_it(rows, k, data):
    source = history(rows)
    if len(source.customers) < k:
        return
    text = RankMatch(k).anonymize(source, rng=Randomness(1)).public
    assert IdenticalHistories(k).check(text) == []
    row = data.draw(st.integers(0, text.height - 1))
    name = data.draw(st.sampled_from(COLUMNS[1:]))
    changed = pl.int_range(pl.len()) == row
    broken = text.with_columns(pl.when(changed).then(pl.lit("?")).otherwise(name).alias(name))
    faults = IdenticalHistories(k).check(broken)
    assert faults
    assert "only 1 person has" in faults[0].message.show("en")


@pytest.mark.parametrize(
    ("rows", "sizes"),
    [
        ([], []),
        ([("1", "d", "i", "1", "1")], [1]),
        ([("1", "d", "i", "1", "1")] * 5, [1]),
        ([(str(n), "d", "i", "1", "1") for n in range(5)], []),
        ([("1", "d", "i", "1", "1"), ("2", "d", "i", "1", "1"), ("2", "d", "i", "1", "1")], [1, 1]),
        ([("1", "d", "i", "1", "1"), ("2", "d", "i", "1.0", "1")], [1, 1]),
        ([("*", "*", "*", "*", "*")], []),
        ([("*", "*", "i", "*", "*")], [1]),
    ],
    ids=["none", "one", "repeated", "alike", "twice", "as text", "deleted", "half deleted"],
)
def test_edges(rows, sizes):
    assert [size for size, *_ in found(rows, 2)] == sizes


def test_the_smallest_class_comes_first():
    rows = [(str(n), "x" if n < 3 else "y" if n < 5 else "z", "i", "1", "1") for n in range(6)]
    assert found(rows, 4) == [(1, "5", 6), (2, "3", 4), (3, "0", 1)]


def test_parameters_and_columns_are_checked():
    with pytest.raises(UsageError, match="k must be at least 2, not 1"):
        claim_checks.build("identical-histories", {"k": 1})
    with pytest.raises(UsageError, match="missing: quantity"):
        IdenticalHistories(2).check(frame([]).drop("quantity"))


@pytest.mark.data
@pytest.mark.parametrize("k", [2, 6, 20])
def test_the_contest_file(real_data, k):
    release = RankMatch(k).anonymize(contest_history(real_data), rng=Randomness(1))
    assert IdenticalHistories(k).check(release.public) == []
    too_small = IdenticalHistories(k + 1).check(release.public)
    assert too_small
    assert f"only {k} people have" in too_small[0].message.show("en")
