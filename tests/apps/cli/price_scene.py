"""What the tests split from test_price share."""

from __future__ import annotations

import pytest

FILES = ("--data", "people.csv", "--patterns", "prices.csv")


@pytest.fixture
def people(tokumei):
    """people.csv with prices.csv, and the prices of another day."""
    for seed, out, prices in ((1, "people.csv", "prices.csv"), (2, "x.csv", "later.csv")):
        ran = tokumei("sample", "prices", "--rows", 600, "--seed", seed, "--out", out,
                      "--prices", prices, "--json")  # fmt: skip
        assert ran.code == 0, ran.err
    return tokumei
