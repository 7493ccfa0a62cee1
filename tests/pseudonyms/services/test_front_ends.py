"""The same history, request and seed give the same release by every front end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import tokumei as tk
from pseudonyms.services.front_ends_helpers import CASES, HISTORY, SEED, Case, by_python, files
from pseudonyms.services.front_ends_samples import by_command_line
from tokumei.api.advisers import adviser as make_adviser
from tokumei.core.advice.purpose import Purpose


def by_recipe(tokumei, case: Case) -> tuple[dict[str, bytes], Any]:
    recipe = {
        "periods": {"file": case.name, "master": "M.csv", "encoding": case.encoding},
        "releases": [{"name": "release", **case.method}],
        "publish": "release",
        "knowledge": {"alphas": [1.0], "prefix": {}},
        "attacks": ["S1"],
        "measures": ["rows"],
    }
    Path("r.yaml").write_text(json.dumps(recipe), encoding="utf-8")
    ran = tokumei("run", "r.yaml", "--seed", SEED, "--out", "ran", "--json")
    assert ran.code == 0, ran.err
    (entry,) = ran.json["scoreboard"]["entries"]
    return files("ran/releases/01-release.csv", "ran/secret/01-release.csv"), entry


def test_command_line_python_and_recipe_write_the_same_bytes(tokumei):
    """All cases in one test: a quick run leaves out none of them."""
    for name, case in CASES.items():
        case.write()
        written = by_command_line(tokumei, case)
        history, release, by_keywords = by_python(case, case.name)
        assert by_keywords == written, name
        assert Path("c.all.csv").read_bytes() == Path("p.all.csv").read_bytes(), name
        by_yaml, entry = by_recipe(tokumei, case)
        assert by_yaml == written, name
        rates = tk.attack(history, release, methods=["S1"], seed=SEED)["S1"]
        assert entry["safety"]["1"]["S1"] == {key: one.as_json() for key, one in rates.items()}, (
            name
        )
        scores = tk.measure(history, release, methods=["rows", "worst"])
        assert entry["utility"] == {key: one.value for key, one in scores.items()}, name


def test_advice_makes_the_release_that_python_makes():
    adviser = make_adviser(HISTORY, Purpose(), seed=SEED)
    (first, *_) = adviser.steps(steps=1)
    release = tk.anonymize(HISTORY, **first.request.steps[0], seed=SEED)
    assert adviser.release(first.request).public.cells.equals(release.public.cells)
