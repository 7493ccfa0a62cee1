"""Candidates are read from a project as they were written."""

import math
from dataclasses import replace
from pathlib import Path

from tokumei.apps.studio.job_handlers.advise import parse_candidate
from tokumei.apps.studio.store.project import Project
from tokumei.core.advice.candidate import AttackEstimate, Candidate, Figures
from tokumei.core.advice.request import Request
from tokumei.core.messages import Message

ESTIMATE = AttackEstimate("linkage", 12.5, 10.0, 15.0, 0.5, 400, 200)
FIGURES = Figures(
    loss=0.25,
    losses={"age": 0.5, "zip": 0.0},
    smallest=5,
    joint=1,
    alone=3,
    at_risk=7,
    rows_kept=0.975,
    people=400,
    estimate=0.125,
    known=ESTIMATE,
    telling={"age": 0.25},
    more={"miscounted age×zip": 0.125},
)
CANDIDATE = Candidate(
    "3f9a0c51d2ab",
    Request("tables", ({"method": "mondrian", "k": 5},), {"age": "generalize"}, consent=("age",)),
    FIGURES,
    Message.of_texts({"en": "It loses little.", "ja": "損失が小さい。"}),
    Message.of_texts({"en": "Mondrian, k = 5", "ja": "Mondrian、k = 5"}),
    near="8c1d0a77e2f4",
)


def _write_and_parse(folder: Path, candidate: Candidate) -> Candidate:
    project = Project(folder)
    project.write_result(f"candidates/{candidate.id}", {**candidate.as_json(), "order": 0})
    (record,) = project.candidates()
    return parse_candidate(record)


def test_a_candidate_is_read_as_it_was_written(tmp_path):
    assert _write_and_parse(tmp_path, CANDIDATE) == CANDIDATE


def test_figures_that_are_no_numbers_come_back_as_such(tmp_path):
    figures = replace(FIGURES, estimate=math.nan, more={"U3 age×zip": math.nan})
    parsed = _write_and_parse(tmp_path, replace(CANDIDATE, figures=figures)).figures
    assert math.isnan(parsed.estimate)
    assert math.isnan(parsed.more["U3 age×zip"])
    assert replace(parsed, estimate=0.0, more={}) == replace(FIGURES, estimate=0.0, more={})
