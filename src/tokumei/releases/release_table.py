"""The service behind `tokumei release` and `tk.release`.

prepared = prepare_release(ReleaseTable(table=TableRequest(data="people.csv")))
prepared.fits, prepared.assessment, prepared.questions
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import randbits
from typing import Any

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.assessment import Assessment
from tokumei.core.errors import ClaimError, InputError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.core.recipe import derive_seed
from tokumei.core.scenario import Scenario
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.frame_roundtrip import NativeFrameType
from tokumei.releases.column_decisions import (
    ColumnDecisions,
    decide_columns,
    recode_doubtful,
)
from tokumei.releases.questions import ReleaseQuestion, build_questions
from tokumei.releases.request import ReleaseTable
from tokumei.releases.search import KEEP_WEIGHT, ReleaseSearch
from tokumei.releases.trial import Trial
from tokumei.tables.advice.table_source import TableSource
from tokumei.tables.anonymization.column_disclosure import NO_PERSON
from tokumei.tables.data.table import Release
from tokumei.tables.services.advise import read_advice_source, take_advice_source

KEY_BITS = 256


@dataclass(frozen=True, eq=False)
class OpenedSource:
    """A table that was read and profiled, what was said of it before, and its digest."""

    source: TableSource = field(repr=False)
    said: Mapping[str, str]
    sha256: str | None
    native: NativeFrameType
    """The library that the frame was of."""


@dataclass(frozen=True, eq=False)
class PreparedRelease:
    """The best release that was found, its assessment, and all candidates; nothing is written."""

    request: ReleaseTable
    source: TableSource = field(repr=False)
    decisions: ColumnDecisions = field(repr=False)
    questions: tuple[ReleaseQuestion, ...]
    trials: tuple[Trial, ...] = field(repr=False)
    assessment: Assessment
    key: int = field(repr=False)
    native: NativeFrameType = field(repr=False)

    @property
    def best(self) -> Trial:
        """The candidate that fits best."""
        return self.trials[0]

    @property
    def release(self) -> Release:
        """The release, verified."""
        return self.best.released.release

    @property
    def frame(self) -> Any:
        """The released rows, as a frame of the library that the source's frame was of."""
        return self.native.give(self.release.public.frame)

    @property
    def fits(self) -> bool:
        """Whether it fits the scenario."""
        return self.assessment.verdict.word == "fits"

    @property
    def notes(self) -> list[Message]:
        """How the table was read."""
        return list(dict.fromkeys((*self.source.notes, *self.best.released.notes)))


def open_source(request: ReleaseTable, frame: object | None = None) -> OpenedSource:
    """Read and profile the table of a request; cells that do not parse become gaps, and count."""
    if frame is None:
        source, said = read_advice_source(request.table)
        sha256 = sha256_of_file(request.table.data)
    else:
        source, said, sha256 = take_advice_source(frame, request.table), {}, None
    if not source.table.rows:
        raise InputError("{data}: no row has a cell", data=request.table.data)
    if request.table.person not in (None, NO_PERSON):
        source.table.schema.require([str(request.table.person)])
    native = NativeFrameType.of(frame)
    return OpenedSource(source.with_unreadable_as_missing(), said, sha256, native)


def list_questions(opened: OpenedSource, request: ReleaseTable) -> list[ReleaseQuestion]:
    """What only the owner can answer, as far as the request leaves it open."""
    decisions = decide_columns(opened.source, request, opened.said)
    return build_questions(opened.source, decisions, request)


def prepare_release(
    request: ReleaseTable,
    frame: object | None = None,
    *,
    opened: OpenedSource | None = None,
    questions: tuple[ReleaseQuestion, ...] | None = None,
) -> PreparedRelease:
    """Search the release that fits and keeps most, and assess it.

    `opened`: the table, if it was read before; `questions`: those that were asked.
    """
    opened = open_source(request, frame) if opened is None else opened
    key = randbits(KEY_BITS) if request.key is None else request.key
    refused = dict[str, Message]()
    decisions = decide_columns(opened.source, request, opened.said)
    found = _search(opened, request, key, refused) if decisions.leaving else None
    if found is not None:
        decisions = found.decisions
    if questions is None:
        questions = tuple(build_questions(opened.source, decisions, request))
    in_doubt = recode_doubtful(request, decisions)
    if in_doubt is not None:
        recoded = _search(opened, in_doubt, key, refused)
        if found is None or recoded.trials[0].preference > found.trials[0].preference:
            found = recoded
            questions = tuple(question.with_recoded(in_doubt) for question in questions)
    if found is None:
        raise ClaimError(
            "no column would leave: name those that may with {option}",
            field="passed",
            option=field_name("passed"),
        )
    best = found.trials[0]
    assessment = assess_opened(best.opened, found.scenario, attackers=best.attackers)
    return PreparedRelease(
        request,
        opened.source,
        found.decisions,
        questions,
        found.trials,
        assessment,
        key,
        opened.native,
    )


@dataclass(frozen=True, eq=False)
class _Found:
    """The candidates of one way to decide about the columns."""

    decisions: ColumnDecisions
    scenario: Scenario
    trials: tuple[Trial, ...]


def _search(
    opened: OpenedSource, request: ReleaseTable, key: int, refused: dict[str, Message]
) -> _Found:
    """Search; what the release gate finds in a column drops it, and is added to `refused`."""
    while True:
        try:
            return _search_once(opened, request, key, refused)
        except ClaimError as error:
            found = {
                fault.column: fault.message
                for fault in error.faults
                if fault.rule == "unconsented-cells" and fault.column is not None
            }
            if not found or found.keys() <= refused.keys():
                raise
            refused |= found


def _search_once(
    opened: OpenedSource, request: ReleaseTable, key: int, refused: Mapping[str, Message]
) -> _Found:
    decisions = decide_columns(opened.source, request, opened.said, refused)
    scenario = build_scenario(request, decisions)
    search = ReleaseSearch(
        opened.source, decisions, scenario, derive_seed(key, "release", 0), opened.sha256
    )
    return _Found(decisions, scenario, tuple(search.run()))


def build_scenario(request: ReleaseTable, decisions: ColumnDecisions) -> Scenario:
    """The scenario that the release is searched for and judged by."""
    knows = None if request.recipient == "public" else decisions.knowledge
    return Scenario.for_recipient(
        request.recipient,
        knows=knows,
        person=decisions.person,
        keep=dict.fromkeys(request.keep, KEEP_WEIGHT),
    )
