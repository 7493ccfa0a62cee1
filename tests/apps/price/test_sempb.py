"""Tests of tokumei.apps.price.sempb."""

from decimal import Decimal

import polars as pl

from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.sempb import describe_sempb, run_sempb
from tokumei.apps.price.session import PriceSession

PEOPLE = pl.DataFrame({"age": ["12", "13", "22", "23"], "sex": ["m", "m", "f", "f"]})
PATTERNS = {
    "age": {
        "original": {"12": "12", "13": "13", "22": "22", "23": "23"},
        "decades": {"12": "10s", "13": "10s", "22": "20s", "23": "20s"},
    },
    "sex": {"original": {"m": "m", "f": "f"}},
}


def problem_of(decades: int, ages: int):
    prices = {
        "age": dict.fromkeys(("12", "13", "22", "23"), Decimal(ages))
        | dict.fromkeys(("10s", "20s"), Decimal(decades)),
        "sex": {"m": Decimal(1), "f": Decimal(1)},
    }
    return PriceSession(PEOPLE, PriceList(PATTERNS, prices)).problem()


def test_the_listing_never_tries_the_most_expensive_pattern():
    problem = problem_of(decades=9, ages=5)
    printed = run_sempb(problem)
    assert [(step.attribute, step.pattern) for step in printed.steps] == [
        ("age", "original"),
        ("sex", "original"),
    ]
    assert (printed.candidate, printed.k) == (None, 1)
    first = run_sempb(problem, from_first=True)
    assert (first.k, len(first.steps), first.value) == (2, 1, 40)


def test_it_ends_at_the_second_pattern_if_that_makes_pairs():
    found = run_sempb(problem_of(decades=5, ages=9))
    assert [step.pattern for step in found.steps] == ["decades"]
    assert problem_of(decades=5, ages=9).pattern_names(found.candidate) == {
        "age": "decades",
        "sex": "original",
    }
    assert "is 2-anonymous after 1 steps, value 24" in str(describe_sempb(problem_of(5, 9)))
    assert "never becomes 2-anonymous" in str(describe_sempb(problem_of(9, 5)))
