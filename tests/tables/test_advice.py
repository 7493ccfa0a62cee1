"""Advice on tables: figures against plain loops over released files, and what a purpose does."""

from __future__ import annotations

import csv
import json
import shlex
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from tables.advice_helpers import PARTNER, people
from tokumei.advice import Candidate, Purpose, adviser
from tokumei.apps.cli.app import main
from tokumei.core.errors import UsageError
from tokumei.core.messages import language_context
from tokumei.tables.services.advise import format_anonymize_command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    people().write_csv(path)
    return path


@pytest.mark.long
def test_the_same_seed_and_steps_give_the_same_advice(file: Path) -> None:
    one, other = (tk.advise(file, PARTNER, steps=8, seconds=None, seed=3) for _ in range(2))
    assert one.as_json() == other.as_json()
    assert one.front


def test_identifying_columns_go_and_what_must_stay_is_exact(file: Path) -> None:
    found = tk.advise(people(), PARTNER, steps=4, seconds=None)
    for candidate in found.candidates:
        fates = candidate.request.columns
        assert fates["full name"] == "drop"
        assert fates["diagnosis"] in ("protect", "pass")
        assert candidate.figures.losses["diagnosis"] == pytest.approx(
            1 - candidate.figures.rows_kept
        )
    assert any("full name" in note.en for note in found.notes)
    assert "diagnosis exact because you want it to stay" in found.front[0].reason.en
    assert "diagnosis" in found.front[0].reason.ja


def test_owners_and_purposes_decide_what_becomes_of_columns() -> None:
    frame = people()
    other = adviser(frame, PARTNER, fates={"zip code": "drop"})
    assert next(iter(other.steps())).request.columns["zip code"] == "drop"
    named = Purpose("partner", known=("age", "full name"))
    kept_out = adviser(frame, named)
    assert any("'full name' is left out" in note.en for note in kept_out.notes)
    with pytest.raises(UsageError, match="fate"):
        adviser(frame, PARTNER, fates={"age": "hide"})
    with pytest.raises(tk.TokumeiError, match="heigth"):
        adviser(frame, Purpose(known=("heigth",)))


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


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(args))
    return int(ended.value.code or 0)


def command(text: str) -> list[str]:
    return shlex.split(text)[1:]


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


def test_rows_are_people_where_a_person_has_several() -> None:
    frame = people(60)
    visits = pl.concat([frame, frame]).with_columns(
        pl.Series("patient id", [f"P{i % 60:04}" for i in range(120)])
    )
    found = tk.advise(visits, PARTNER, steps=2, seconds=None)
    (one,) = found.candidates
    assert one.request.person == "patient id"
    assert one.figures.counts_people
    assert one.figures.people <= 60
    assert one.figures.smallest >= 5


@pytest.mark.long
def test_the_command_writes_a_page_in_both_languages_without_any_cell(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = file.parent / "advice.html"
    asked = [str(file), "--known", "age,sex", "--keep", "diagnosis", "--predict", "diagnosis"]
    asked += ["--count", "age,sex", "--steps", "4"]
    assert run("advise", *asked, "--out", str(out)) == 0
    shown = capsys.readouterr().out
    assert "rows found" in shown
    assert "people found" not in shown
    assert "no release is called lawful" in shown
    page = out.read_text(encoding="utf-8")
    assert "Risk against loss" in page
    assert "リスクと損失" in page
    assert "Alice" not in page
    assert "asthma" not in page
    with language_context("ja"):
        assert run("advise", *asked, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert all(one["command"].startswith("tokumei anonymize table") for one in told["candidates"])
    assert all(one["reason_ja"] for one in told["candidates"])
    assert run("advise", *asked, "--out", "advice.txt") == 2


def test_a_table_to_count_decides_what_is_better() -> None:
    asked = Purpose("partner", known=("age", "sex", "zip code"), tables=(("age", "sex"),))
    found = {one.id: one for one in tk.advise(people(), asked, steps=6, seconds=None).candidates}
    for one in found.values():
        wrong = one.figures.more["miscounted age×sex"]
        losses = [*one.figures.losses.items()]
        weights = [2.0 if name in ("age", "sex") else 1.0 for name, _ in losses]
        total = sum(w * loss for w, (_, loss) in zip(weights, losses, strict=True)) + 4 * wrong
        assert one.figures.loss == pytest.approx(total / (sum(weights) + 4))


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_somebody_who_knows_nothing_picks_from_among_all() -> None:
    frame = pl.DataFrame({"age": [20 + n % 3 for n in range(12)]})
    found = tk.advise(frame, Purpose("public", known=("age",)), steps=3, seed=1)
    assert found.candidates
    with pytest.raises(TypeError, match="recipient"):
        tk.advise(frame, recipient="public", steps=3)


def test_models_and_times_that_do_not_exist_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option, told in (
        (["--model", "foo"], "unknown condition 'foo'"),
        (["--model", "l=two"], "write it like"),
        (["--seconds", "-1"], "--seconds must be above 0"),
    ):
        with pytest.raises(SystemExit) as end:
            main(["advise", str(file), "--recipient", "public", *option])
        assert (end.value.code, told in capsys.readouterr().err) == (2, True)
