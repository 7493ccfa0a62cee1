"""Recipes: what is accepted, and how mistakes are explained."""

from pathlib import Path

import pytest
import yaml

import tokumei as tk
from tokumei.api.recipes import load_recipe, parse_recipe
from tokumei.core.errors import InputError, TokumeiError, UnknownNameError, UsageError
from tokumei.core.messages import Message

GOOD = """
data: {sample: {rows: 50, seed: 1}}
releases: [{name: one, steps: [{method: noise, scale: 0.1}]}]
"""


def test_a_small_recipe_and_its_defaults():
    recipe = parse_recipe(GOOD)
    assert recipe.data.sample.rows == 50
    assert recipe.releases[0].steps == [{"method": "noise", "scale": 0.1}]
    assert recipe.seed is None
    assert recipe.params == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + "relaeses: []", "unknown key 'relaeses'. Did you mean 'releases'?"),
        ("data: {smple: {}}\nreleases: []", "unknown key 'smple'. Did you mean 'sample'?"),
        ("data: {sample: {row: 5}}\nreleases: []", "Did you mean 'rows'?"),
        (GOOD.replace("steps", "step"), "Did you mean 'steps'?"),
        (GOOD.replace("noise", "nose"), "unknown method 'nose'. Did you mean 'noise'?"),
        (GOOD.replace("scale", "scal"), "Did you mean 'scale'?"),
        (GOOD.replace("0.1", "lots"), "scale"),
        (GOOD.replace("method: noise, ", ""), "a step needs a 'method'"),
        (GOOD + "attacks: [EUC3]", "unknown attack 'EUC3'. Did you mean 'EUC"),
        (GOOD + "attacks: {E2: {colum: x}}", "Did you mean 'column'?"),
        (GOOD + "measures: [U9]", "unknown measure 'U9'"),
        (GOOD + "seed: -1", "seed"),
        ("data: {}\n" + GOOD.splitlines()[2], "either 'file' or 'sample'"),
        ("data: {sample: {}, file: x.csv}\n" + GOOD.splitlines()[2], "either 'file' or 'sample'"),
        (GOOD.replace("}]}]", "}]}, {name: one, steps: [{method: swap}]}]"), "named 'one'"),
        (GOOD + "measures: [default, U9]", "unknown measure 'U9'"),
        (GOOD + "attacks: [all]", "unknown attack 'all'"),
        ("releases: [", "recipe"),
        ("- a list", "a recipe is a mapping"),
        ("data: {sample: {rows: 0}}\n" + GOOD.splitlines()[2], "rows"),
    ],
)
def test_mistakes_name_the_key_and_the_remedy(text, message):
    with pytest.raises(TokumeiError) as caught:
        parse_recipe(text)
    assert message in str(caught.value)


def test_nested_places_are_named():
    with pytest.raises(UnknownNameError, match=r"recipe: releases\[0\]"):
        parse_recipe(GOOD.replace("steps", "stps"))


def test_files_are_looked_for_beside_the_recipe(tmp_path):
    path = tmp_path / "r.yaml"
    path.write_text(GOOD.replace("sample: {rows: 50, seed: 1}", "file: people.csv"))
    assert load_recipe(path).data.file == str(tmp_path / "people.csv")


def test_unreadable_recipes(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.yaml"):
        load_recipe(tmp_path / "nowhere.yaml")
    (tmp_path / "latin.yaml").write_bytes("名前".encode("cp932"))
    with pytest.raises(InputError, match="not UTF-8"):
        load_recipe(tmp_path / "latin.yaml")


def test_the_example_is_valid():
    recipe = load_recipe(Path(__file__).parents[2] / "examples" / "table.yaml")
    assert len(recipe.releases) >= 8


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (GOOD.replace("data", "dta"), "dta, releases"),
        (GOOD + "history: {sample: {rows: 50}}", "data, releases, history"),
    ],
)
def test_exactly_one_key_tells_the_kind(text, given):
    with pytest.raises(UsageError, match="exactly one of the keys data, history, periods") as told:
        parse_recipe(text)
    assert f"this one has: {given}" in str(told.value)


def test_every_kind_of_recipe_is_found_and_says_its_kind():
    examples = Path(__file__).parents[2] / "examples"
    found = {name: load_recipe(examples / f"{name}.yaml") for name in ("table", "history")}
    assert {name: recipe.kind.name for name, recipe in found.items()} == {
        "table": "tables",
        "history": "histories",
    }
    assert all(isinstance(recipe, tk.extending.Recipe) for recipe in found.values())


def test_the_text_of_a_recipe_is_a_recipe_without_its_seed():
    recipe = parse_recipe(GOOD + "title: 表\nseed: 7\nattacks: [E1]\nout: here")
    assert list(yaml.safe_load(recipe.text())) == ["title", "data", "releases", "attacks", "out"]
    assert parse_recipe(recipe.text()) == recipe.model_copy(update={"seed": None})


def test_titles_in_one_or_two_languages():
    assert parse_recipe(GOOD + "title: 表").title_text == Message.verbatim("表")
    assert parse_recipe(GOOD + "title: {en: table, ja: 表}").title_text.texts() == {
        "en": "table",
        "ja": "表",
    }


def test_the_person_column_stands_with_the_data():
    text = "data: {file: x.csv, person: who}\nreleases: [{name: a, steps: [{method: mondrian}]}]"
    assert parse_recipe(text).data.person == "who"
    assert parse_recipe(text.replace("who", "none")).data.person == "none"
