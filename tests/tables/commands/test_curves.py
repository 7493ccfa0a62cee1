"""Tests of tokumei.tables.commands.curves."""

from pathlib import Path

import polars as pl


def test_curves_write_csv_and_a_picture(tokumei, paper):
    ran = tokumei(
        "curves", "--original", "x.csv", "--release", "b.csv", *paper, "--by", "qi",
        "--out", "c", "--json",
    )  # fmt: skip
    assert [point["used"] for point in ran.json["points"] if point["attack"] == "EUC1"] == [1, 2, 3]
    assert pl.read_csv("c/curve-qi.csv").height == 6
    assert Path("c/curve-qi.svg").read_text().startswith("<svg")
    for by, steps in (("sa", 2), ("rows", 3)):
        ran = tokumei(
            "curves", "--original", "x.csv", "--release", "b.csv", *paper, "--by", by, "--json"
        )
        assert len([p for p in ran.json["points"] if p["attack"] == "EUC1"]) == steps
