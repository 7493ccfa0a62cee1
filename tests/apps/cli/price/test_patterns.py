"""Tests of tokumei.apps.cli.price.patterns."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from apps.cli.price_scene import people as people


def test_keywords_and_synonyms(people) -> None:
    prices = pl.read_csv("prices.csv")
    prices.drop("price").write_csv("patterns.csv")
    words = prices.filter(pl.col("word") != "東京")["word"].unique().to_list()
    lines = ["Keyword\tCurrency\tAvg. CPC", *(f"{word}\tJPY\t{len(word)}" for word in words)]
    Path("export.csv").write_bytes("\n".join([*lines, "Tokyo\tJPY\t99"]).encode("utf-16"))
    Path("synonyms.csv").write_text("word,keyword\n東京,tokyo\n", encoding="utf-8")
    given = ("--data", "people.csv", "--patterns", "patterns.csv", "--keywords", "export.csv")
    plain = people("price", "optimize", *given, "--json").json
    assert plain["unpriced"] == [{"attribute": "住所", "word": "東京"}]
    named = people("price", "optimize", *given, "--synonyms", "synonyms.csv", "--json").json
    assert named["unpriced"] == []
    assert [one["source"] for one in named["prices"]] == ["export.csv", "patterns.csv"]
    assert "without a price" in people("price", "optimize", *given).err
