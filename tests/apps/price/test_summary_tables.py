"""Tests of tokumei.apps.price.summary_tables."""

from __future__ import annotations

import itertools
from math import prod
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from apps.price.price_bounds_helpers import small
from apps.price.price_tables_helpers import price_list
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.summary_tables import (
    count_candidates,
    count_combinations,
    expected_cost,
    pattern_table,
    summarize_problem,
    word_table,
)


def test_more_to_search_costs_more(tmp_path: Path) -> None:
    few = expected_cost(small(tmp_path, 1).problem(), speed=1)
    many = expected_cost(small(tmp_path, 1, rows=3000).problem(), speed=1)
    assert few.candidates == many.candidates == 3**4
    assert (few.seconds, few.bytes) < (many.seconds, many.bytes)
    assert expected_cost(small(tmp_path, 1).problem(), speed=2).seconds == few.seconds / 2
    assert few.sure


AGES = {"12": (2, 18), "13": (7, 33), "14": (1, 0), "15": (3, 29)}


def test_table_1(tmp_path: Path) -> None:
    lines = [("年齢", "original", age, f"{age}才", price) for age, (_, price) in AGES.items()]
    lines += [("年齢", "decades", age, "10代", 37) for age in AGES]
    people = pl.DataFrame({"年齢": [age for age, (n, _) in AGES.items() for _ in range(n)]})
    session = PriceSession(people, price_list(tmp_path, lines))
    original = word_table(session.problem(), "年齢", "original")
    assert [(one.word, one.people, one.price, one.value) for one in original] == [
        ("12才", 2, 18, 36),
        ("13才", 7, 33, 231),
        ("14才", 1, 0, 0),
        ("15才", 3, 29, 87),
    ]
    (decade,) = word_table(session.problem(), "年齢", "decades")
    assert (decade.people, decade.value) == (13, 481)
    told = session.ask(Question(k=2)).as_json()
    assert (told["original_value"], told["value"], told["k"]) == (354, 481, 13)
    assert told["choice"] == {"年齢": "decades"}


@given(st.lists(st.integers(1, 50), min_size=1, max_size=7))
def test_figure_2(values: list[int]) -> None:
    expected = [
        sum(prod(some) for some in itertools.combinations(values, size))
        for size in range(1, len(values) + 1)
    ]
    assert count_combinations(values) == expected


def test_table_6_against_plain_counts(tmp_path: Path) -> None:
    people, lines = sample_prices(500, seed=3)
    lines.write_csv(tmp_path / "p.csv")
    prices = PriceList.read(tmp_path / "p.csv")
    problem = PriceSession(people, prices).problem()
    assert len(pattern_table(problem)) == 27
    for line in pattern_table(problem):
        words = prices.patterns[line.attribute][line.pattern]
        cells = [words[str(value)] for value in people[line.attribute]]
        counts = np.unique(cells, return_counts=True)[1]
        assert (line.words, line.k, line.largest) == (len(counts), counts.min(), counts.max())
        assert line.mean == pytest.approx(counts.mean())
        assert line.sd == pytest.approx(counts.std())
        assert line.value == sum(prices.prices[line.attribute][cell] or 0 for cell in cells)
    told = summarize_problem(problem)
    assert told["candidates"] == count_candidates(problem) == 31_104
    for name, pattern in (("nobody", "original"), ("年齢", "nothing")):
        with pytest.raises(tk.extending.UnknownNameError):
            word_table(problem, name, pattern)
