"""Every method says what it does not protect against, and the page and the command repeat it."""

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from tokumei.apps.cli.app import main
from tokumei.core.randomness import Randomness
from tokumei.tables.evaluation import evaluate
from tokumei.tables.registry import anonymizers
from tokumei.tables.report.report_context import describe_left_open
from tokumei.tables.report.report_page import render_report


@pytest.mark.parametrize("name", anonymizers.names())
def test_every_method_says_what_it_leaves_open(name):
    said = describe_left_open({"method": name})
    assert said is not None
    assert said.en.endswith(".")
    assert said.ja.endswith("。")


def test_a_report_says_what_its_method_leaves_open():
    table = tk.sample_table(60, seed=1)
    release = tk.anonymize(table, "mondrian", k=3, seed=1)
    found = evaluate(table, release, label="one", rng=Randomness(1))
    page = render_report([found])
    assert "What this does not protect against" in page
    assert "4,010 of 30,162" in page


@pytest.mark.parametrize(("k", "warned"), [(2, True), (3, False)])
def test_mondrian_with_two_rows_is_warned_of(tmp_path, monkeypatch, capsys, k, warned):
    monkeypatch.chdir(tmp_path)
    rows = {"age": [20 + i % 9 for i in range(40)], "sex": ["MF"[i % 2] for i in range(40)]}
    pl.DataFrame(rows).write_csv("x.csv")
    call = ["anonymize", "table", "--data", "x.csv", "--qi", "age,sex", "--k", str(k)]
    with pytest.raises(SystemExit) as stop:
        main([*call, "--out", "y.csv"])
    assert not stop.value.code
    assert Path("y.csv").exists()
    assert ("gives exact records away" in capsys.readouterr().err) == warned
