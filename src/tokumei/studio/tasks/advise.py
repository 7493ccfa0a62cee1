"""The job `advise`: candidates, written as they finish; or new ones near a candidate.

Here is also what every job begins with, and the job `preview`: rows of candidates.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.advice.candidate import Candidate, Figures, Found
from tokumei.core.advice.request import Request
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.studio.jobs.child import Teller
from typing import TYPE_CHECKING

from tokumei.http.refusals import NotFound
from tokumei.studio.kinds.kind import StudioKind, kind_of

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller

FOLDER = "candidates"
MAKING = Text("making candidates", "候補を作成しています")
READING = Text("reading the file", "ファイルを読み込んでいます")


def propose(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Candidates for the purpose; those of the same purpose that are there already are kept."""
    teller.progress(None, READING)
    state, look, parts, source = opened(project)
    inputs = state.inputs("candidates")
    before = _before(project, inputs)
    adviser = parts.adviser(source, project, state)
    adviser.found.update({one.id: one for one in before})
    log = Log(project, state, adviser, len(before))
    log.write()
    for candidate in _watched(adviser, args, project, teller):
        release = parts.last(adviser)
        if release is not None:
            project.write_result(f"previews/{candidate.id}", parts.beside(source, release, look))
        log.write()
        teller.fresh()
    log.write(ended=True)


def _before(project: Project, inputs: str) -> list[Candidate]:
    """Candidates of the very same decisions; any others are forgotten."""
    advice = project.result("advice")
    if advice is None or advice["inputs"] != inputs:
        for folder in (FOLDER, "previews", "attacks", "audits", "joint"):
            project.forget(folder)
        return []
    return [candidate_of(one) for one in project.results(FOLDER)]


def _watched(
    adviser: Adviser, args: Mapping[str, Any], project: Project, teller: Teller
) -> Iterator[Candidate]:
    """The candidates, with the share of the time that is spent told."""
    seconds = float(args["seconds"])
    begun = time.monotonic()
    teller.progress(0.0, MAKING)
    for candidate in _made(adviser, args, project, seconds):
        yield candidate
        with meter(MAKING, None):
            teller.progress(min(1.0, (time.monotonic() - begun) / seconds), MAKING)


def _made(
    adviser: Adviser, args: Mapping[str, Any], project: Project, seconds: float
) -> Iterator[Candidate]:
    if not args.get("near"):
        return adviser.steps(seconds=seconds)
    near = project.result(f"{FOLDER}/{args['near']}")
    assert near is not None, "the page offers only candidates that are there"
    column = args.get("column") or None
    return adviser.near(candidate_of(near), args["wish"], column=column, seconds=seconds)


class Log:
    """What was found so far, as files: a candidate each, and what is common to them."""

    def __init__(
        self, project: Project, state: ProjectState, adviser: Adviser, before: int
    ) -> None:
        self._project, self._adviser = project, adviser
        self._inputs = state.inputs("candidates")
        self._order = {one["id"]: int(one["order"]) for one in project.results(FOLDER) if before}
        self._told: dict[str, dict[str, Any]] = {}

    def write(self, *, ended: bool = False) -> None:
        """Write the candidates that changed, then the advice."""
        advice = self._adviser.advice()
        for one in advice.candidates:
            order = self._order.setdefault(one.id, len(self._order))
            told = {**one.as_json(), "order": order}
            if self._told.get(one.id) != told:
                self._project.write_result(f"{FOLDER}/{one.id}", told)
                self._told[one.id] = told
        data = advice.as_json()
        del data["candidates"]
        words = [[text.en, text.ja] for text in advice.settings.words()]
        budget = advice.budget.words()
        data |= {"inputs": self._inputs, "ended": ended, "settings_words": words}
        data |= {"budget_words": [budget.en, budget.ja]}
        self._project.write_result("advice", data)


def candidate_of(data: Mapping[str, Any]) -> Candidate:
    """The candidate that was written."""
    given = dict(data["figures"])
    for name in ("known", "everything"):
        found = given[name]
        given[name] = found and Found(**{key: found[key] for key in found if key != "share"})
    return Candidate(
        data["id"],
        Request.from_json(data["request"]),
        Figures(**given),
        Text(data["reason_en"], data["reason_ja"]),
        Text(data["title_en"], data["title_ja"]),
        data["counted"],
        data["on_front"],
        data["near"],
    )


def opened(project: Project) -> tuple[ProjectState, dict[str, Any], StudioKind, Any]:
    """State, look, kind and source of a project."""
    state, look = project.state(), project.result("look")
    assert look is not None, "no job begins before the file was looked at"
    kind = kind_of(state)
    return state, look, kind, kind.load(project, state, look)


def candidate_request(project: Project, id: str) -> Request:
    """What a candidate's release is made of."""
    found = project.result(f"candidates/{id}")
    if found is None:
        raise NotFound
    return Request.from_json(found["request"])


def show_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Make the candidates' releases and keep some rows of each, masked."""
    state, look, parts, source = opened(project)
    adviser = parts.adviser(source, project, state)
    with meter(Text("showing rows", "行を表示しています"), len(args["ids"])) as advance:
        for id in args["ids"]:
            release = adviser.release(candidate_request(project, id))
            project.write_result(f"previews/{id}", parts.beside(source, release, look))
            advance(1)
            teller.fresh()
