"""Small things that were not as said (issue "Safe as said", lines 11 and 12)."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from fuzz.judged import run

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


def test_headings_stay_with_what_they_head_in_print():
    import tokumei.conformity

    home = Path(tokumei.conformity.__file__).parent
    css = (home / "templates" / "conformity" / "conformity.css").read_text(encoding="utf-8")
    printed = css.split("@media print")[1]
    assert re.search(r"\.item \.intro[^{]*\{ break-after: avoid", printed)
    assert ".checks { display: block; }" in printed
