"""Tests of tokumei.apps.price.price_files."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.price.price_lists_helpers import GOOD, read
from tokumei.apps.price.keyword_prices import read_keyword_prices
from tokumei.apps.price.price_files import read_synonyms
from tokumei.core.errors import InputError


def test_prices_of_a_function_and_of_keywords(tmp_path: Path) -> None:
    prices = read(tmp_path, GOOD)
    made = prices.with_prices(lambda word: len(word) if word.endswith("才") else None)
    assert made.prices["age"] == {"12才": 3, "13才": 3, "10代": 37}
    assert made.record()[0]["source"] == "function <lambda>"
    with pytest.raises(InputError, match="negative"):
        prices.with_prices(lambda word: -1)
    export = tmp_path / "export.csv"
    export.write_text("Keyword,Avg. CPC\nMale,9\n12 years old,4\n")
    synonyms = tmp_path / "synonyms.csv"
    synonyms.write_text("word,keyword\n12才,12 years old\n")
    found = prices.with_prices(read_keyword_prices(export), synonyms=read_synonyms(synonyms))
    assert found.prices["sex"] == {"male": 9, "female": 5}
    assert found.prices["age"]["12才"] == 4
    assert [one["source"] for one in found.record()] == ["export.csv", "prices.csv"]


@pytest.mark.parametrize("text", ["word,keyword\na,b\na,c\n", "word,keyword\na,\n", "word\na\n"])
def test_synonyms_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    path = tmp_path / "synonyms.csv"
    path.write_text(text)
    with pytest.raises(InputError):
        read_synonyms(path)
