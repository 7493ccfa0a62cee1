"""The job `advise`: writes candidates as they are found, or new ones near a candidate.

Here is also what every job begins with, and the job `preview`: rows of candidates.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from tokumei.apps.http.errors import NotFound
from tokumei.apps.studio.adapters.base import LoadedAdapter, adapter_for
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import (
    CandidateRecord,
    JobArguments,
    PlainData,
    ProfileRecord,
)
from tokumei.core.advice.candidate import Candidate, Figures
from tokumei.core.advice.request import Request
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar

if TYPE_CHECKING:
    from tokumei.apps.studio.jobs.worker import ProgressWriter
    from tokumei.core.advice.adviser import Adviser

CANDIDATES_FOLDER = "candidates"
FIGURES_PARSER = TypeAdapter(Figures)
MAKING_CANDIDATES = Message("making candidates")
READING_FILE = Message("reading the file")


def propose_candidates(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Candidates for the purpose; those of the same purpose that are there already are kept."""
    teller.progress(None, READING_FILE)
    state, look, adapter, source = open_project(project)
    inputs = state.inputs("candidates")
    reusable = _reusable_candidates(project, inputs)
    adviser = adapter.adviser(source, project, state)
    adviser.candidates.update(
        {candidate_before.id: candidate_before for candidate_before in reusable}
    )
    candidate_writer = CandidateWriter(project, state, adviser, len(reusable))
    candidate_writer.write()
    for candidate in _candidates_with_progress(adviser, args, project, teller):
        release = adapter.last(adviser)
        if release is not None:
            project.write_result(f"previews/{candidate.id}", adapter.beside(source, release, look))
        candidate_writer.write()
        teller.fresh()
    candidate_writer.write(ended=True)


def _reusable_candidates(project: Project, inputs: str) -> list[Candidate]:
    """Candidates of the very same decisions; any others are forgotten."""
    advice = project.result("advice")
    if advice is None or advice["inputs"] != inputs:
        for folder in (CANDIDATES_FOLDER, "previews", "attacks", "audits", "joint"):
            project.forget(folder)
        return []
    return [parse_candidate(data) for data in project.candidates()]


def _candidates_with_progress(
    adviser: Adviser, args: JobArguments, project: Project, teller: ProgressWriter
) -> Iterator[Candidate]:
    """The candidates, with the share of the time that is spent told."""
    seconds = float(args["seconds"])
    started = time.monotonic()
    teller.progress(0.0, MAKING_CANDIDATES)
    for candidate in _search_candidates(adviser, args, project, seconds):
        yield candidate
        with progress_bar(MAKING_CANDIDATES, None):
            teller.progress(min(1.0, (time.monotonic() - started) / seconds), MAKING_CANDIDATES)


def _search_candidates(
    adviser: Adviser, args: JobArguments, project: Project, seconds: float
) -> Iterator[Candidate]:
    if not args.get("near"):
        return adviser.steps(seconds=seconds)
    near_candidate = project.result("candidates", args["near"])
    assert near_candidate is not None, "the page offers only candidates that are there"
    column = args.get("column") or None
    return adviser.near(
        parse_candidate(near_candidate), args["wish"], column=column, seconds=seconds
    )


class CandidateWriter:
    """Writes each candidate to a file, and what they share to another."""

    def __init__(
        self, project: Project, state: ProjectState, adviser: Adviser, before: int
    ) -> None:
        self._project, self._adviser = project, adviser
        self._inputs = state.inputs("candidates")
        self._order = {data["id"]: int(data["order"]) for data in project.candidates() if before}
        self._written: dict[str, PlainData] = {}

    def write(self, *, ended: bool = False) -> None:
        """Write the candidates that changed, then the advice."""
        advice = self._adviser.advice()
        for candidate in advice.candidates:
            order = self._order.setdefault(candidate.id, len(self._order))
            candidate_json: PlainData = {**candidate.as_json(), "order": order}
            if self._written.get(candidate.id) != candidate_json:
                self._project.write_result(f"{CANDIDATES_FOLDER}/{candidate.id}", candidate_json)
                self._written[candidate.id] = candidate_json
        data: PlainData = {**advice.as_json()}
        del data["candidates"]
        data |= {"inputs": self._inputs, "ended": ended}
        self._project.write_result("advice", data)


def parse_candidate(data: CandidateRecord) -> Candidate:
    """Parse a candidate that `CandidateWriter` wrote."""
    figures = data["figures"]
    restored = {
        "estimate": _null_to_nan(figures["estimate"]),
        "more": {name: _null_to_nan(value) for name, value in figures["more"].items()},
    }
    return Candidate(
        data["id"],
        Request.from_json(data["request"]),
        FIGURES_PARSER.validate_python({**figures, **restored}),
        Message.of_json(data, "reason"),
        Message.of_json(data, "title"),
        data["counted"],
        data["on_front"],
        data["near"],
    )


def _null_to_nan(number: float | None) -> float:
    """Restore a number that is none: JSON files hold null for it."""
    return math.nan if number is None else number


def open_project(project: Project) -> tuple[ProjectState, ProfileRecord, LoadedAdapter, object]:
    """Load the state, profile, adapter and source of a project."""
    state, look = project.state(), project.result("look")
    assert look is not None, "no job begins before the file was looked at"
    kind = adapter_for(state)
    return state, look, kind, kind.load(project, state, look)


def candidate_request(project: Project, id: str) -> Request:
    """The request of a candidate."""
    candidate_json = project.result("candidates", id)
    if candidate_json is None:
        raise NotFound
    return Request.from_json(candidate_json["request"])


def preview_candidates(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Make the candidates' releases and keep some rows of each, masked."""
    state, look, adapter, source = open_project(project)
    adviser = adapter.adviser(source, project, state)
    with progress_bar(Message("showing rows"), len(args["ids"])) as advance:
        for id in args["ids"]:
            release = adviser.release(candidate_request(project, id))
            project.write_result(f"previews/{id}", adapter.beside(source, release, look))
            advance(1)
            teller.fresh()
