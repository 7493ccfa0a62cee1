"""Tests of tokumei.apps.cli.price.inputs."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from apps.cli.price_scene import FILES
from apps.cli.price_scene import people as people

WRONG = [
    # code, words of the message, arguments
    (2, "k must be from 1", ("optimize", *FILES, "--k", 601)),
    (2, "would replace the original", ("optimize", *FILES, "--out", "prices.csv")),
    (2, "no such file", ("optimize", "--data", "people.csv", "--patterns", "none.csv")),
    (2, "unknown priced attribute", ("optimize", *FILES, "--columns", "身長")),
    (2, "not a number", ("optimize", *FILES, "--least", "年齢=much")),
    (2, "--synonyms needs --keywords", ("optimize", *FILES, "--synonyms", "x.csv")),
    (2, "must end in", ("optimize", *FILES, "--out", "y.doc")),
    (1, "nothing to write", ("optimize", *FILES, "--k", 600, "--out", "y.csv")),
    (1, "no recoding reaches", ("optimize", *FILES, "--k", 600, "--stay", "年齢")),
    (2, "the price list cannot be used", ("optimize", "--data", "people.csv", "--patterns",
                                          "bad.csv")),
    (2, "unknown column of the data", ("optimize", "--data", "few.csv", "--patterns",
                                       "prices.csv")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "words", "arguments"), WRONG)
def test_errors(people, code: int, words: str, arguments: tuple[object, ...]) -> None:
    Path("bad.csv").write_text("attribute,pattern,value,word,price\n年齢,original,12,12,-1\n")
    pl.read_csv("people.csv").drop("住所").write_csv("few.csv")
    ran = people("price", *arguments)
    assert ran.code == code, ran.err
    assert words in ran.err
    assert not Path("y.csv").exists()
