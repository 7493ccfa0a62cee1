"""`tokumei unicity` and `tokumei lifetime`, from generated files to results."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from apps.cli.period_curves_samples import words


@pytest.fixture
def history(tokumei):
    """T.csv and M.csv in the format of 2017."""
    made = tokumei(
        *words("sample history --format pws2017 --rows 900 --customers 30 --seed 1"),
        *("--out", "T.csv", "--master", "M.csv"),
    )
    assert made.code == 0, made.err
    return tokumei


def test_unicity_of_a_generated_history(tokumei):
    tokumei(*words("sample history --rows 2000 --seed 1 --out T.csv"))
    asked = "unicity --data T.csv --format pws2018 --points 1-3 --by item,day --by item:2,month"
    ran = tokumei(*asked.split(), "--seed", 1, "--json", "--out", "found")
    assert ran.code == 0, ran.err
    history = tk.read_history("T.csv", format="pws2018")
    by = ["item,day", "item:2,month"]
    wanted = [u.as_json() for u in tk.unicity(history, by, points=[1, 2, 3], seed=1)]
    assert ran.json == {"shares": wanted}
    assert sorted(path.name for path in Path("found").iterdir()) == [
        "report.html", "unicity.csv", "unicity.json", "unicity.svg"
    ]  # fmt: skip
    shown = tokumei(*asked.split(), "--seed", 1)
    assert f"{wanted[0]['share']:.4f}" in shown.out
    assert "item:2,month" in shown.out


def test_unicity_of_the_other_formats(history):
    tokumei = history
    by = ["--by", "item,time", "--points", "1", "--json"]
    old = tokumei("unicity", "--data", "T.csv", "--format", "pws2017", *by)
    assert old.code == 0, old.err
    assert [one["points"] for one in old.json["shares"]] == [1]
    tokumei(*words("sample history --rows 500 --seed 1 --format table --out t.csv"))
    table = tokumei("unicity", "--data", "t.csv", "--format", "table", "--seed", 1, "--json")
    assert len({one["by"] for one in table.json["shares"]}) == 5


@pytest.mark.parametrize(
    "wrong",
    [["--by", "item,colour"], ["--points", "0"], ["--points", "x"], ["--draws", "0"]],
    ids=lambda wrong: "".join(wrong),
)
def test_wrong_questions_about_unicity(tokumei, wrong):
    tokumei(*words("sample history --rows 200 --seed 1 --out T.csv"))
    ran = tokumei("unicity", "--data", "T.csv", *wrong, "--json")
    assert ran.code == 2
    assert "error" in ran.json


def test_results_never_replace_the_original(history):
    Path("out").mkdir()
    for name in ("unicity.csv", "lifetime.csv"):
        Path("T.csv").rename(f"out/{name}")
        command = name.removesuffix(".csv")
        more = ["--master", "M.csv"] if command == "lifetime" else ["--format", "pws2017"]
        ran = history(command, "--data", f"out/{name}", *more, "--out", "out")
        assert ran.code == 2
        Path(f"out/{name}").rename("T.csv")


def test_lifetimes_of_a_generated_history(history):
    asked = "lifetime --data T.csv --master M.csv --alpha 0.1,0.5 --lifetimes 1,4,12 --attack S4"
    ran = history(*asked.split(), "--seed", 1, "--rate", "0.9", "--json", "--out", "found")
    assert ran.code == 0, ran.err
    found = ran.json
    assert (found["attack"], found["rate"]) == ("S4", 0.9)
    assert [(p["lifetime"], p["alpha"]) for p in found["points"]] == [
        (months, alpha) for months in (1, 4, 12) for alpha in (0.1, 0.5)
    ]
    under = [p["lifetime"] for p in found["points"] if p["alpha"] == 0.5 and p["high"] < 0.9]
    assert found["longest"] == max(under, default=None)
    assert sorted(path.name for path in Path("found").iterdir()) == [
        "lifetime.csv", "lifetime.json", "report.html",
        "risk-knowledge.svg", "risk-lifetime.svg", "utility-lifetime.svg",
    ]  # fmt: skip
    shown = history(*asked.split(), "--seed", 1, "--rate", "0.001", "--lang", "ja")
    assert "どの有効期間でも" in shown.out


@pytest.mark.parametrize("more", ["--alpha 0.3", "--prefix item=2"])
def test_halves_leave_no_room_for_other_knowledge(history, more):
    ran = history(*f"lifetime --data T.csv --master M.csv --halves {more}".split())
    assert ran.code == 2
    assert "--halves" in ran.err


def test_halves_of_a_generated_history(history):
    asked = "lifetime --data T.csv --master M.csv --halves --lifetimes 1,6 --seed 1 --json"
    ran = history(*asked.split())
    assert ran.code == 0, ran.err
    assert ran.json["attack"] == "profile"
    assert [p["alpha"] for p in ran.json["points"]] == [None, None]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--alpha", "2"],
        ["--alpha", "x"],
        ["--lifetimes", "13"],
        ["--prefix", "item=x"],
        ["--attack", "magic"],
        ["--set", "lifetime=2"],
        ["--rate", "0"],
    ],
    ids=lambda wrong: "".join(wrong),
)
def test_wrong_questions_about_lifetimes(history, wrong):
    ran = history("lifetime", "--data", "T.csv", "--master", "M.csv", *wrong, "--json")
    assert ran.code == 2
    assert "error" in ran.json
