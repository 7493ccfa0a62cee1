"""`tokumei price` and `tokumei sample prices`, as a user calls them."""

from __future__ import annotations

from apps.cli.price_scene import FILES
from apps.cli.price_scene import people as people


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
