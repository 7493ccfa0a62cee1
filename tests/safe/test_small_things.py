"""Small things that were not as said (issue "Safe as said", lines 11 and 12)."""

import json
import os
import re
import warnings
from pathlib import Path

import polars as pl
import pytest
import vl_convert

from fuzz.judged import run
from tokumei.apps.contest.jobs import judge_process_main
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.report.chart_data import to_runs
from tokumei.histories.report.verdict import history_verdict
from tokumei.report.line_chart import LineChart
from tokumei.report.sweep_report import sweep_result

PEOPLE = {
    "age": [20 + n % 7 * 5 for n in range(60)],
    "sex": ["female", "male"] * 30,
    "zip": [f"10{n % 5}-0001" for n in range(60)],
    "income": [n * 37 % 997 for n in range(60)],
}


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(PEOPLE).write_csv("x.csv")
    return "x.csv"


@pytest.mark.parametrize("more", [[], ["--format", "table"]])
def test_a_table_can_be_swept_without_saying_that_it_is_one(people, more):
    ran = run(["sweep", "--data", people, "--k", "2,3", "--attacks", "linkage", *more, "--json"])
    assert ran.code == 0, ran.err
    assert [point["k"] for point in json.loads(ran.out)] == [2, 3]


def test_a_history_is_still_a_history(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        run(["sample", "history", "--customers", "30", "--seed", "1", "--out", "T.csv"]).code == 0
    )
    ran = run(["sweep", "--data", "T.csv", "--k", "2", "--json"])
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)[0]["risk"] == 0.5


def test_risk_infers_what_an_attacker_may_know(people):
    ran = run(["risk", "--data", people, "--json"])
    assert ran.code == 0, ran.err
    assert {"age", "sex"} <= {*json.loads(ran.out)["columns"]}
    assert "--qi" in ran.err


def test_a_tick_is_labelled_with_its_own_number():
    lines = LineChart(Message("months", "月"), Message("rate", "率"), [1, 12], [Message("a", "a")])
    rows = [{"x": x, "y": 0.1, "low": 0.0, "high": 0.2, "en": "a", "ja": "a"} for x in (1, 12)]
    chart = lines.build(pl.DataFrame(rows), "en")
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    assert {"1", "12"} <= {*re.findall(r">(\d+)</text>", svg)}


def test_a_fork_of_the_judge_does_not_warn(monkeypatch):
    """Python 3.12 warns of threads that libraries have started and never used."""

    def fork():
        words = f"This process (pid={os.getpid()}) is multi-threaded, use of fork() may lead to"
        warnings.warn(f"{words} deadlocks in the child.", DeprecationWarning, stacklevel=2)
        return 1

    monkeypatch.setattr(os, "fork", fork)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert judge_process_main._fork_quietly() == 1


def categories():
    """By the contest's figure k = 6 is best, against the real items k = 7."""
    points = {6: (0.30, 0.60), 7: (0.33, 0.50)}
    return Sweep(
        "rank-match",
        "k",
        tuple(
            SweepPoint(k, loss, 1 / k, 1.0, {"honest_loss": honest, "plain_loss": 0.4})
            for k, (loss, honest) in points.items()
        ),
    )


def test_a_sentence_speaks_of_one_loss():
    text = str(sweep_result([categories()], []).shown[-1].en)
    first, real = text.split("Against the real items")
    assert "k = 6 (0.4667)" in first
    assert "k = 7 (0.6429)" in real
    verdict = history_verdict(*to_runs([categories()]))
    assert "k = 7 has the smallest sum" in verdict.headline.en
    assert "loss 0.500" in verdict.detail.en


def test_headings_stay_with_what_they_head_in_print():
    import tokumei.conformity

    home = Path(tokumei.conformity.__file__).parent
    css = (home / "templates" / "conformity" / "conformity.css").read_text(encoding="utf-8")
    printed = css.split("@media print")[1]
    assert re.search(r"\.item \.intro[^{]*\{ break-after: avoid", printed)
    assert ".checks { display: block; }" in printed
