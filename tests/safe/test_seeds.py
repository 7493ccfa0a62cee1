"""What a public file tells about a small seed (line 3)."""

import json
import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from independent.originals import read_link

ROWS, SEEDS = 600, 5000


@pytest.fixture
def people(tmp_path, monkeypatch):
    """Rows sorted by a column that passes, as files often are."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(5)
    country = sorted(draw.choice(["CA", "JP", "MX", "US"]) for _ in range(ROWS))
    ages = [draw.randint(18, 80) for _ in range(ROWS)]
    pl.DataFrame({"age": ages, "country": country}).write_csv("x.csv")
    return pl.read_csv("x.csv")


def release(seed, method="mondrian", out="y.csv", secret="link.csv"):
    args = ["anonymize", "table", "--data", "x.csv", "--qi", "age", "--k", "5", "--json"]
    args += ["--method", method, "--out", out, "--secret", secret, "--seed", str(seed)]
    ran = run(args)
    assert ran.code == 0, ran.err
    return read_link(secret), ran


def found_by_search(public, order_of):
    """The best guess of every row's original: the order that leaves the column sorted."""
    country = public["country"].to_numpy()
    best, most = None, -1
    for seed in range(SEEDS):
        order = order_of(seed)
        undone = np.empty(len(order), dtype=country.dtype)
        undone[order] = country
        runs = int((undone[1:] == undone[:-1]).sum())
        if runs > most:
            best, most = order, runs
    return best


@pytest.mark.usefixtures("people")
def test_trying_all_small_seeds_finds_no_links():
    link, _ = release(4321)
    public = pl.read_csv("y.csv")
    guess = found_by_search(
        public, lambda seed: tk.Randomness(seed).child("shuffle").permutation(ROWS)
    )
    # By chance a row is right once in ROWS: more than a few right ones are no chance.
    assert (guess == np.array(link)).sum() < 10


@pytest.mark.usefixtures("people")
def test_two_releases_with_one_seed_are_not_row_aligned():
    first, _ = release(7)
    second, _ = release(7, method="local", out="z.csv", secret="other.csv")
    assert sum(a == b for a, b in zip(first, second, strict=True)) < 10


@pytest.mark.usefixtures("people")
def test_a_seeded_release_says_that_it_is_for_experiments():
    _, ran = release(7)
    manifest = json.loads(Path("y.csv.manifest.json").read_text())
    assert "experiment" in ran.err
    assert "experiment" in json.dumps(manifest)


@pytest.mark.usefixtures("people")
def test_the_same_seed_and_source_give_the_same_bytes():
    release(7)
    first = Path("y.csv").read_bytes()
    release(7)
    assert Path("y.csv").read_bytes() == first
