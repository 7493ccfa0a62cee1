"""Advice on tables: figures against plain loops over released files, and what a purpose does."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from tables.advice_fixtures import file as file
from tables.advice_fixtures import run
from tables.advice_helpers import PARTNER, people
from tokumei.advice import Purpose, adviser
from tokumei.apps.cli.app import main
from tokumei.core.errors import UsageError
from tokumei.core.language import language_context


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
    assert any("full name" in note.show("en") for note in found.notes)
    assert "diagnosis exact because you want it to stay" in found.front[0].reason.show("en")
    assert "diagnosis" in found.front[0].reason.show("ja")


def test_owners_and_purposes_decide_what_becomes_of_columns() -> None:
    frame = people()
    other = adviser(frame, PARTNER, fates={"zip code": "drop"})
    assert next(iter(other.steps())).request.columns["zip code"] == "drop"
    named = Purpose("partner", known=("age", "full name"))
    kept_out = adviser(frame, named)
    assert any("'full name' is left out" in note.show("en") for note in kept_out.notes)
    with pytest.raises(UsageError, match="fate"):
        adviser(frame, PARTNER, fates={"age": "hide"})
    with pytest.raises(tk.TokumeiError, match="heigth"):
        adviser(frame, Purpose(known=("heigth",)))


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
    assert "people found" not in shown.replace("risk: people found by", "")
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
