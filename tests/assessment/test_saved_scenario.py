"""The scenario beside the original, in the manifest and in a recipe; the nearest one counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.support.command_line import exit_code

import tokumei as tk
from tokumei.assessment.saved_scenario import find_scenario, manifest_scenario, save_scenario
from tokumei.core.errors import TokumeiError
from tokumei.core.scenario import Scenario
from tokumei.tables.profiling.profile_file import profile_path

INSIDE = Scenario.for_recipient("inside", knows=["age~5", "sex"], limits={"smallest_class": 4})


def people(path: Path) -> str:
    frame = pl.DataFrame(
        {
            "age": [20, 21, 22, 23, 24, 30, 31, 32, 33, 34] * 3,
            "sex": ["f", "m"] * 15,
            "income": range(100, 130),
        }
    )
    frame.write_csv(path / "people.csv")
    return str(path / "people.csv")


def test_nothing_saved_is_a_partner(tmp_path: Path) -> None:
    assert find_scenario(people(tmp_path)) == Scenario()


def test_a_scenario_is_saved_beside_the_original_with_its_roles(tmp_path: Path) -> None:
    original = people(tmp_path)
    save_scenario(original, INSIDE)
    assert find_scenario(original) == INSIDE
    content = json.loads(profile_path(original).read_text(encoding="utf-8"))
    assert {*content["columns"]} == {"age", "sex", "income"}
    save_scenario(original, Scenario())
    kept = json.loads(profile_path(original).read_text(encoding="utf-8"))
    assert kept["columns"] == content["columns"]
    assert find_scenario(original) == Scenario()


def test_a_damaged_scenario_is_refused(tmp_path: Path) -> None:
    original = people(tmp_path)
    save_scenario(original, INSIDE)
    path = profile_path(original)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "scenario": "inside"}), encoding="utf-8")
    with pytest.raises(TokumeiError):
        find_scenario(original)


def test_the_assessment_in_a_folder_tells_all_of_it(tmp_path: Path) -> None:
    """Who is a person and what weighs more is not in the manifest; the side file comes first."""
    original = people(tmp_path)
    decided = Scenario.for_recipient("inside", person="none", keep={"age": 3.0})
    path = tmp_path / "assessment.json"
    path.write_text(json.dumps({"scenario": decided.to_dict()}), encoding="utf-8")
    assert find_scenario(original, folder=str(tmp_path)) == decided
    save_scenario(original, INSIDE)
    assert find_scenario(original, folder=str(tmp_path)) == INSIDE
    profile_path(original).unlink()
    path.write_text("{", encoding="utf-8")
    with pytest.raises(TokumeiError):
        find_scenario(original, folder=str(tmp_path))
    assert find_scenario(original, folder=str(tmp_path / "empty")) == Scenario()


def test_a_manifest_tells_the_public_part_only() -> None:
    scenario = Scenario.for_recipient(
        "partner", knows=["age", "name"], person="customer", keep={"age": 2}, holds=("city",)
    )
    told = scenario.to_public_dict({"age", "city"})
    assert told == {
        "recipient": "partner",
        "knows": ["age"],
        "limits": {"identified": 0.0, "guessed_right": 0.2, "smallest_class": 5},
    }
    assert manifest_scenario({"scenario": told}) == Scenario.for_recipient("partner", knows=["age"])
    assert manifest_scenario({"scenario": {"recipient": "everybody"}}) is None
    assert manifest_scenario({}) is None


def test_every_command_and_its_manifest_use_the_saved_scenario(tmp_path: Path) -> None:
    original, release = people(tmp_path), str(tmp_path / "y.csv")
    link = str(tmp_path / "link.csv")
    save_scenario(original, INSIDE)
    assert exit_code("look", original, "--save") == 0
    assert (
        exit_code(
            *("anonymize", "table", "--data", original, "--qi", "age,sex", "--sa", "income"),
            *("--k", "5", "--seed", "1", "--out", release, "--secret", link),
        )
        == 0
    )
    manifest = json.loads(Path(f"{release}.manifest.json").read_text(encoding="utf-8"))
    assert manifest["scenario"] == INSIDE.to_public_dict(["age", "sex", "income"])
    document: Any = tk.assess(original, release, link=link).to_dict()
    assert document["scenario"]["recipient"] == "inside"
    assert document["scenario"]["knows"] == ["age~5", "sex"]
    assert document["scenario"]["limits"]["smallest_class"] == 4
    profile_path(original).unlink()
    assert find_scenario(original, release) == INSIDE
    changed: Any = tk.assess(original, release, link=link, recipient="public").to_dict()
    assert changed["scenario"]["limits"]["smallest_class"] == 20


def test_a_recipe_decides_for_its_releases(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        f"data: {{file: {people(tmp_path)}, qi: [age, sex], sa: [income]}}\n"
        "releases: [{name: five, steps: [{method: mondrian, k: 5}]}]\n"
        "attacks: [E1]\nmeasures: [U1]\nseed: 1\n"
        "scenario: {recipient: public}\n",
        encoding="utf-8",
    )
    assert exit_code("run", str(recipe), "--out", str(tmp_path / "out")) == 0
    (manifest,) = (tmp_path / "out" / "releases").glob("*.manifest.json")
    told = json.loads(manifest.read_text(encoding="utf-8"))["scenario"]
    assert told["recipient"] == "public"
