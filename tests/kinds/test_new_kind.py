"""A kind of data in one folder and one line: the commands, and Python, know it without more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
def run(installed, tmp_path_factory):
    """Run a command in a folder of its own."""
    folder = tmp_path_factory.mktemp("ratings")
    path = os.pathsep.join(filter(None, (str(installed), os.environ.get("PYTHONPATH", ""))))

    def command(*args: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "tokumei", *args],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
        return done.stdout or done.stderr

    return command


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


def test_options_of_other_kinds_are_refused(run):
    told = run("attack", "--format", "ratings", "--original", "r.csv", "--release", "public.csv",
               "--secret", "who.csv", "--qi", "user", code=2)  # fmt: skip
    assert "--format ratings does not use --qi" in told


def test_python_knows_the_kind(installed):
    program = (
        "import tokumei as tk\n"
        "from tokumei.kinds import kind\n"
        "ratings = kind('ratings').flow.sample(500, seed=1)\n"
        "release = tk.anonymize(ratings, 'drop-rare', k=3, seed=1)\n"
        "print(tk.attack(ratings, release)['same-films'].hits > 0)\n"
        "print(tk.measure(ratings, release)['rows_lost'].value > 0)\n"
        "tk.save(release, 'p.csv', secret='s.csv')\n"
    )
    path = os.pathsep.join(filter(None, (str(installed), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.stdout.split() == ["True", "True"]
