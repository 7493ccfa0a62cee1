"""kill −9 in the middle of a command, and what it leaves behind.

    python -m fuzz.kills --kills 200            # from tests/; part of `make chaos`

Afterwards no set of files may be partial, no secret readable by others, no unverified file look
like a release. Moments are random; half of them come right after the first file has appeared.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from independent.verifier import verify

ROWS = 60_000
RECIPE = """
data: {file: x.csv, qi: [age, zip], sa: [income], passed: [comment]}
seed: 3
releases:
  - {name: one, steps: [{method: mondrian, k: 5}]}
  - {name: two, steps: [{method: microaggregate}]}
attacks: {E1: {}}
"""


@dataclass(frozen=True)
class Command:
    """What is run, and which of the files it makes are a release, which are secret."""

    name: str
    args: tuple[str, ...]
    public: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    """Files that hold figures, and may be read by anyone."""


ANONYMIZE = ("anonymize", "table", "--data", "x.csv", "--qi", "age,zip", "--sa", "income")
ANONYMIZE += (
    "--k",
    "5",
    "--pass",
    "comment",
    "--out",
    "public/y.csv",
    "--secret",
    "private/link.csv",
)
LINK = ("private/link.csv", "private/link.csv.provenance.json")
NAMES = ("01-one.csv", "02-two.csv")
HISTORY = ("anonymize", "history", "--data", "T.csv", "--format", "pws2018", "--k", "5")
HISTORY += ("--method", "rank-match", "--out", "private/A.csv", "--public", "public/A1.csv")
HISTORY += ("--secret", "private/F.csv")
PEOPLE = ("private/A.csv", "private/F.csv", "private/F.csv.provenance.json")
SWEEP = ("sweep", "--format", "pws2018", "--data", "T.csv", "--method", "rank-match")
SWEEP += ("--k", "2-4", "--out", "results")
FIGURES = tuple(f"results/{name}" for name in ("sweep.csv", "sweep.json", "sweep.svg"))
FIGURES += ("results/report.html",)
ENDS = ("html", "json")
COMMANDS = {
    "local": Command("local", ANONYMIZE, ("public/y.csv",), LINK),
    "stream": Command("stream", (*ANONYMIZE, "--engine", "stream"), ("public/y.csv",), LINK),
    "run": Command(
        "run",
        ("run", "recipe.yaml", "--out", "results"),
        tuple(f"results/releases/{name}" for name in NAMES),
        tuple(f"results/secret/{name}{end}" for name in NAMES for end in ("", ".provenance.json")),
        (
            "results/report.html",
            "results/scorecard.json",
            "results/releases/README.md",
            *(f"results/assessments/{n}.{end}" for n in ("01-one", "02-two") for end in ENDS),
        ),
    ),
    "history": Command(
        "history", HISTORY, (), PEOPLE, ("public/A1.csv", "public/A1.csv.manifest.json")
    ),
    "sweep": Command("sweep", SWEEP, figures=FIGURES),
}


def prepare(folder: Path) -> None:
    """The sources of all commands."""
    for name in ("public", "private"):
        (folder / name).mkdir(parents=True)
    draw = random.Random(1)
    lines = ["age,zip,income,comment"]
    for n in range(ROWS):
        lines.append(f"{draw.randint(18, 80)},{draw.randint(0, 99)},{n % 997},person {n}")
    (folder / "x.csv").write_text("\n".join(lines) + "\n")
    rows = [
        f"{10000 + n % 200},2011/{1 + n % 12}/{1 + n % 28},i{n % 40},{n % 9}.5,{1 + n % 5}"
        for n in range(4000)
    ]
    (folder / "T.csv").write_text("\n".join(rows) + "\n")
    (folder / "recipe.yaml").write_text(RECIPE)


def killed(command: Command, folder: Path, moment: float, *, after_first: bool) -> bool:
    """Start a command and kill it after so many seconds; whether it was still running."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tokumei", *command.args],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    before = _files(folder)
    if after_first:
        while process.poll() is None and _files(folder) <= before:
            time.sleep(0.0005)
    end = time.monotonic() + moment
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.0005)
    alive = process.poll() is None
    if alive:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return alive


def faults(command: Command, folder: Path) -> list[str]:
    """What is wrong with what a killed command left."""
    found = [f for public in command.public for f in _set_faults(command, folder, public)]
    known = {"x.csv", "T.csv", "recipe.yaml", *command.public, *command.secret, *command.figures}
    known |= {f"{public}.manifest.json" for public in command.public}
    for path in (one for one in folder.rglob("*") if one.is_file()):
        name, mode = str(path.relative_to(folder)), path.stat().st_mode & 0o777
        if name in command.secret and mode & 0o077:
            found.append(f"{name} is a secret with mode {mode:o}")
        if name in known:
            continue
        if mode & 0o077:
            found.append(f"{name} is left with mode {mode:o}")
        own = Path(name).parts
        if not any(part.startswith((".tokumei-unverified-", ".tokumei-secret-")) for part in own):
            found.append(f"{name} could be taken for a result")
        if own[0] == "public" and any(part.startswith(".tokumei-secret-") for part in own):
            found.append(f"{name} is a secret beside the public file")
    return found


def _set_faults(command: Command, folder: Path, public: str) -> list[str]:
    """A release is there with all its files, and holds, or it is not there at all."""
    if not (folder / public).exists():
        return []
    needed = [f"{public}.manifest.json", *command.secret]
    lacking = [name for name in needed if not (folder / name).exists()]
    if lacking:
        return [f"{public} is there without {lacking[0]}"]
    return [f"{public}: {why}" for why in verify(folder / public).broken]


def clean(folder: Path) -> None:
    """Take away all that a command left, but for the sources."""
    import shutil

    for name in ("public", "private", "results"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in ("public", "private"):
        (folder / name).mkdir()


def _files(folder: Path) -> set[str]:
    return {entry for _, folders, files in os.walk(folder) for entry in (*folders, *files)}


def try_kills(number: int, names: list[str], *, seed: int = 0) -> tuple[int, list[str]]:
    """Kill commands in turn until so many were killed while they ran; tries, and violations.

    A command that was over before its moment is tried again, to be killed earlier.
    """
    rng, tries, violations = random.Random(seed), 0, list[str]()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder)
        whole = {name: _seconds(COMMANDS[name], folder) for name in names}
        for turn in range(number):
            command = COMMANDS[names[turn % len(names)]]
            late = turn % 4 >= 2
            moment = rng.uniform(0, 0.25 if late else whole[command.name])
            was_killed = False
            while not was_killed:
                tries += 1
                was_killed = killed(command, folder, moment, after_first=late)
                violations += [f"{command.name}: {fault}" for fault in faults(command, folder)]
                clean(folder)
                moment, late = moment / 2, False
    return tries, violations


def _seconds(command: Command, folder: Path) -> float:
    """How long the command takes when nobody kills it; nothing may be wrong then either."""
    start = time.monotonic()
    if killed(command, folder, 600, after_first=False):
        raise RuntimeError(f"{command.name} takes more than ten minutes")
    length = time.monotonic() - start
    if wrong := faults(command, folder):
        raise RuntimeError(f"{command.name}, not killed: {wrong[0]}")
    clean(folder)
    return length


def main() -> int:
    asked = argparse.ArgumentParser(prog="fuzz.kills")
    asked.add_argument("--kills", type=int, default=200)
    asked.add_argument("--commands", default=",".join(COMMANDS))
    asked.add_argument("--seed", type=int, default=0)
    given = asked.parse_args()
    tries, violations = try_kills(given.kills, given.commands.split(","), seed=given.seed)
    print(f"{given.kills} kills in {tries} tries, {len(violations)} violations")
    for violation in sorted(set(violations)):
        print(f"  {violation}")
    return int(bool(violations))


if __name__ == "__main__":
    sys.exit(main())
