"""Tests of tokumei.apps.cli.hierarchy_output."""

from pathlib import Path


def test_show_draws_and_speaks_json(tokumei):
    ran = tokumei(
        *("hierarchy", "show", "--builtin", "birth-date", "--most", "30", "--out", "tree.html"),
        "--json",
    )
    assert ran.json["levels"] == [47482, 130, 13, 1]
    assert ran.json["lines"][0] == {
        "depth": 0,
        "label": "*",
        "leaves": 47482,
        "rows": None,
        "more": 0,
    }
    assert "<svg" in Path("tree.html").read_text()
    assert tokumei("hierarchy", "show", "--builtin", "sex", "--out", "tree.svg").code == 0
    assert Path("tree.svg").read_text().startswith("<svg")
