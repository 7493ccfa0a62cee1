"""The same request gives the same bytes and figures by command line, Python, recipe and studio."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from tables.services.front_ends_samples import (
    MONDRIAN,
    QI,
    SA,
    Case,
    by_command_line,
    by_python,
    by_recipe,
    by_studio,
    people,
    require_one_outcome,
    write_messy,
    write_plain,
)


def write_persons(path: Path) -> None:
    people(30).write_csv(path)


METHODS = {
    "mondrian": Case(["--k", "4"], [MONDRIAN]),
    "local": Case(["--method", "local", "--k", "3"], [{"method": "local", "k": 3}]),
    "noise": Case(["--method", "noise"], [{"method": "noise"}]),
}


MODELS = {
    "l-diversity": Case(["--k", "4", "--l", "2"], [{**MONDRIAN, "conditions": ["l=2"]}]),
    "t-closeness": Case(["--k", "4", "--t", "0.5"], [{**MONDRIAN, "conditions": ["t=0.5"]}]),
    "pipeline": Case(
        ["--method", "mondrian,microaggregate", "--set", "mondrian.k=4"],
        [MONDRIAN, {"method": "microaggregate"}],
    ),
}


ROLES = {
    "inferred": Case(["--k", "4"], [MONDRIAN], roles={}),
    "person": Case(
        ["--k", "3"],
        [{"method": "mondrian", "k": 3}],
        write=write_persons,
        roles={"qi": QI, "sa": SA, "person": "uid"},
    ),
    "messy, inferred": Case(["--k", "4"], [MONDRIAN], write=write_messy, roles={}),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_give_the_same_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(METHODS[name], tokumei, monkeypatch)


@pytest.mark.parametrize("name", MODELS)
def test_models_and_pipelines_give_the_same_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(MODELS[name], tokumei, monkeypatch)


@pytest.mark.parametrize("name", ROLES)
def test_roles_and_people_are_the_same_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(ROLES[name], tokumei, monkeypatch)


def write_repeated_identifiers(path: Path) -> None:
    rows = people().with_columns(uid=pl.Series([f"u{row // 5:02d}" for row in range(60)]))
    rows.write_csv(path)


def test_repeated_identifiers_are_refused_everywhere(tokumei, monkeypatch):
    roles = {"qi": QI, "sa": SA, "ids": ["uid"]}
    case = Case(["--k", "4"], [MONDRIAN], write=write_repeated_identifiers, roles=roles)
    case.write(Path("x.csv"))
    options = ["--qi", ",".join(QI), "--sa", "pay", "--id", "uid", "--k", "4", "--out", "y.csv"]
    ran = tokumei("anonymize", "table", "--data", "x.csv", *options)
    assert ran.code == 1
    assert "--person uid" in ran.err
    table = tk.read_table("x.csv", **roles)
    for refused in (
        lambda: tk.anonymize("x.csv", [MONDRIAN], **roles),
        lambda: tk.anonymize(pl.read_csv("x.csv"), [MONDRIAN], **roles),
        lambda: tk.anonymize(table, "mondrian", k=4),
        lambda: by_recipe(case),
        lambda: by_studio(case, monkeypatch),
    ):
        with pytest.raises(tk.TokumeiError) as error:
            refused()
        assert [fault.rule for fault in error.value.faults] == ["rows-are-not-people"]


def test_saved_roles_hold_in_recipes_as_on_the_command_line(tokumei):
    write_persons(Path("x.csv"))
    saved = ["--save-roles", "--out", "y.csv"]
    options = ["--qi", ",".join(QI), "--sa", "pay", "--person", "uid", "--k", "3"]
    first = tokumei("anonymize", "table", "--data", "x.csv", *options, *saved)
    assert first.code == 0, first.err
    case = Case(["--k", "3"], [{"method": "mondrian", "k": 3}], roles={})
    expected = by_command_line(case, tokumei)
    assert by_recipe(case) == expected
    assert expected.claims["person"] == "uid"


def test_a_saved_profile_changes_nothing_that_nobody_answered(tokumei):
    write_plain(Path("x.csv"))
    case = Case(["--k", "4"], [MONDRIAN], roles={})
    before = by_command_line(case, tokumei)
    assert tokumei("look", "x.csv", "--save").code == 0
    assert by_command_line(case, tokumei) == before
    assert by_python(case) == before
    assert by_recipe(case) == before


def write_with_unused_column(path: Path) -> None:
    people().with_columns(points=pl.Series(range(60)) % 7).write_csv(path)


def test_a_saved_profile_holds_no_column_back(tokumei):
    write_with_unused_column(Path("x.csv"))
    case = Case(["--k", "4"], [MONDRIAN])
    before = by_command_line(case, tokumei)
    assert "points" in before.claims["columns"]
    assert tokumei("look", "x.csv", "--save").code == 0
    assert by_command_line(case, tokumei) == before
    assert by_recipe(case) == before


def test_an_answer_in_a_saved_profile_holds(tokumei):
    write_with_unused_column(Path("x.csv"))
    assert tokumei("look", "x.csv", "--save").code == 0
    saved = json.loads(Path("x.csv.tokumei.json").read_text())
    saved["columns"]["points"]["fate"] = "drop"
    Path("x.csv.tokumei.json").write_text(json.dumps(saved))
    case = Case(["--k", "4"], [MONDRIAN])
    found = by_command_line(case, tokumei)
    assert "points" not in found.claims["columns"]
    assert by_recipe(case) == found


def test_a_dropped_key_that_repeats_is_refused_whoever_drops_it(tokumei):
    visits = pl.concat([people(60)] * 4)
    visits.write_csv("x.csv")
    call = ["anonymize", "table", "--data", "x.csv", "--k", "4", "--seed", "1", "--out", "y.csv"]
    by_default = tokumei(*call, "--answers", "defaults")
    assert by_default.code == 1
    assert "--person uid" in by_default.err
    assert tokumei("look", "x.csv", "--save").code == 0
    saved = json.loads(Path("x.csv.tokumei.json").read_text())
    assert saved["columns"]["uid"]["fate"] == "ask"
    saved["columns"]["uid"]["fate"] = "drop"
    Path("x.csv.tokumei.json").write_text(json.dumps(saved))
    by_side_file = tokumei(*call)
    assert by_side_file.code == 1
    assert "--person uid" in by_side_file.err
    with pytest.raises(tk.TokumeiError, match='person="uid"'):
        tk.anonymize("x.csv", "mondrian", k=4)
    for decision in (["--person", "uid"], ["--person", "none"], ["--drop", "uid"]):
        assert tokumei(*call, *decision).code == 0
