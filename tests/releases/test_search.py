"""Tests of tokumei.releases.search and trial."""

from __future__ import annotations

import polars as pl
import pytest

from releases.people import decide, people_frame
from tokumei.core.advice.request import DROP
from tokumei.core.scenario import Scenario
from tokumei.releases.release_table import build_scenario
from tokumei.releases.request import ReleaseTable
from tokumei.releases.search import ReleaseSearch
from tokumei.releases.trial import Trial


def search(frame: pl.DataFrame, request: ReleaseTable | None = None) -> list[Trial]:
    request = ReleaseTable() if request is None else request
    source, decisions = decide(frame, request)
    return ReleaseSearch(source, decisions, build_scenario(request, decisions), 1).run()


def test_the_first_is_the_best_of_those_that_fit() -> None:
    trials = search(people_frame())
    assert len(trials) > 1
    fitting = [trial for trial in trials if trial.fits]
    assert trials[0] in fitting
    fullest = [t for t in fitting if len(t.empty_columns) == len(trials[0].empty_columns)]
    assert trials[0].kept == max(trial.kept or 0 for trial in fullest)


def test_what_is_kept_is_one_minus_loss_over_all_columns_but_identifiers() -> None:
    frame = people_frame()
    trial = search(frame)[0]
    kept = [c.kept for c in trial.columns if c.name != "name"]
    assert None not in kept
    assert trial.kept == pytest.approx(sum(value or 0 for value in kept) / len(kept))
    exact = {c.name: c.kept for c in trial.columns}
    assert exact["income"] == 1


def test_a_column_given_up_counts_as_lost() -> None:
    request = ReleaseTable(recipient="public")
    trials = search(people_frame(), request)
    fewer = [t for t in trials if len(t.request.columns_with_treatment(DROP)) > 1]
    assert fewer
    for trial in fewer:
        dropped = {*trial.request.columns_with_treatment(DROP)} - {"name"}
        by_name = {c.name: c.kept for c in trial.columns}
        assert all(by_name[name] == 0 for name in dropped)


def test_a_candidate_that_cannot_be_made_does_not_end_the_search() -> None:
    # A value that reads like a suppressed cell fits no hierarchy.
    words = [f"w{n}" for n in range(25)] * 8
    frame = pl.DataFrame({"city": ["*", *words[1:]], "age": [n % 50 + 20 for n in range(200)]})
    trials = search(frame, ReleaseTable(knows=("city", "age")))
    assert trials[0].fits


def test_a_candidate_tells_what_it_gives_up() -> None:
    trial = search(people_frame(60))[0]
    lost = [c.name for c in trial.columns if c.kept is not None and c.kept < 1]
    told = [str(message) for message in trial.gives_up]
    assert len(told) == len(lost)
    assert all(any(name in line for line in told) for name in lost)


def test_nothing_known_means_nothing_searched() -> None:
    trials = search(people_frame(), ReleaseTable(knows=("none",)))
    assert [trial.request.method for trial in trials] == ["drop-identifiers"]


def test_the_scenario_names_exactly_what_is_known() -> None:
    request = ReleaseTable(knows=("age~10%",), keep=("income",))
    _, decisions = decide(people_frame(), request)
    scenario = build_scenario(request, decisions)
    assert isinstance(scenario, Scenario)
    assert [item.text for item in scenario.knows or ()] == ["age~10%", "age_squared"]
    assert {*scenario.keep} == {"income"}
