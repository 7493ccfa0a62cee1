"""Tests of tokumei.tables.services.advise."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

import tokumei as tk
from tables.advice_fixtures import command, run
from tables.advice_fixtures import file as file
from tokumei.advice import Candidate, Purpose
from tokumei.tables.services.advise import format_anonymize_command


def cell_of(text: str, numeric: bool) -> set[str] | None:
    """What a released cell may stand for; None: a range of numbers."""
    if text.startswith("{"):
        return set(text[1:-1].split(";"))
    return None if numeric and text.startswith("[") else {text}


def lost(column: list[str], source: list[str], numeric: bool) -> float:
    """The share that a column of a release lost, cell by cell."""
    numbers = [float(one) for one in source] if numeric else []
    values, total = set(source), 0.0
    for text in column:
        cell = cell_of(text, numeric)
        if text == "*":
            total += 1
        elif cell is None:
            low, high = (float(one) for one in text[1:-1].split(";"))
            low, high = max(low, min(numbers)), min(high, max(numbers))
            total += (high - low) / (max(numbers) - min(numbers))
        elif len(cell) > 1:
            total += len(cell & values) / len(values)
    return total / len(column)


def read(path: Path) -> dict[str, list[str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.parametrize("recipient", ["partner", pytest.param("public", marks=pytest.mark.long)])
def test_figures_are_those_of_the_files_that_plain_commands_make(
    file: Path, recipient: str, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ("age", "sex", "zip code")
    purpose = Purpose(recipient, known=known, keep=("diagnosis",), k=4)  # type: ignore[arg-type]
    found = tk.advise(file, purpose, steps=4, seconds=None, seed=1)
    for candidate in (one for one in found.candidates if one.attacked):
        out = file.parent / f"{candidate.id}.csv"
        made = format_anonymize_command(candidate.request, str(file), str(out))
        assert run(*command(made), "--seed", "1") == 0
        _check_classes(candidate, read(file), read(out))
        capsys.readouterr()
        asked = ["--original", str(file), "--release", str(out), "--truth", f"{out}.secret"]
        roles = candidate.request
        asked += ["--qi", ",".join(roles.columns_with_treatment("generalize"))]
        asked += ["--known", ",".join(known), "--expected", "--seed", "1", "--json"]
        assert run("attack", *asked) == 0
        rates = json.loads(capsys.readouterr().out)
        people = candidate.figures.people
        assert candidate.figures.known
        assert candidate.figures.everything
        assert candidate.figures.known.people == pytest.approx(rates["known"]["rate"] * people)
        best = max(rates["everything"]["rate"], rates["known"]["rate"])
        assert candidate.figures.everything.people >= best * people - 1e-9


def _check_classes(
    candidate: Candidate, source: dict[str, list[str]], made: dict[str, list[str]]
) -> None:
    figures, fates = candidate.figures, candidate.request.columns
    rows = len(made["age"])
    assert figures.rows_kept == rows / len(source["age"])
    assert set(made) == {name for name, fate in fates.items() if fate != "drop"}
    qi = [name for name in made if fates[name] == "generalize"]
    by_qi, by_all = (
        Counter(zip(*(made[n] for n in names), strict=True)) for names in (qi, list(made))
    )
    assert figures.smallest == min(by_qi.values()) >= (candidate.request.k or 0)
    assert figures.joint == min(by_all.values())
    assert figures.alone == sum(size == 1 for size in by_all.values())
    k = candidate.request.k or 0
    classes = by_all if candidate.counted == "everything" else by_qi
    assert figures.at_risk == sum(size for size in classes.values() if size < k)
    assert figures.estimate == pytest.approx(len(classes) / rows)
    for name in qi:
        exact = lost(made[name], source[name], name == "age")
        kept = figures.rows_kept
        if name not in ("zip code", "age"):  # these two lose levels of a hierarchy
            assert figures.losses[name] == pytest.approx(kept * exact + 1 - kept)
    weights = {"diagnosis": 4.0}
    total = sum(weights.get(n, 1.0) for n in figures.losses)
    mean = sum(weights.get(n, 1.0) * loss for n, loss in figures.losses.items()) / total
    assert figures.loss == pytest.approx(mean)
