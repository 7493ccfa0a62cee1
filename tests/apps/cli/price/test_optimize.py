"""Tests of tokumei.apps.cli.price.optimize."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from apps.cli.price_scene import FILES
from apps.cli.price_scene import people as people


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
