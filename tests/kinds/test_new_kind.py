"""A kind of data in one folder and one line: the commands, and Python, know it without more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "ratings"
LINE = "[tokumei.kinds]\nratings = tokumei_ratings.kind:RATINGS\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder as an installed package: its code, and the line of its entry point."""
    site = tmp_path_factory.mktemp("site")
    (site / "tokumei_ratings").symlink_to(EXAMPLE / "tokumei_ratings")
    about = site / "tokumei_ratings-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: tokumei-ratings\nVersion: 0.1.0\n"
    )
    (about / "entry_points.txt").write_text(LINE)
    assert 'ratings = "tokumei_ratings.kind:RATINGS"' in (EXAMPLE / "pyproject.toml").read_text()
    return site


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where commands are run."""
    return tmp_path_factory.mktemp("ratings")


@pytest.fixture(scope="module")
def python(installed, folder):
    """Run Python in that folder."""
    path = os.pathsep.join(filter(None, (str(installed), os.environ.get("PYTHONPATH", ""))))

    def call(*args: str, code: int = 0, given: str = "") -> str:
        done = subprocess.run(
            [sys.executable, *args],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            input=given,
        )
        assert done.returncode == code, done.stderr
        return done.stdout or done.stderr

    return call


@pytest.fixture(scope="module")
def run(python):
    """Run a command."""
    return lambda *args, **more: python("-m", "tokumei", *args, **more)


def test_the_commands_know_the_kind(run):
    run("sample", "ratings", "--rows", "2000", "--seed", "1", "--out", "r.csv")
    made = json.loads(
        run("anonymize", "ratings", "--data", "r.csv", "--method", "drop-rare", "--k", "5",
            "--out", "public.csv", "--secret", "who.csv", "--seed", "1", "--json")
    )  # fmt: skip
    assert made["claims"] == [{"rule": "film-raters", "params": {"k": 5}}]
    files = ("--original", "r.csv", "--release", "public.csv", "--secret", "who.csv")
    rates = json.loads(run("attack", "--format", "ratings", *files, "--json"))
    assert 0 < rates["same-films"]["rate"] <= 1
    lost = json.loads(run("measure", "utility", "--format", "ratings", *files, "--json"))
    assert 0 < lost["rows_lost"] < 1
    assert json.loads(run("check", "--format", "ratings", *files, "--json"))["ok"]
    assert "ratings.attackers" in run("methods")


def test_the_options_of_its_format_are_options_of_its_commands(run, folder):
    run("sample", "ratings", "--rows", "300", "--seed", "1", "--out", "plain.csv")
    lines = (folder / "plain.csv").read_text()
    assert lines.count("\n") == 301
    (folder / "bars.csv").write_text(lines.replace(",", "|"))
    made = ("--data", "bars.csv", "--sep", "|", "--method", "drop-rare")
    said = run("anonymize", "ratings", *made, "--out", "p.csv", "--secret", "s.csv")
    assert "verified: every film was rated by at least 2 users (film-raters)" in said
    files = ("--original", "bars.csv", "--release", "p.csv", "--secret", "s.csv", "--set", "sep=|")
    for command in (("attack",), ("measure", "utility"), ("check",)):
        run(*command, "--format", "ratings", *files)
    said = run("check", "--format", "ratings", *files, "--set", "colour=red", code=2)
    assert "--format ratings does not use --colour" in said


def test_a_recipe_knows_the_kind(run):
    recipe = {
        "ratings": {"sample": {"rows": 500, "seed": 1}},
        "releases": [{"name": "three", "method": "drop-rare", "k": 3}],
    }
    told = run("run", "/dev/stdin", "--out", "results", "--json", given=json.dumps(recipe))
    (found,) = json.loads(told)["scorecard"]
    assert found["label"] == "three"
    assert found["strongest"] == "same-films"


@pytest.mark.long
def test_contests_know_the_kind(run, python, folder):
    made = json.loads(run("contest", "init", "spring", "--preset", "ratings", "--json"))
    assert made["contest"].endswith("contest.yaml")
    program = (
        "import tokumei as tk\n"
        "from tokumei.kinds import kind\n"
        "ratings = kind('ratings').formats.build('ratings').read('spring/original.csv')\n"
        "release = tk.anonymize(ratings, 'drop-rare', k=3, seed=1)\n"
        "tk.save(release, 'spring/public.csv', secret='spring/secret.csv')\n"
    )
    python("-c", program)
    with zipfile.ZipFile(folder / "A.zip", "w") as archive:
        for name in ("public.csv", "public.csv.manifest.json", "secret.csv"):
            archive.write(folder / "spring" / name, name)
    judged = json.loads(run("contest", "check", "spring", "--release", "A.zip", "--json"))
    assert list(judged["card"]["figures"]["utility"]) == ["rows_lost"]
    assert 0 < judged["card"]["safety"] <= 1


def test_options_of_other_kinds_are_refused(run):
    told = run("attack", "--format", "ratings", "--original", "r.csv", "--release", "public.csv",
               "--secret", "who.csv", "--qi", "user", code=2)  # fmt: skip
    assert "--format ratings does not use --qi" in told


def test_python_knows_the_kind(python):
    program = (
        "import tokumei as tk\n"
        "from tokumei.kinds import kind\n"
        "ratings = kind('ratings').flow.sample(500, seed=1)\n"
        "release = tk.anonymize(ratings, 'drop-rare', k=3, seed=1)\n"
        "print(tk.attack(ratings, release)['same-films'].hits > 0)\n"
        "print(tk.measure(ratings, release)['rows_lost'].value > 0)\n"
        "tk.save(release, 'p.csv', secret='s.csv')\n"
    )
    assert python("-c", program).split() == ["True", "True"]
