"""anonymeter on the files of the inference audit, in an environment of its own.

    python -m bench.audit_anonymeter write DIR        # files, and our figures in ours.json
    OTHER/bin/python bench/audit_anonymeter.py DIR    # theirs beside ours; needs anonymeter only

Required: intervals overlap, ours are at most two thirds as wide, in less processor time. anonymeter
cuts its own at 0 and 1, where ours go on: widths are those of both before that.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

NAMES = ("copies", "CART leaf 1", "30 % of cells redrawn", "fresh rows")
SA = "occupation"
SINGLES, GUESSES = 500, 2000
"""Attacks that anonymeter makes, as on the page."""


def write(place: Path) -> None:
    """The files, and what the audit finds in them."""
    from bench.audit_releases import QI, adult, synthetic
    from tokumei.tables.audit.audit import audit

    place.mkdir(parents=True, exist_ok=True)
    members, control, _ = adult()
    members.write_csv(place / "members.csv")
    control.write_csv(place / "control.csv")
    found: dict[str, Any] = {}
    for name in NAMES:
        synthetic(name).write_csv(place / f"{name}.csv")
        given: dict[str, Any] = {"members": members, "control": control}
        given |= {"qi": list(QI), "sa": [SA], "seed": 1}
        started = time.process_time()
        single = audit(synthetic(name), kinds=["singling-out"], **given)
        middle = time.process_time()
        guessed = audit(synthetic(name), kinds=["attribute"], **given)
        ended = time.process_time()
        four = next(one.risk for one in single.singling_out if one.columns == 4)
        nearest = guessed.attributes[SA].attacks["nearest-1"].risk
        assert four is not None
        found[name] = {
            "singling out": (*vars(four).values(), middle - started),
            "inference": (*vars(nearest).values(), ended - middle),
        }
    (place / "ours.json").write_text(json.dumps(found), encoding="utf-8")


def compare(place: Path) -> None:
    """Print both, and whether what is required holds."""
    import pandas as pd

    evaluators: Any = import_module("anonymeter.evaluators")
    uncut: Any = import_module("anonymeter.stats.confidence").residual_success
    ours = json.loads((place / "ours.json").read_text(encoding="utf-8"))
    members, control = (pd.read_csv(place / f"{name}.csv") for name in ("members", "control"))
    print("| release | question | ours | CPU s | anonymeter | CPU s | overlap | width |")
    print("|---|---|---|---|---|---|---|---|")
    for name in NAMES:
        release = pd.read_csv(place / f"{name}.csv")
        single = evaluators.SinglingOutEvaluator(members, release, SINGLES, 4, control, seed=1)
        known = [column for column in members.columns if column != SA]
        guess = evaluators.InferenceEvaluator(
            members, release, known, SA, n_attacks=GUESSES, control=control
        )
        for question, one in (("singling out", single), ("inference", guess)):
            started = time.process_time()
            risk = one.evaluate().risk(confidence_level=0.95)
            spent = time.process_time() - started
            rates = one.results(confidence_level=0.95)
            half = uncut(rates.attack_rate, rates.control_rate).error
            _print(name, question, ours[name][question], (risk.value, *risk.ci, half), spent)


def _print(
    name: str, question: str, ours: list[float], theirs: tuple[float, ...], spent: float
) -> None:
    value, low, high, seconds = ours
    overlap = low <= theirs[2] and theirs[1] <= high
    width = (high - low) / (2 * theirs[3])
    print(
        f"| {name} | {question} | {value:.3f} ({low:.3f}–{high:.3f}) | {seconds:.2f} "
        f"| {theirs[0]:.3f} ({theirs[1]:.3f}–{theirs[2]:.3f}) | {spent:.2f} "
        f"| {'yes' if overlap else 'no'} | {width:.2f} |",
        flush=True,
    )


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]))
    else:
        compare(Path(sys.argv[1]))
