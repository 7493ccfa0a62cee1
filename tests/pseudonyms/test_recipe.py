"""A contest's round from a recipe: figures, files, secrets, mistakes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import yaml

import tokumei as tk
from tokumei import anonymize, measure
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.core.recipe import build_recipe
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.recipe import PeriodExperiment, PeriodRecipe
from tokumei.pseudonyms.registry import attackers as period_attackers

EXAMPLES = Path(__file__).parents[2] / "examples"
RECIPE = """
title: {en: A round, ja: 対戦}
periods: {sample: {rows: 900, customers: 20, seed: 3}}
seed: 987654321
releases:
  - {name: as they are, lifetime: 12}
  - {name: monthly, method: pseudonyms, lifetime: 1, day: 15, delete: 0.2}
knowledge: {alphas: [0.5, 1.0], prefix: {item: 3}}
attacks: {row: {prefix: 3}}
"""


@dataclass(frozen=True)
class SameRow:
    """Who bought something like it in a month has the pseudonym of the last such row."""

    name: ClassVar[str] = "row"
    title: ClassVar[Message] = Message("same row")
    prefix: int = 2

    def attack(self, public, known, *, customers, months, rng):
        who = {name: place for place, name in enumerate(customers)}
        codes = np.full((len(customers), months.count), -1)
        seen = {
            (period, row[4][: self.prefix], *row[5:]): code
            for period, code, row in zip(
                months.of(public.days), public.person, public.cells.iter_rows(), strict=True
            )
        }
        for period, row in zip(months.of(known.days), known.cells.iter_rows(), strict=True):
            found = seen.get((period, row[4][: self.prefix], *row[5:]))
            if found is not None and row[0] in who:
                codes[who[row[0]], period] = found
        return PeriodGuess.certain(PseudonymTable(customers, public.people, codes))


@pytest.fixture(autouse=True)
def attack(monkeypatch):
    monkeypatch.setitem(period_attackers._added, "row", SameRow)


def recipe(**changes):
    return build_recipe(PeriodRecipe, yaml.safe_load(RECIPE) | changes, where="recipe")


@pytest.fixture(scope="module")
def board():
    period_attackers._added["row"] = SameRow
    found = tk.run_recipe(recipe()).board
    del period_attackers._added["row"]
    return found


def test_the_board_holds_what_the_flow_says(board):
    history = recipe().load()
    params = {"lifetime": 1, "day": 15, "delete": 0.2}
    release = anonymize(history, "pseudonyms", seed=987654321, **params)
    entry = board.entries[1]
    scores = measure(history, release)
    assert {name: score.value for name, score in entry.utility.items()} == {
        name: score.value for name, score in scores.items()
    }
    assert entry.rows_kept == 0.8
    assert entry.pseudonyms == len(release.public.people)
    assert (board.rows, board.customers, board.periods) == (900, 20, 12)


def test_attacks_from_python_give_all_rates():
    history = recipe().load()
    release = tk.anonymize(history, "pseudonyms", lifetime=12, seed=1)
    known = tk.pseudonyms.PartialKnowledge(alpha=0.5).of(history.rows, rng=tk.Randomness(1))
    half = tk.attack(history, release, known=known, methods=["row"])["row"]
    whole = tk.attack(history, release, methods=["row"], params={"row": {"prefix": 9}})["row"]
    assert set(half) == {"reid_pairs", "reid_active", "reid_all", "reid_rows"}
    assert half["reid_active"].value < whole["reid_active"].value


def test_totals_are_the_judges(board):
    for entry in board.entries:
        assert entry.worst_utility_loss == entry.utility["worst"].value
        rates = [entry.safety[alpha]["row"]["reid_all"].value for alpha in (0.5, 1.0)]
        assert entry.risk == pytest.approx(sum(rates) / 2)
        assert entry.total == pytest.approx((entry.worst_utility_loss + entry.risk) / 2)
        assert entry.strongest == "row"
    assert board.best.total == min(entry.total for entry in board.entries)
    easy, hard = board.entries
    assert easy.worst_utility_loss == pytest.approx(0, abs=1e-12)
    assert easy.highest_rate(0.5).value > hard.highest_rate(0.5).value


def test_a_given_seed_is_also_that_of_generated_data():
    plain = recipe(periods={"sample": {"rows": 300, "customers": 10}}, seed=None)
    one, same, other = (tk.run_recipe(plain, seed=seed).board.as_json() for seed in (1, 1, 2))
    assert one == same != other


def test_results_tell_no_secret_and_are_the_same_in_every_run(tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        tk.save_experiment(tk.run_recipe(recipe()), folder)
    names = sorted(path.name for path in folders[0].iterdir())
    assert names == ["report.html", "risk-customers.svg", "risk-months.svg", "scoreboard.json"]
    for name in names:
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    history = recipe().load()
    secrets = [*history.master.customers, "987654321"]
    for name in ("report.html", "scoreboard.json"):
        text = (folders[0] / name).read_text(encoding="utf-8").partition("<script>")[0]
        assert not [secret for secret in secrets if f'"{secret}"' in text or f">{secret}<" in text]
    figures = json.loads((folders[0] / "scoreboard.json").read_text())
    assert figures["best"] in {"as they are", "monthly"}
    assert set(figures["entries"][0]["safety"]) == {"0.5", "1"}
    page = (folders[0] / "report.html").read_text(encoding="utf-8")
    assert "A round" in page
    assert "対戦" in page
    assert "as they are" in page


def test_files_are_found_beside_the_recipe_and_never_replaced(tmp_path, board):
    data = {"file": "T.csv", "master": "M.csv"}
    plain = yaml.safe_load(RECIPE) | {"periods": data}
    found = build_recipe(PeriodRecipe, plain, where="recipe", beside=tmp_path)
    assert found.periods.file == str(tmp_path / "T.csv")
    assert found.periods.master == str(tmp_path / "M.csv")
    (tmp_path / "scoreboard.json").write_text("mine")
    taken = build_recipe(
        PeriodRecipe,
        plain | {"periods": data | {"file": "scoreboard.json"}},
        where="recipe",
        beside=tmp_path,
    )
    with pytest.raises(TokumeiError, match="would replace the original"):
        tk.save_experiment(PeriodExperiment(taken, board), tmp_path)
    assert (tmp_path / "scoreboard.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"periods": {}}, "either 'sample' or both"),
        ({"periods": {"file": "T.csv"}}, "either 'sample' or both"),
        ({"periods": {"sample": {}, "file": "T.csv", "master": "M.csv"}}, "either 'sample' or"),
        ({"periods": {"sampel": {}}}, "sample"),
        ({"releases": []}, "releases"),
        ({"releases": [{"name": "a"}, {"name": "a"}]}, "two releases are named 'a'"),
        ({"releases": [{"name": "a", "lifetim": 1}]}, "lifetime"),
        ({"releases": [{"name": "a", "lifetime": 0}]}, "'lifetime' must be"),
        ({"attacks": ["rows"]}, "Did you mean 'row'"),
        ({"attacks": {"row": {"prefx": 1}}}, "prefix"),
        ({"measures": ["itemfc"]}, "Did you mean 'itemcf'"),
        ({"knowledge": {"alphas": []}}, "alphas"),
        ({"knowledge": {"alphas": [2.0]}}, "'alpha' must be"),
        ({"knowledge": {"prefix": {"name": 2}}}, "prefix"),
        ({"sweeps": []}, "sweeps"),
    ],
)
def test_mistakes_are_told(changes, message):
    with pytest.raises(TokumeiError, match=message):
        recipe(**changes)


def test_the_example_is_valid():
    plain = yaml.safe_load((EXAMPLES / "pws2017.yaml").read_text(encoding="utf-8"))
    found = build_recipe(PeriodRecipe, plain, where="pws2017.yaml")
    assert len(found.releases) == 4


def test_the_command_shows_the_scoreboard(tmp_path, capsys):
    from tokumei.apps.cli.app import main

    (tmp_path / "r.yaml").write_text(RECIPE)
    with pytest.raises(SystemExit) as stop:
        main(["run", str(tmp_path / "r.yaml"), "--out", str(tmp_path / "out")])
    assert not stop.value.code
    shown = capsys.readouterr().out
    assert "Scoreboard" in shown
    assert str(tmp_path / "out" / "report.html") in shown
    with pytest.raises(SystemExit):
        main(["run", str(tmp_path / "r.yaml"), "--out", str(tmp_path / "out"), "--json"])
    found = json.loads(capsys.readouterr().out)["scoreboard"]
    assert [entry["name"] for entry in found["entries"]] == ["as they are", "monthly"]
