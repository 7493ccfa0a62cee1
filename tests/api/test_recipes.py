"""A kind without a recipe of its own: `tokumei run` works by its parts alone."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

import tokumei as tk
from tokumei import kinds
from tokumei.api import recipes
from tokumei.apps.cli.app import main
from tokumei.core.errors import TokumeiError

RATINGS = Path(__file__).parents[2] / "examples" / "ratings"


RECIPE = """
ratings: {sample: {rows: 600, seed: 3}}
seed: 424242
releases:
  - {name: Three raters, method: drop-rare, k: 3}
  - {name: nine, method: drop-rare, k: 9}
"""


@pytest.fixture(autouse=True)
def ratings(monkeypatch):
    """The example's kind beside the built-in ones."""
    monkeypatch.syspath_prepend(str(RATINGS))
    from tokumei_ratings.kind import RATINGS as kind

    monkeypatch.setattr(recipes, "all_kinds", lambda: (*kinds.all_kinds(), kind))
    yield kind
    for name in [name for name in sys.modules if name.startswith("tokumei_ratings")]:
        del sys.modules[name]


def test_releases_secrets_and_scores_are_written(tmp_path, ratings):
    recipe = recipes.parse_recipe(RECIPE)
    assert recipe.kind is ratings
    report = tk.save_experiment(tk.run_recipe(recipe), tmp_path / "one")
    again = tk.save_experiment(tk.run_recipe(recipe), tmp_path / "two")
    names = sorted(str(p.relative_to(report.parent)) for p in report.parent.rglob("*.*"))
    assert names == [
        "releases/01-three-raters.csv",
        "releases/01-three-raters.csv.manifest.json",
        "releases/02-nine.csv",
        "releases/02-nine.csv.manifest.json",
        "releases/README.md",
        "scorecard.json",
        "secret/01-three-raters.csv",
        "secret/02-nine.csv",
    ]
    for name in names:
        assert (report.parent / name).read_bytes() == (again.parent / name).read_bytes(), name
    assert stat.S_IMODE((report.parent / "secret").stat().st_mode) == 0o700
    assert "424242" not in report.read_text()
    few, many = json.loads(report.read_text())
    assert [few["label"], many["label"]] == ["Three raters", "nine"]
    assert few["scores"]["rows_lost"] < many["scores"]["rows_lost"]
    assert few["strongest"] == "same-films"
    assert few["attacks"]["same-films"]["rate"] > 0


def test_the_board_holds_what_the_flow_says(ratings):
    found = tk.run_recipe(recipes.parse_recipe(RECIPE)).releases[1]
    source = ratings.flow.sample(600, seed=3)
    release = ratings.flow.anonymize(source, "drop-rare", k=9)
    lost = ratings.flow.measure(source, release)["rows_lost"]
    assert found.scores["rows_lost"].value == lost.value


def test_a_file_is_read_by_a_format_with_its_options(tmp_path, ratings):
    ratings.flow.sample(300, seed=1).frame.write_csv(tmp_path / "r.txt.csv", separator=";")
    text = RECIPE.replace(
        "sample: {rows: 600, seed: 3}", "file: r.txt.csv, sep: ;, format: ratings"
    )
    (tmp_path / "recipe.yaml").write_text(text)
    recipe = tk.load_recipe(tmp_path / "recipe.yaml")
    source, digest = recipe.load()
    assert source.frame.columns == ["user", "film", "stars"]
    assert recipe.files == [str(tmp_path / "r.txt.csv")]
    assert len(digest) == 64


def test_the_command_prints_the_scorecard(tmp_path, capsys):
    (tmp_path / "r.yaml").write_text(RECIPE)
    command = ["run", str(tmp_path / "r.yaml"), "--out", str(tmp_path / "out"), "--seed", "1"]
    with pytest.raises(SystemExit) as stop:
        main(command)
    shown = capsys.readouterr().out
    assert not stop.value.code, shown
    assert "Scorecard" in shown
    assert "rows_lost" in shown
    assert "same-films" in shown
    with pytest.raises(SystemExit):
        main([*command, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["report", "scorecard"]
    assert found["scorecard"] == json.loads(Path(found["report"]).read_text())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sample: {rows: 600, seed: 3}", "sep: ;", "ratings needs either 'file' or 'sample'"),
        ("seed: 3}", "seed: 3}, sep: ;", "unknown key 'sep'"),
        ("sample: {rows: 600, seed: 3}", "file: r.csv, sepp: ;", "Did you mean 'sep'"),
        ("sample: {rows: 600, seed: 3}", "file: r.csv, format: rating", "Did you mean 'ratings'"),
        ("rows: 600", "row: 600", "row"),
        ("method: drop-rare, k: 9", "method: drop-rar", "Did you mean 'drop-rare'"),
        ("k: 9", "kk: 9", "unknown parameter 'kk'"),
        ("name: nine", "name: Three raters", "two releases are named"),
        ("seed: 424242", "attacks: [same-film]", "Did you mean 'same-films'"),
        ("seed: 424242", "measures: {rows_lost: {x: 1}}", "unknown parameter 'x'"),
        ("seed: 424242", "sweeps: []", "unknown key 'sweeps'"),
    ],
)
def test_mistakes_are_told(old, new, message):
    assert old in RECIPE
    with pytest.raises(TokumeiError) as told:
        recipes.parse_recipe(RECIPE.replace(old, new))
    assert message in str(told.value)


def test_a_kind_without_attacks_still_has_a_scorecard(monkeypatch, ratings):
    monkeypatch.setattr(ratings.attackers, "_targets", {})
    answer = tk.run_recipe(recipes.parse_recipe(RECIPE)).answer()
    assert [row["strongest"] for row in answer.data["scorecard"]] == [None, None]
    assert answer.shown[0].rows[0][-3:] == ["–", "–", "–"]
