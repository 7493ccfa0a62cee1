"""Types of a project's result files and of its jobs' arguments: plain JSON data.

Records name the keys that code reads; pages may show further ones.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from tokumei.core.advice.advice import Wish

SentenceTexts = dict[str, str]
"""A sentence by language: what `Message.texts` gives and `Message.of_texts` takes."""
PlainData = dict[str, object]
"""Plain data of a recipe, or of a result that code writes and pages show."""


class PersonRecord(TypedDict):
    """The column that tells people apart, and how many there are."""

    column: str
    people: int


class ColumnRecord(TypedDict):
    """The profile of a column; the values of a masked one are not shown."""

    name: str
    kind: str
    masked: bool
    bins: list[int]
    question: dict[str, object] | None


class NormalizationRecord(TypedDict):
    """A rule of reading cells, and what it touches."""

    rule: str
    words: SentenceTexts
    cells: int
    columns: list[str]


class DialectRecord(TypedDict):
    """How the file is written; a plain one is understood by a strict reader."""

    sheet: str | None
    header_row: int
    plain: bool
    encoding: str
    sep: str | None
    sheets: list[str]
    doubts: list[SentenceTexts]


class ProfileRecord(TypedDict):
    """The profile of the source file; `first` are cells of its first rows."""

    inputs: str
    person: PersonRecord | None
    columns: list[ColumnRecord]
    first: list[list[object]]
    rules: list[NormalizationRecord]
    dialect: DialectRecord


class RequestRecord(TypedDict):
    """The request of a candidate; a step has a method by its key `method`, and parameters."""

    kind: str
    steps: list[PlainData]
    columns: dict[str, str]
    consent: list[str]


class EstimateRecord(TypedDict):
    """How many people an attack finds."""

    people: float


class FiguresRecord(TypedDict):
    """The figures of a candidate, as `core.advice.candidate.Figures` writes them."""

    loss: float
    smallest: int
    rows_kept: float
    people: int
    estimate: float | None
    known: EstimateRecord | None
    everything: EstimateRecord | None
    more: dict[str, float | None]


class CandidateRecord(TypedDict):
    """A candidate, as `core.advice.candidate.Candidate` writes it, and when it was found.

    Its title and reason stand under `title_en`, `reason_en` and so on: `Message.of_json`.
    """

    id: str
    on_front: bool
    counted: Literal["known", "everything"]
    near: str | None
    request: RequestRecord
    figures: FiguresRecord
    order: int


class AdviceRecord(TypedDict):
    """The part of the advice that all candidates share."""

    inputs: str
    ended: bool
    budget: dict[str, Any]


class AssessmentRecord(TypedDict):
    """The assessment of a release as pages show it, and the decisions it rests on.

    `document` is what `Assessment.to_dict` gives; None: this kind of data is not assessed.
    `sentence` is the verdict; `names` are the attackers of the document, in its order, `bound`
    the one who holds the whole original. `full`: remedies were measured.
    """

    inputs: str
    document: dict[str, Any] | None
    sentence: SentenceTexts
    names: list[SentenceTexts]
    bound: SentenceTexts
    page: dict[str, str]
    full: bool
    exposed: list[dict[str, object]]


class NearRecord(TypedDict):
    """What a search near a candidate brought: by `ids`, those that were not there before."""

    near: str
    wish: str
    ids: list[str]
    ended: bool


class FileRecord(TypedDict):
    """A file of a release, and who may read it."""

    path: str
    reader: str
    about: SentenceTexts
    size: int


class ReleasedRecord(TypedDict):
    """The release that was written, and its line in a ledger."""

    folder: str
    candidate: str
    inputs: str
    files: list[FileRecord]
    recorded: dict[str, str] | None
    assessment: AssessmentRecord
    anyway: str


class TreeRecord(TypedDict):
    """The hierarchy of a column, and how often its values stand in the file."""

    rows: list[list[str]]
    counts: dict[str, int]


class ErrorRecord(TypedDict):
    """Why a job failed, and its problems one by one."""

    message: SentenceTexts
    faults: list[SentenceTexts]


class WorkerMessage(TypedDict, total=False):
    """A line of a worker: its progress, or why it failed."""

    share: float | None
    words: SentenceTexts
    error: ErrorRecord


class JobArguments(TypedDict, total=False):
    """The arguments of a job, by the jobs that take them."""

    id: str
    ids: list[str]
    inputs: str
    seconds: float
    near: str
    wish: Wish
    column: str | None
    remedy: PlainData | None
    anyway: str
    number: int
    how: str
    value: str
    folder: str
    resume: bool
    reading: dict[str, str | int]
