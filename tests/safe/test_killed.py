"""kill −9 leaves no partial set, no readable secret, nothing that looks like a release (line 6)."""

import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from fuzz.kills import COMMANDS, clean, faults, killed, prepare, try_kills

CRASH = Path(__file__).with_name("crashes.py")
MOST_CALLS = 60
FEWEST_CALLS = 15


@pytest.fixture
def small(tmp_path):
    """The same sources with few rows."""
    prepare(tmp_path)
    pl.read_csv(tmp_path / "x.csv").head(60).write_csv(tmp_path / "x.csv")
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("name", ["local", "stream"])
def test_killed_at_every_call_of_the_file_system(small, name):
    """One after the other, until the command gets through."""
    command, code = COMMANDS[name], None
    args = [sys.executable, str(CRASH), *command.args]
    errors = small.parent / "errors.txt"
    with errors.open("w") as told, started(args, small, told) as runs:
        for nth in range(1, MOST_CALLS):
            print(nth, file=runs.stdin, flush=True)
            code = int(runs.stdout.readline())
            assert faults(command, small) == [], f"call {nth}"
            if code != -signal.SIGKILL:
                break
            clean(small)
    assert code == 0, errors.read_text()
    assert nth > FEWEST_CALLS


def started(args, folder, errors):
    pipe = subprocess.PIPE
    return subprocess.Popen(args, cwd=folder, stdin=pipe, stdout=pipe, stderr=errors, text=True)


def test_killed_while_a_file_is_written(tmp_path):
    prepare(tmp_path)
    for name in ("local", "stream"):
        for _ in range(50):  # a busy machine may see the first file only when all are written
            was_killed = killed(COMMANDS[name], tmp_path, 0.0, after_first=True)
            assert faults(COMMANDS[name], tmp_path) == []
            clean(tmp_path)
            if was_killed:
                break
        assert was_killed


@pytest.mark.long
def test_killed_at_a_few_random_moments():
    """`make chaos` takes two hundred."""
    _, violations = try_kills(5, list(COMMANDS))
    assert violations == []
