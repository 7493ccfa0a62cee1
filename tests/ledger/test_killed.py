"""kill −9: nothing is recorded that was not released, nothing released that is not recorded.

TOKUMEI_LEDGER_KILLS=100 kills at 100 calls of the file system: the last fifty, where a release is
announced, written and confirmed, and fifty drawn from all that come before.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tokumei.files.file_formats import sha256_of_file
from tokumei.files.temporary_files import remove_leftovers
from tokumei.ledger.ledger import Ledger

CRASH = Path(__file__).parent.parent / "safe" / "crash.py"
KILLS = int(os.environ.get("TOKUMEI_LEDGER_KILLS", "0"))
ROLES = "--data x.csv --qi age,sex --sa illness --id id"
MADE = "--method mondrian --k 3 --out y2.csv --secret s2.csv"
COMMANDS = {
    "anonymize": f"anonymize table {ROLES} {MADE} --ledger L --recipient B",
    "add": f"ledger add L --release y1.csv --secret s1.csv {ROLES} --recipient B",
}


def run(folder, command, *, nth=None):
    """The command, killed at its nth call of the file system."""
    start = [sys.executable, str(CRASH), str(nth if nth is not None else 10**9)]
    return subprocess.run([*start, *command.split()], cwd=folder, capture_output=True, check=False)


def calls_of(folder, command):
    """How often the command calls the file system; what it made is taken away again."""
    shutil.copytree(folder, folder / "copy")
    told = run(folder / "copy", command).stderr.decode()
    shutil.rmtree(folder / "copy")
    return int(re.findall(r"calls (\d+)", told)[-1])


def moments(calls):
    """At which calls to kill."""
    last = [calls - one for one in (range(KILLS // 2) if KILLS else (1, 4, 8, 12)) if one < calls]
    before = range(1, calls - len(last) + 1) if KILLS else ()
    drawn = random.Random(1).sample(before, min(len(before), KILLS - len(last)) if KILLS else 0)
    return [*last, *drawn]


@pytest.fixture
def folder(tmp_path):
    ages = [20 + i % 30 for i in range(60)]
    frame = {"id": [f"P{i}" for i in range(60)], "age": ages, "sex": ["M", "F"] * 30}
    pl.DataFrame(frame).with_columns(illness=pl.Series(["a", "b", "c"] * 20)).write_csv(
        tmp_path / "x.csv"
    )
    assert run(tmp_path, "ledger init L --key-file L.key").returncode == 0
    first = MADE.replace("2.csv", "1.csv")
    made = run(tmp_path, f"anonymize table {ROLES} {first} --ledger L --recipient A")
    assert made.returncode == 0, made.stderr
    return tmp_path


def faults(folder):
    """What is recorded and not there, or there and not recorded."""
    book = Ledger(folder / "L")
    found = []
    for entry in book.entries:
        path = book.public_path(entry)
        if not path.is_file() or sha256_of_file(path) != entry.sha256:
            found.append(f"{entry.name} is recorded and was not released")
        book.recorded(entry)
    known = {entry.sha256 for entry in book.entries}
    for public in folder.glob("y*.csv"):
        if sha256_of_file(public) not in known:
            found.append(f"{public.name} was released and is not recorded")
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_while_a_release_is_recorded(folder, name):
    calls = calls_of(folder, COMMANDS[name])
    kept = 0
    for nth in [*moments(calls), 10**6]:
        # A file of its own: to write over a release takes that one away first. And what killed
        # runs left is looked at by the next, with calls that would be counted.
        remove_leftovers([folder, folder / "L", folder / "L" / "classes"])
        ended = run(folder, COMMANDS[name].replace("2.csv", f"-{nth}.csv"), nth=nth)
        assert ended.returncode in (-signal.SIGKILL, 0), ended.stderr
        assert faults(folder) == [], f"call {nth}"
        with Ledger(folder / "L").writing() as book:
            assert book.unconfirmed_numbers == []
        assert faults(folder) == [], f"settled after call {nth}"
        kept += ended.returncode == 0
    assert kept
