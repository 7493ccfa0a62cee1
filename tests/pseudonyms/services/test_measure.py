"""Tests of tokumei.pseudonyms.services.measure."""

from __future__ import annotations

import pytest

import tokumei as tk
from pseudonyms.services.front_ends_helpers import CASES, SEED, by_python
from pseudonyms.services.front_ends_samples import by_command_line


@pytest.mark.parametrize("name", ["monthly", "deleted rows", "Windows file"])
def test_attacks_and_measures_have_the_same_figures(tokumei, name):
    case = CASES[name]
    case.write()
    by_command_line(tokumei, case)
    history, release, _ = by_python(case, case.name)
    files = ["--master", "M.csv"]  # encodings are detected: releases are UTF-8 whatever T is
    seen = ["--known", "T.csv", "--public", "c.csv", "--secret", "c.secret.csv"]
    attack = ["attack", "--format", "pws2017", *files, *seen, "--seed", SEED, "--json"]
    ran = tokumei(*attack, "--method", "S1,best").json
    rates = tk.attack(history, release, methods=["S1", "best"], seed=SEED)
    for method, scores in rates.items():
        assert {key: ran[method][key] for key in scores} == {
            key: score.as_json() for key, score in scores.items()
        }
    original = ["--original", "T.csv", "--release", "c.all.csv"]
    measured = tokumei("measure", "utility", "--format", "pws2017", *files, *original, "--json")
    scores = tk.measure(history, release)
    assert measured.json == {key: score.value for key, score in scores.items()}
