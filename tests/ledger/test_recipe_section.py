"""`ledger:` in recipes: every release is checked, one leaves and is recorded, or nothing is."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tokumei as tk

RECIPE = """
data: {{file: x.csv, qi: [age, sex, area], sa: [pay], ids: [id]}}
releases:
  - {{name: fine, steps: [{{method: {method}, k: 4}}]}}
  - {{name: coarse, steps: [{{method: mondrian, k: 30}}]}}
ledger: {{folder: L, recipient: {recipient}{more}}}
"""


def people(rows=120):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "id": [f"Person-{i}" for i in range(rows)],
            "age": rng.integers(20, 60, rows),
            "sex": rng.choice(["F", "M"], rows),
            "area": rng.integers(1, 9, rows),
            "pay": rng.integers(1, 4, rows),
        }
    )


@pytest.fixture
def ledger(tokumei):
    """A ledger, people, and a recipe beside them."""
    people().write_csv("x.csv")
    assert tokumei("ledger", "init", "L", "--key-file", "L.key").code == 0

    def run(recipient, more="", method="mondrian", out="out"):
        text = RECIPE.format(recipient=recipient, more=more, method=method)
        Path("r.yaml").write_text(text, encoding="utf-8")
        return tokumei("run", "r.yaml", "--out", out, "--json")

    return run


def recorded():
    return [(one.name, one.recipient) for one in tk.ledger.Ledger("L").entries]


def test_one_of_the_releases_leaves(ledger):
    done = ledger("A", ", release: fine")
    assert done.code == 0, done.err
    assert recorded() == [("r1", "A")]
    book = tk.ledger.Ledger("L")
    assert book.public_path(book.entries[0]) == Path("out/releases/01-fine.csv").resolve()
    assert done.json["ledger"]["recorded"] == "fine"
    assert set(done.json["ledger"]["releases"]) == {"fine", "coarse"}
    assert "L.key" not in Path("out/report.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_without_a_name_all_are_checked_and_none_is_recorded(ledger):
    done = ledger("A")
    assert done.code == 0
    assert recorded() == []
    assert done.json["ledger"]["recorded"] is None


@pytest.mark.long
def test_a_release_that_breaks_the_joint_k_writes_nothing(ledger):
    assert ledger("A", ", release: fine").code == 0
    refused = ledger("B", ", release: fine, joint_k: 4", method="local", out="second")
    assert refused.code == 1
    assert "joint class" in refused.err
    assert not Path("second").exists()
    assert recorded() == [("r1", "A")]


def test_names_that_are_not_there_are_refused(ledger):
    refused = ledger("A", ", release: other")
    assert refused.code == 2
    assert "other" in refused.err


def test_a_history_leaves_by_a_ledger_too(tokumei):
    assert tokumei("ledger", "init", "L", "--key-file", "L.key").code == 0
    text = (
        "history: {sample: {rows: 200, seed: 1}}\n"
        "releases: [{name: three, method: rank-match, k: 3}]\n"
        "ledger: {folder: L, recipient: A}\n"
    )
    Path("r.yaml").write_text(text, encoding="utf-8")
    done = tokumei("run", "r.yaml", "--out", "out", "--seed", "5", "--json")
    assert done.code == 0, done.err
    assert recorded() == [("r1", "A")]
    assert done.json["ledger"]["recorded"] == "three"
