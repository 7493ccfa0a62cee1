"""Recipes: what is accepted, and how mistakes are explained."""

from pathlib import Path

import pytest

from tokumei.core.errors import InputError, TokumeiError, UnknownNameError
from tokumei.recipes import load_recipe, parse_recipe

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


def test_titles_in_one_or_two_languages():
    assert parse_recipe(GOOD + "title: 表").title_text == ("表", "表")
    assert parse_recipe(GOOD + "title: {en: table, ja: 表}").title_text == ("table", "表")
