"""`tokumei price` and `tokumei sample prices`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
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


def test_optimize_and_value_agree(people) -> None:
    tokumei = people
    ran = tokumei("price", "optimize", *FILES, "--k", 5, "--seed", 1, "--out", "y.csv",
                  "--secret", "link.csv", "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    told = ran.json
    assert {"value", "original_value", "ratio", "choice", "k", "optimal"} <= set(told)
    assert told["optimal"] is True
    assert told["k"] >= 5
    kept = [name for name, pattern in told["choice"].items() if pattern != "delete"]
    assert pl.read_csv("y.csv").columns == kept
    assert pl.read_csv("y.csv").group_by(kept).len()["len"].min() == told["k"]
    manifest = json.loads(Path("y.csv.manifest.json").read_text())
    assert manifest["claims"] == [{"rule": "k-anonymity", "params": {"k": 5, "columns": kept}}]
    assert manifest["provenance"]["steps"][0]["prices"] == told["prices"]
    assert Path("link.csv").stat().st_mode & 0o777 == 0o600
    valued = tokumei("price", "value", "--data", "people.csv", "--release", "y.csv",
                     "--patterns", "prices.csv", "--json").json  # fmt: skip
    assert [valued[name] for name in ("value", "original_value", "k")] == [
        told[name] for name in ("value", "original_value", "k")
    ]
    check = tokumei("check", "--format", "table", "--release", "y.csv", "--qi", ",".join(kept),
                    "--k", 5)  # fmt: skip
    assert check.code == 0


def test_options_of_the_question(people) -> None:
    ran = people("price", "optimize", *FILES, "--k", 4, "--best", 3, "--suppression", 0.05,
                 "--stay", "年齢", "--go", "性別", "--least", "住所=100", "--seconds", 3600,
                 "--columns", "年齢,住所,性別,年収", "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert len(ran.json["answers"]) == 3
    for told in ran.json["answers"]:
        assert list(told["choice"]) == ["住所", "年齢", "性別", "年収"]
        assert told["choice"]["年齢"] != "delete"
        assert told["choice"]["性別"] == "delete"
        assert told["values"]["住所"] >= 100
        assert told["suppressed"] <= 30


def test_tables_on_the_terminal(people) -> None:
    answer = people("price", "optimize", *FILES, "--k", 5)
    assert "Answer 1: k =" in answer.out
    assert "total" in answer.out
    late = people("price", "optimize", *FILES, "--k", 5, "--seconds", 1e-9, "--json").json
    assert (late["optimal"], late["value"]) == (False, 0)
    assert set(late["choice"].values()) == {"delete"}
    assert late["bound"] > 0
    some = people("price", "optimize", *FILES, "--k", 5, "--suppression", 0.1)
    assert "rows left out" in some.err
    people("anonymize", "table", "--data", "people.csv", "--qi", "年齢,住所", "--sa", "",
           "--method", "mondrian", "--k", 5, "--out", "m.csv")  # fmt: skip
    valued = people("price", "value", "--data", "people.csv", "--release", "m.csv",
                    "--patterns", "prices.csv")  # fmt: skip
    for words in ("generalized", "kept", "Cells without a price"):
        assert words in valued.out, words
    curve = people("price", "curve", *FILES, "--k", "2,600")
    assert "Highest value for every k" in curve.out
    shown = people("price", "show", *FILES, "--words", "年齢=decades")
    for words in ("priority", "sd", "31,104 recodings", "10代", "@¥"):
        assert words in shown.out, words
    told = people("price", "show", *FILES, "--words", "年齢=decades", "--json").json
    assert len(told["words"]["年齢"]) == 8
    assert "価値と安全性" in people("price", "pareto", *FILES, "--k", "2,5", "--lang", "ja").out


def test_diff_curve_and_pareto(people) -> None:
    ran = people("price", "diff", "--data", "people.csv", "--before", "prices.csv",
                 "--after", "later.csv", "--k", 5)  # fmt: skip
    assert ran.code == 0, ran.err
    assert "Keeping the old choice" in ran.out
    told = people("price", "diff", "--data", "people.csv", "--before", "prices.csv",
                  "--after", "later.csv", "--k", 5, "--json").json  # fmt: skip
    assert told["changed"]
    assert told["value_change"] == told["after"]["value"] - told["before"]["value"]
    ran = people("price", "curve", *FILES, "--k", "2-6", "--out", "curve", "--json")
    assert [point["asked_k"] for point in ran.json] == [2, 3, 4, 5, 6]
    names = {path.name for path in Path("curve").iterdir()}
    assert names == {"curve.csv", "curve.json", "report.html", "value-k.svg", "pattern-k.svg",
                     "pattern-words.svg"}  # fmt: skip
    page = Path("curve/report.html").read_text()
    assert "What is the data worth?" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    points = people("price", "pareto", *FILES, "--k", "2-4", "--seed", 1, "--json").json
    assert any(point["front_attack"] for point in points)
    assert all(0 < point["found"] <= 1 / point["k"] + 1e-9 for point in points)


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
