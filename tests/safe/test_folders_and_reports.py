"""Several recodings of the same people in one folder, and what bars of a report tell (line 8)."""

import json
import re
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from fuzz.judged import run
from independent.cells import read_cells
from independent.originals import read_link

K, ROWS = 5, 300
RECIPE = """
data: {file: x.csv, qi: [age, zip], sa: [income]}
seed: 3
releases:
  - {name: one, steps: [{method: mondrian, k: 5}]}
  - {name: two, steps: [{method: local, k: 5}]}
attacks: {linkage: {}}
"""
DELETED = """
data: {file: x.csv, qi: [age, zip], sa: [income]}
seed: 3
releases:
  - {name: one fewer, steps: [{method: delete, share: 0.004, choose: exposed}]}
attacks: {linkage: {}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = range(ROWS)
    frame = {"age": [18 + n * 7 % 61 for n in rows], "zip": [100 + n * 13 % 37 for n in rows]}
    pl.DataFrame(frame | {"income": [n * 31 % 997 for n in rows]}).write_csv("x.csv")

    def made(recipe):
        Path("recipe.yaml").write_text(recipe)
        ran = run(["run", "recipe.yaml", "--out", "results", "--json"])
        assert ran.code == 0, ran.err
        return Path("results")

    return made


def joint_classes(folder):
    """How many people share their classes in all releases, by the secret links."""
    seen = [() for _ in range(ROWS)]
    for public in sorted((folder / "releases").glob("*.csv")):
        vectors = read_cells(public).texts(["age", "zip"])
        for row, person in enumerate(read_link(folder / "secret" / public.name)):
            seen[person] += (vectors[row],)
    return Counter(seen)


def test_two_recodings_of_the_same_people_undo_k_together(folder):
    """The reason for what follows: each release is 5-anonymous, both together are not."""
    joint = joint_classes(folder(RECIPE))
    assert sum(size for size in joint.values() if size < K) > ROWS / 10


def test_the_folder_and_the_report_say_one_of_these_never_two(folder):
    made = folder(RECIPE)
    for place in (made / "releases" / "README.md", made / "report.html"):
        assert re.search(r"one of (these|them), never two", place.read_text(), re.IGNORECASE)


def test_check_of_a_folder_computes_the_joint_k(folder):
    made = folder(RECIPE)
    joint = joint_classes(made)
    args = ["--release", str(made), "--qi", "age,zip", "--k", str(K)]
    ran = run(["check", "--format", "table", *args, "--json"])
    assert ran.code == 1
    found = json.loads(ran.out)["joint"]
    assert found["k"] == min(joint.values())
    assert found["below"] == sum(size for size in joint.values() if size < K)
    told = json.loads(run(["check", "--format", "table", *args[:-1], "99", "--json"]).out)
    names = {fault["message_en"].split(":")[0] for fault in told["faults"]}
    assert {"01-one.csv", "02-two.csv"} <= names


def bars(page):
    """All pairs before, after of the charts in a page."""
    found = []

    def look(value):
        if isinstance(value, dict):
            if {"before", "after"} <= value.keys():
                found.append((value["before"], value["after"]))
            value = list(value.values())
        if isinstance(value, list):
            for one in value:
                look(one)

    for text in re.findall(r"<script[^>]*application/json[^>]*>(.*?)</script>", page, re.DOTALL):
        look(json.loads(text))
    return found


def test_bars_before_and_after_do_not_tell_of_fewer_than_k_rows(folder):
    made = folder(DELETED)
    (public,) = (made / "releases").glob("*.csv")
    left = len(read_cells(public).rows)
    assert 0 < ROWS - left < K
    found = bars((made / "report.html").read_text())
    assert found
    # The release is public, so only the share of the original could tell where the row was.
    told = [(a, b) for a, b in found if a != b and abs(a * ROWS - b * left) < K]
    assert told == []
