"""Random odd histories through `anonymize history`, judged by `independent.histories`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzz.judged import (
    BROKEN,
    CHANGED,
    LEFT,
    RELEASED,
    TRACEBACK,
    Outcome,
    command,
    last_lines,
    place_of,
)
from fuzz.odd_histories import odd_history, write_history
from independent.histories import mispaired, misplaced, published, read_lines, unlike, untrue

METHODS = ("rank-match", "rank-match", "aligned")
FORMATS = ("pws2018", "pws2018", "table")


@dataclass
class HistoryCase:
    """Which history, by which method, in which form."""

    number: int
    rows: list[tuple[str, ...]]
    method: str
    format: str
    k: int
    seed: int | None

    @property
    def header(self) -> bool:
        return self.format == "table"

    def args(self, folder: Path) -> list[str]:
        places = {"data": "T", "out": "A", "public": "public", "secret": "people"}
        args = ["anonymize", "history", "--format", self.format, "--method", self.method]
        for option, name in places.items():
            args += [f"--{option}", str(folder / f"{name}.csv")]
        args += ["--seed", str(self.seed)] if self.seed is not None else []
        return [*args, "--k", str(self.k), "--json"]


def make_history_case(number: int) -> HistoryCase:
    """The case of this number, always the same."""
    rng = Random(f"history {number}")
    rows = odd_history(rng)
    seed = rng.randrange(1000) if rng.random() < 0.5 else None
    return HistoryCase(
        number, rows, rng.choice(METHODS), rng.choice(FORMATS), rng.choice((2, 2, 3, 5)), seed
    )


def judge_history(case: HistoryCase, folder: Path) -> Outcome:
    """Run the case in an empty folder and look at everything it left."""
    write_history(case.rows, folder / "T.csv", header=case.header)
    try:
        refused = command(case.args(folder))
    except Exception as err:  # noqa: BLE001  whatever it is, it must not have come this far
        return Outcome(TRACEBACK, last_lines(err), place_of(err))
    left = sorted(path.name for path in folder.iterdir() if path.name != "T.csv")
    if refused is not None:
        return Outcome(LEFT, f"after {refused.words}: {left}", "refused") if left else refused
    return _judged(case, folder)


def _judged(case: HistoryCase, folder: Path) -> Outcome:
    original = case.rows
    aligned = read_lines(folder / "A.csv", header=case.header)
    public = read_lines(folder / "public.csv", header=case.header)
    with (folder / "people.csv").open(encoding="utf-8", newline="") as text:
        secret = [(row[0], row[1]) for row in csv.reader(text)]
    broken = unlike(public, case.k) + published(aligned, public) + mispaired(original, aligned)
    broken += untrue(original, aligned, secret[case.header :])
    if broken:
        return Outcome(BROKEN, broken[0], broken[0][:30])
    for name in ("A.csv", "people.csv"):
        if (folder / name).stat().st_mode & 0o077:
            return Outcome(LEFT, f"{name} is readable by others", "mode")
    wrong = misplaced(original, aligned)
    return Outcome(CHANGED, wrong[0], "cell") if wrong else Outcome(RELEASED)
