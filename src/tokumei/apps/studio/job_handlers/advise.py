"""The job `advise`: writes candidates as they are found, or new ones near a candidate.

Here is also what every job begins with, and the job `preview`: rows of candidates.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from tokumei.apps.http.errors import NotFound
from tokumei.apps.studio.adapters.base import LoadedAdapter, adapter_for
from tokumei.apps.studio.job_handlers.assess_release import assess_release
from tokumei.apps.studio.scenario import to_scenario
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
    from tokumei.core.advice.adviser import Adviser, Proposal

CANDIDATES_FOLDER = "candidates"
FIGURES_PARSER = TypeAdapter(Figures)
MAKING_CANDIDATES = Message("making candidates")
READING_FILE = Message("reading the file")


def propose_candidates(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Candidates for the purpose; those of the same purpose that are there already are kept.

    Each is assessed as soon as it is made. If none fits the scenario, what may fit is tried last.
    """
    teller.progress(None, READING_FILE)
    state, look, adapter, source = open_project(project)
    reusable = _reusable_candidates(project, state.inputs("candidates"))
    adviser = adapter.adviser(source, project, state)
    adviser.candidates.update(
        {candidate_before.id: candidate_before for candidate_before in reusable}
    )
    candidate_writer = CandidateWriter(project, state, adviser, len(reusable))
    candidate_writer.write()
    search = CandidateSearch(project, state, adapter, source, adviser)
    new_ids = list[str]()
    for candidate in search.run(args, teller):
        release = adapter.last(adviser)
        if release is not None:
            project.write_result(f"previews/{candidate.id}", adapter.beside(source, release, look))
            assess_release(project, state, adapter, source, release, candidate.id)
        if candidate.id not in new_ids:
            new_ids.append(candidate.id)
        candidate_writer.write()
        teller.fresh()
    candidate_writer.write(ended=True)
    _write_near(project, args, new_ids)


def _write_near(project: Project, args: JobArguments, new_ids: list[str]) -> None:
    """What a search near a candidate brought, nothing included."""
    if args.get("near"):
        wish = "remedy" if args.get("remedy") else str(args.get("wish"))
        project.write_result(
            "near", {"near": args["near"], "wish": wish, "ids": new_ids, "ended": True}
        )


def _reusable_candidates(project: Project, inputs: str) -> list[Candidate]:
    """Candidates of the very same decisions; any others are forgotten."""
    advice = project.result("advice")
    if advice is None or advice["inputs"] != inputs:
        for folder in (CANDIDATES_FOLDER, "previews", "assessments", "audits", "joint"):
            project.forget(folder)
        project.forget_result("near")
        return []
    return [parse_candidate(data) for data in project.candidates()]


@dataclass(frozen=True)
class CandidateSearch:
    """One search: what is tried, in which order, and how far it is."""

    project: Project
    state: ProjectState
    adapter: LoadedAdapter
    source: object
    adviser: Adviser

    def run(self, args: JobArguments, teller: ProgressWriter) -> Iterator[Candidate]:
        """The candidates, with the share of the time that is spent told."""
        seconds = float(args["seconds"])
        started = time.monotonic()
        teller.progress(0.0, MAKING_CANDIDATES)
        for candidate in self._search(args, seconds):
            yield candidate
            with progress_bar(MAKING_CANDIDATES, None):
                spent = (time.monotonic() - started) / seconds
                teller.progress(min(1.0, spent), MAKING_CANDIDATES)

    def _search(self, args: JobArguments, seconds: float) -> Iterator[Candidate]:
        if not args.get("near"):
            yield from self.adviser.steps(seconds=seconds)
            if not self._any_fits():
                yield from self.adviser.try_proposals(self._fitting_proposals())
            return
        near_candidate = self.project.result("candidates", args["near"])
        assert near_candidate is not None, "the page offers only candidates that are there"
        candidate = parse_candidate(near_candidate)
        remedy = args.get("remedy")
        if remedy:
            yield from self._try_remedy(candidate, remedy, seconds)
            return
        column = args.get("column") or None
        yield from self.adviser.near(candidate, args["wish"], column=column, seconds=seconds)

    def _try_remedy(
        self, candidate: Candidate, remedy: PlainData, seconds: float
    ) -> Iterator[Candidate]:
        parameters = remedy["parameters"]
        assert isinstance(parameters, dict)
        proposals = self.adapter.propose_remedy(
            self.adviser, candidate.request, str(remedy["action"]), parameters
        )
        near = [replace(proposal, near=candidate.id) for proposal in proposals]
        yield from self.adviser.try_proposals(near, seconds=seconds)

    def _any_fits(self) -> bool:
        """Whether some candidate fits, or none was assessed."""
        documents = [record["document"] for record in self.project.assessments(self.state).values()]
        words = {document["verdict"] for document in documents if document is not None}
        return not words or "fits" in words

    def _fitting_proposals(self) -> list[Proposal]:
        candidates = self.adviser.advice().candidates
        if not candidates:
            return []
        return self.adapter.propose_fitting(
            self.adviser, candidates[0].request, to_scenario(self.state)
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
