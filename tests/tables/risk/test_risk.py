"""Tests of tokumei.tables.risk.risk."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tables.data.column_encoding_helpers import spelled_people
from tables.people_not_rows_helpers import people_by, visits
from tokumei.core.errors import InputError, UsageError
from tokumei.tables.risk.risk import risk


def test_risk_counts_people_not_spellings() -> None:
    found = tk.risk(spelled_people(), qi=["age"], person="who")
    assert found.rows == 3
    assert found.prosecutor.risks.tolist() == pytest.approx([1 / 3] * 3)


def test_the_risk_of_a_class_is_one_in_its_people() -> None:
    frame = visits()
    found = risk(frame, qi=["sex", "town"], person="patient")
    people: dict[tuple[str, str], set[str]] = {}
    for patient, sex, town, _ in frame.iter_rows():
        people.setdefault((sex, town), set()).add(patient)
    pairs = [1 / len(some) for some in people.values() for _ in some]
    assert found.rows == len(pairs)
    assert sorted(found.prosecutor.risks.tolist()) == pytest.approx(sorted(pairs))
    assert found.prosecutor.risks.mean() > risk(frame, qi=["sex", "town"]).prosecutor.risks.mean()


def test_rows_of_nobody_count_each() -> None:
    frame = pl.DataFrame({"who": [None, None, "a", "a"], "town": ["x", "x", "y", "y"]})
    assert sorted(risk(frame, qi=["town"], person="who").prosecutor.risks) == [0.5, 0.5, 1.0]
    with pytest.raises(tk.UsageError, match="cannot be a quasi-identifier too"):
        risk(frame, qi=["town", "who"], person="who")


def test_every_set_of_columns_is_told_by_the_people_it_singles_out() -> None:
    frame, qi = visits(), ("sex", "town", "cost")
    found = risk(frame, qi=list(qi), person="patient")
    for row in found.sets.iter_rows(named=True):
        people = people_by(frame, tuple(row["columns"])).values()
        pairs = sum(map(len, people))
        assert row["distinction"] == pytest.approx(len(people) / pairs)
        assert row["uniques"] == pytest.approx(sum(len(one) == 1 for one in people) / pairs)
    for name, left in found.without.items():
        people = people_by(frame, tuple(one for one in qi if one != name)).values()
        assert left == pytest.approx(sum(len(one) == 1 for one in people) / sum(map(len, people)))


def test_a_row_is_special_where_nobody_else_has_its_cells() -> None:
    frame, qi = visits(), ("sex", "town", "cost")
    found = risk(frame, qi=list(qi), person="patient")
    rows = frame.unique([*qi, "patient"], maintain_order=True)
    sets = [chosen for size in (1, 2, 3) for chosen in combinations(qi, size)]
    people = {chosen: people_by(frame, chosen) for chosen in sets}
    expected = []
    for row in rows.iter_rows(named=True):
        alone = {one for one in sets if len(people[one][tuple(row[name] for name in one)]) == 1}
        expected.append(sum(not any(set(a) < set(one) for a in alone) for one in alone))
    assert found.suda.msus.tolist() == expected


NAMES = ["a", "b", "c", "d"]


Rows = list[tuple[int, ...]]


ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=12)


def frame(rows: Rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=NAMES, orient="row")


def parts(rows: Rows, columns: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(row[j] for j in columns) for row in rows)


def alone(rows: Rows, columns: tuple[int, ...]) -> list[bool]:
    counts = parts(rows, columns)
    return [counts[tuple(row[j] for j in columns)] == 1 for row in rows]


@settings(max_examples=150)
@given(rows=ROWS, threshold=st.sampled_from([0.0, 0.1, 0.2, 0.34, 0.5, 1.0]))
def test_figures_equal_counting(rows: Rows, threshold: float) -> None:
    found = risk(frame(rows), qi=NAMES, threshold=threshold)
    counts = Counter(rows)
    chances = [1 / counts[row] for row in rows]
    assert found.prosecutor.highest == max(chances)
    assert found.prosecutor.share_above(threshold) == np.mean([c > threshold for c in chances])
    assert found.marketer == pytest.approx(len(counts) / len(rows))
    assert found.uniqueness.uniques == pytest.approx(
        sum(n == 1 for n in counts.values()) / len(rows)
    )
    # Naming fewer columns never hides what the others tell.
    fewer = risk(frame(rows), qi=NAMES[:2], threshold=threshold)
    assert fewer.everything.highest == found.everything.highest == max(chances)
    pairs = [a != b for a, b in combinations(rows, 2)]
    assert found.uniqueness.separation == pytest.approx(np.mean(pairs) if pairs else 0.0)
    for j, name in enumerate(NAMES):
        rest = tuple(i for i in range(4) if i != j)
        assert found.without[name] == pytest.approx(np.mean(alone(rows, rest)))


@settings(max_examples=150)
@given(rows=ROWS, threshold=st.sampled_from([0.0, 0.09, 0.2, 0.34, 0.5, 1.0]))
def test_bins_hold_every_row_once_and_do_not_straddle_the_threshold(
    rows: Rows, threshold: float
) -> None:
    found = risk(frame(rows), qi=NAMES[:2], threshold=threshold, max_size=1)
    counts = parts(rows, (0, 1))
    assert sum(one.rows for one in found.bins) == len(rows)
    assert sum(one.classes for one in found.bins) == len(counts)
    for one in found.bins:
        inside = [n for n in counts.values() if one.low <= n <= one.high]
        assert (one.classes, one.rows) == (len(inside), sum(inside))
        assert all((1 / n > threshold) == one.above for n in inside)


@settings(max_examples=100)
@given(rows=ROWS)
def test_sets_and_minimal_uniques_equal_brute_force(rows: Rows) -> None:
    found = risk(frame(rows), qi=NAMES, max_size=3)
    wanted = [c for size in (1, 2, 3) for c in combinations(range(4), size)]
    listed = {tuple(line["columns"]): line for line in found.sets.to_dicts()}
    assert len(listed) == found.sets.height == len(wanted)
    for columns in wanted:
        line = listed[tuple(NAMES[j] for j in columns)]
        assert line["distinction"] == pytest.approx(len(parts(rows, columns)) / len(rows))
        assert line["uniques"] == pytest.approx(np.mean(alone(rows, columns)))
    order = found.sets.select("separation", "distinction").rows()
    assert order == sorted(order, reverse=True)
    special = np.logical_or.reduce([alone(rows, columns) for columns in wanted])
    assert found.special_rows == (special.sum() if len(rows) > 1 else 0)


@settings(max_examples=60)
@given(rows=ROWS, chosen=st.sets(st.integers(0, 11), min_size=1))
def test_a_population_table_is_counted(rows: Rows, chosen: set[int]) -> None:
    sample = [row for i, row in enumerate(rows) if i in chosen] or rows[:1]
    found = risk(frame(sample), qi=NAMES, population=frame(rows))
    people, here = Counter(rows), Counter(sample)
    assert found.journalist is not None
    assert found.journalist.risks.tolist() == [1 / people[row] for row in sample]
    assert found.population is not None
    assert found.population.rows == len(rows)
    counted = found.population.counted
    assert counted is not None
    unique = {row for row, n in people.items() if n == 1}
    assert counted.uniques == len(unique)
    assert counted.sample_uniques == sum(here[row] == 1 for row in unique)


@settings(max_examples=100)
@given(rows=ROWS, times=st.integers(1, 40))
def test_every_estimator_answers_or_says_that_it_cannot(rows: Rows, times: int) -> None:
    found = risk(frame(rows), qi=NAMES, population=len(rows) * times, max_size=1).population
    assert found is not None
    models = [one.model for one in found.estimates]
    if times == 1:
        assert models == list(found.chosen) == ["counted"]
    else:
        assert models == ["zayatz", "snb", "pitman", "poisson-lognormal"]
        assert set(found.chosen) <= {one.model for one in found.estimates if one.usable}
    assert found.low <= found.uniques <= found.high
    assert 0 <= found.held <= 1
    assert found.why.show("en")
    assert found.why.show("ja")


def test_the_rule_decides_between_the_models() -> None:
    people = tk.sample_table(3000, seed=1)
    qi = ["head_sex", "head_age_band", "region", "occupation"]
    chosen = {
        (rule, fraction): risk(people, qi=qi, sample_fraction=fraction, rule=rule).population
        for rule in ("bracket", "dankar")
        for fraction in (0.05, 0.5)
    }
    names = {key: found.chosen for key, found in chosen.items() if found is not None}
    assert names["bracket", 0.05] == ("pitman", "poisson-lognormal")
    assert names["dankar", 0.05] == ("pitman",)
    assert names["bracket", 0.5] == ("zayatz", "poisson-lognormal")
    assert names["dankar", 0.5] in (("zayatz",), ("snb",))
    assert names["bracket", 0.5][0] in ("zayatz", "snb")


def test_a_release_is_read_as_it_is() -> None:
    people = tk.sample_table(300, seed=1)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    found = tk.risk(release)
    assert found.columns == tuple(people.schema.qi)
    assert found.prosecutor.highest <= 0.2
    assert (found.uniqueness.uniques, found.special_rows) == (0, 0)
    assert found.special_sets.height == 0


def test_plain_data_holds_no_cell_of_the_table() -> None:
    rows = pl.DataFrame({"q": ["Secretville", "x", "x"], "r": ["Hidden", "y", "y"]})
    text = json.dumps(risk(rows, qi=["q", "r"], population=10).as_json())
    assert "Secretville" not in text
    assert "Hidden" not in text
    data = json.loads(text)
    assert data["class_sizes"] == [{"size": 1, "classes": 1}, {"size": 2, "classes": 1}]
    assert data["suda"]["sets"][0]["columns"] == ["q"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"qi": []}, "quasi-identifier"),
        ({"threshold": 1.5}, "between 0 and 1"),
        ({"population": 2}, "at least as many rows"),
        ({"population": 100, "sample_fraction": 0.1}, "not both"),
        ({"sample_fraction": 0.0}, "above 0"),
        ({"max_size": 0}, "at least 1"),
    ],
)
def test_wrong_options_are_named(wrong: dict[str, Any], words: str) -> None:
    options = {"qi": ["a"], **wrong}
    with pytest.raises(UsageError, match=words):
        risk(frame([(0, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0)]), **options)


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(InputError, match="no rows"):
        risk(frame([]), qi=["a"])


def test_columns_without_values_and_single_rows_have_figures() -> None:
    empty = pl.DataFrame({"a": pl.Series([None, None], dtype=pl.String), "b": [1, 2]})
    assert risk(empty, qi=["a"]).uniqueness.uniques == 0
    one = risk(empty.head(1), qi=["a", "b"])
    assert (one.prosecutor.highest, one.special_rows) == (1, 0)
