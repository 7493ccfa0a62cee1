"""Tests of tokumei.tables.services.guess_rows."""

from __future__ import annotations

import numpy as np
import pytest

import tokumei as tk
from tokumei.tables.data.guess import ABSTAIN
from tokumei.tables.judge.upload_checks import HEADER
from tokumei.tables.services.comparison_requests import AttackTableRequest, ComparisonRequest
from tokumei.tables.services.guess_rows import GUESS_HEADER, guess_output, guess_rows


def request(people, frame, *methods, seed=1):
    return AttackTableRequest(
        comparison=ComparisonRequest(original=people, release=frame), methods=methods, seed=seed
    )


def test_a_guess_needs_no_link_and_is_in_the_order_of_the_file():
    people = tk.sample_table(200, seed=3)
    release = tk.anonymize(people, "mondrian", k=2, seed=1)
    answers = guess_rows(request(people, release.frame, "everything"))
    assert len(answers) == 200
    assert (answers == release.link).mean() > 0.9
    assert np.array_equal(answers, guess_rows(request(people, release.frame, "everything")))


def test_one_attack_has_to_be_named():
    people = tk.sample_table(60, seed=3)
    with pytest.raises(tk.UsageError, match="one attack"):
        guess_rows(request(people, people.frame, "E1", "E2"))


def test_the_file_is_what_contests_of_tables_take(tmp_path):
    output = guess_output(np.array([3, ABSTAIN, 0]), str(tmp_path / "guess.csv"))
    with (tmp_path / "guess.csv").open("wb") as stream:
        output.write(stream)
    assert (tmp_path / "guess.csv").read_text() == "released,original\n0,3\n2,0\n"
    assert ",".join(HEADER) == GUESS_HEADER
