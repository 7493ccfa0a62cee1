"""Recipes for histories: what they accept, what they write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tokumei.api.recipes import load_recipe, parse_recipe
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.recipe import run_recipe
from tokumei.files.release_files import save_experiment
from tokumei.histories.recipe import HistoryRecipe

ROOT = Path(__file__).parents[2]
PLAIN = """
history: {sample: {rows: 600, seed: 1}}
sweeps: [{method: rank-match, k: 2-4}]
seed: 1
"""


def parse(text: str) -> HistoryRecipe:
    recipe = parse_recipe(text, where="r.yaml")
    assert isinstance(recipe, HistoryRecipe)
    return recipe


@pytest.mark.parametrize(("k", "values"), [("2-4", [2, 3, 4]), ("6", [6]), ("[3, 9]", [3, 9])])
def test_k_may_be_a_range_a_number_or_a_list(k: str, values: list[int]) -> None:
    assert parse(PLAIN.replace("2-4", k)).sweeps[0].k == values


def test_other_keys_are_parameters_of_the_method() -> None:
    recipe = parse(PLAIN.replace("rank-match, k: 2-4", "aligned, k: 2, effort: high"))
    assert recipe.sweeps[0].params == {"effort": "high"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rank-match", "rank-mach", "Did you mean 'rank-match'"),
        ("k: 2-4", "k: many", "k"),
        ("k: 2-4", "k: 2, effort: high", "unknown parameter 'effort'"),
        ("sample: {rows: 600, seed: 1}", "format: table", "either 'file' or 'sample'"),
        ("sample: {rows: 600, seed: 1}", "file: T.csv, format: pws2081", "Did you mean 'pws2018'"),
        ("sample: {rows: 600, seed: 1}", "file: T.csv, sep: ;", "is always a comma"),
        ("history: {sample", "history: {sampel", "Did you mean 'sample'"),
        ("seed: 1\n", "seed: 1\nattacks: [besst]\n", "Did you mean 'best'"),
        ("seed: 1\n", "seed: 1\nmeasures: [rmf]\n", "Did you mean 'rfm'"),
        ("seed: 1\n", "seed: 1\nmeasures: {top_items: {m: 3}}\n", "unknown parameter 'm'"),
        ("seed: 1\n", "seed: 1\ncategorys: x\n", "Did you mean 'categories'"),
    ],
)
def test_mistakes_are_named(old: str, new: str, message: str) -> None:
    with pytest.raises((UsageError, UnknownNameError)) as caught:
        parse(PLAIN.replace(old, new))
    assert message in str(caught.value)


@pytest.mark.long
def test_a_run_writes_the_report_and_says_no_secret(tmp_path: Path) -> None:
    recipe = parse(PLAIN + "categories: keywords\nattacks: [best]\n")
    report = save_experiment(run_recipe(recipe), tmp_path / "out")
    assert report == tmp_path / "out" / "report.html"
    again = save_experiment(run_recipe(recipe), tmp_path / "again")
    names = sorted(path.name for path in report.parent.iterdir())
    assert names == ["report.html", "sweep.csv", "sweep.json", "sweep.svg"]
    for name in names:
        assert (report.parent / name).read_bytes() == (again.parent / name).read_bytes(), name


@pytest.mark.long
def test_measures_are_taken_of_every_release_with_their_parameters(tmp_path: Path) -> None:
    recipe = parse(PLAIN + "categories: keywords\nmeasures: {top_items: {n: 3}, rfm: {}}\n")
    experiment = run_recipe(recipe)
    study = experiment.studies[0]
    for point in (*study.sweep.points, *study.by_category.points):
        assert {"top_items", "rfm"} <= set(point.measured)
    assert study.scores["top_items"].value == study.point.measured["top_items"]
    usual = run_recipe(parse(PLAIN + "measures: [top_items]\n")).studies[0]
    assert usual.point.measured["top_items"] != study.point.measured["top_items"]
    save_experiment(experiment, tmp_path)
    assert "top_items" in (tmp_path / "sweep.csv").read_text().partition("\n")[0]


def test_files_are_looked_for_beside_the_recipe_and_never_replaced(tmp_path: Path) -> None:
    text = PLAIN.replace("sample: {rows: 600, seed: 1}", "file: sweep.csv, items: names.csv")
    (tmp_path / "r.yaml").write_text(text + "categories: mapping.csv\n")
    recipe = load_recipe(tmp_path / "r.yaml")
    names = ("sweep.csv", "names.csv", "mapping.csv")
    assert recipe.files == [str(tmp_path / name) for name in names]
    experiment = replace(run_recipe(parse(PLAIN)), recipe=recipe)
    with pytest.raises(UsageError, match="would replace the original"):
        save_experiment(experiment, tmp_path)


def test_a_given_seed_is_also_that_of_generated_data() -> None:
    recipe = parse(PLAIN.replace(", seed: 1}", "}").replace("seed: 1\n", ""))
    one, same, other = (run_recipe(recipe, seed=seed).studies[0] for seed in (1, 1, 2))
    assert one.sweep.as_json() == same.sweep.as_json() != other.sweep.as_json()


def test_the_example_is_a_recipe() -> None:
    text = (ROOT / "examples" / "history.yaml").read_text(encoding="utf-8")
    assert [sweep.method for sweep in parse(text).sweeps] == ["rank-match", "aligned"]
