"""Tests of tokumei.histories.commands.attack_and_measure."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from histories.services.front_ends_samples import CASES, SEED, by_command_line, by_python


@pytest.mark.parametrize("name", ["contest, ranked", "contest, categories", "table, messy", "shop"])
def test_attacks_and_measures_have_the_same_figures(tokumei, name):
    case = CASES[name]
    case.write()
    by_command_line(tokumei, case)
    history, release, _ = by_python(case, case.name)
    mapped = []
    if case.categories:
        mapping = {item: item[:1] for item in history.item_names}
        lines = "".join(f"{item},{category}\n" for item, category in mapping.items())
        Path("map.csv").write_text(f"item,category\n{lines}")
        mapped = ["--categories", "map.csv"]
    reading = case.read_options()
    original = ["--original", case.name, "--release", "c.all.csv"]
    measured = tokumei("measure", "utility", *reading, *original, *mapped, "--json")
    assert measured.code == 0, measured.err
    scores = tk.measure(history, release)
    assert measured.json == {name: score.value for name, score in scores.items()}
    attack = ["--known", case.name, "--public", "c.csv", "--method", "best", "--seed", SEED]
    ran = tokumei("attack", *reading, *attack, *mapped, "--out", "guess.csv", "--json")
    assert ran.code == 0, ran.err
    hits = tk.attack(history, release, methods=["best"], seed=SEED)["best"]
    assert ran.json["answered"] == hits.tried
    guess = pl.read_csv("guess.csv", has_header=case.format != "pws2018", infer_schema=False)
    truth = release.truth().rows()
    assert len({*guess.rows()} & {*truth}) == hits.hits
