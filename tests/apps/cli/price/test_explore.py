"""Tests of tokumei.apps.cli.price.explore."""

from __future__ import annotations

from pathlib import Path

from apps.cli.price_scene import FILES
from apps.cli.price_scene import people as people


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
