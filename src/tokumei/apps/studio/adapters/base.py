"""Base class of the studio's adapters; no other module of the studio depends on the kind.

    kind = kind_of(state)
    kind.recipe(state, look, request, "customers.csv")      # pages, the drawer, jobs
    kind.attacked(source, release)                          # jobs

Pages ask for words, names and parts of recipes; what reads data is asked for by jobs alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar

from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import (
    CandidateRecord,
    PlainData,
    ProfileRecord,
    RequestRecord,
)
from tokumei.core.lazy_imports import load_object
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.assessment.assessment import Assessment
    from tokumei.core.advice.advice import Wish
    from tokumei.core.advice.adviser import Adviser, Proposal
    from tokumei.core.advice.request import Request
    from tokumei.core.recipe import Experiment
    from tokumei.core.scenario import Scenario
    from tokumei.files.atomic_write import Output

ADAPTER_CLASSES = {
    "tables": "tokumei.apps.studio.adapters.tables:TablesAdapter",
    "histories": "tokumei.apps.studio.adapters.histories:HistoriesAdapter",
    "pseudonyms": "tokumei.apps.studio.adapters.pseudonyms:PseudonymsAdapter",
}
"""All kinds, in the order in which they are offered."""
COMPARISON_SEED = 1
"""Candidates are compared under the same draws; a release has a key of its own."""
RELEASE_NAME = "release"
Source = TypeVar("Source")
Released = TypeVar("Released")


class StudioAdapter(ABC, Generic[Source, Released]):
    """One kind of data in the studio: what a project reads, and what it releases."""

    title: ClassVar[Message]
    """The kind's name on the page Look."""
    parts: ClassVar[Mapping[str, Message]] = {}
    """The parts that columns are chosen for; none: every column has a role of its own."""
    asks: ClassVar[frozenset[str]] = frozenset()
    """Which questions of the page Purpose make sense: known, predict, tables, models."""
    wishes: ClassVar[frozenset[Wish]] = frozenset({"safer", "more detail"})
    curve: ClassVar[str] = ""
    """The parameter whose curve joins candidates of one method; none: the front is drawn."""
    curve_label: ClassVar[Message] = Message.verbatim("")
    """The label of a point of the curve, with {value} for the parameter."""
    remedies: ClassVar[frozenset[str]] = frozenset({"scenario"})
    """The measured remedies of which candidates can be made."""
    records: ClassVar[bool] = False
    """Whether releases can be recorded in a ledger."""
    audits: ClassVar[bool] = False
    """Whether people can be held out to audit what a release tells."""

    # What pages show.

    @abstractmethod
    def purpose_columns(self, state: ProjectState) -> list[str]:
        """The columns that a purpose may name."""

    @abstractmethod
    def usual(self, state: ProjectState) -> set[str]:
        """The columns of a purpose that others commonly know."""

    def people(self, state: ProjectState) -> list[str]:
        """The columns that may name people in a ledger, the likeliest first; none: it is known."""
        return []

    def knows(self, candidate: CandidateRecord) -> Message:
        """The knowledge of the attacker who counts for a candidate."""
        if candidate["counted"] == "everything":
            return Message("every public column")
        return Message("the ticked columns")

    def loss_title(self, name: str) -> Message:
        """The title of a part of the loss: a column's own name."""
        return Message.verbatim(name)

    # The same without the studio.

    @abstractmethod
    def recipe_source(self, state: ProjectState, look: ProfileRecord, file: str) -> PlainData:
        """The part of a recipe that names the data, with its key."""

    @abstractmethod
    def recipe(
        self, state: ProjectState, look: ProfileRecord, request: RequestRecord, file: str
    ) -> PlainData:
        """A recipe that makes, attacks and measures the release of a request."""

    @abstractmethod
    def advise_command(self, state: ProjectState, options: list[str]) -> list[str]:
        """The command that gives the advice; `options` are the purpose's."""

    def python_imports(self) -> list[str]:
        """Further imports of the Python lines."""
        return []

    @abstractmethod
    def advise_python(self, state: ProjectState) -> tuple[str, str]:
        """The source of `tk.advise` and its further arguments."""

    @abstractmethod
    def anonymize_command(self, state: ProjectState, request: RequestRecord) -> list[str]:
        """`tokumei anonymize …` up to the method."""

    @abstractmethod
    def anonymize_python(self, state: ProjectState, request: RequestRecord) -> list[str]:
        """Lines that read the source and make `release`."""

    def record_python(self, state: ProjectState) -> str:
        """Further arguments of `tk.save` when a ledger records the release."""
        return ""

    # What jobs do.

    @abstractmethod
    def load(self, project: Project, state: ProjectState, look: ProfileRecord) -> Source:
        """Read the source as a recipe would."""

    def rows(self, source: Source, release: Released) -> object:
        """The data behind a release, for the ledger."""
        return source

    @abstractmethod
    def adviser(self, source: Source, project: Project, state: ProjectState) -> Adviser:
        """The adviser, which proposes candidates."""

    @abstractmethod
    def last(self, adviser: Adviser) -> Released | None:
        """The release of the candidate that was measured just now, if it is still there."""

    @abstractmethod
    def beside(self, source: Source, release: Released, look: ProfileRecord) -> PlainData:
        """First rows before and after, private cells as shapes."""

    def assess(
        self, source: Source, release: Released, scenario: Scenario, *, remedies: bool
    ) -> Assessment | None:
        """The assessment of a release under a scenario; None: this kind has none yet."""
        return None

    def released(self, experiment: Experiment) -> Released | None:
        """The release of a recipe that says itself nothing to be assessed."""
        return None

    def list_exposed(self, source: Source, release: Released) -> list[dict[str, object]]:
        """The rows that stand out most, as published, and why."""
        return []

    def propose_remedy(
        self, adviser: Adviser, request: Request, action: str, parameters: Mapping[str, object]
    ) -> list[Proposal]:
        """Requests near another that do what a remedy says; none: it is for another method."""
        return []

    def propose_fitting(
        self, adviser: Adviser, request: Request, scenario: Scenario
    ) -> list[Proposal]:
        """Requests that may fit a scenario where nothing else did."""
        return []

    def audited(
        self, source: Source, project: Project, state: ProjectState, request: Request
    ) -> PlainData:
        """Compare attacks on people in a release like this with attacks on people held out."""
        raise NotImplementedError

    def recipe_file(self, project: Project) -> Path:
        """The file that a recipe reads."""
        return project.source

    def extra_outputs(self, project: Project, folder: Path) -> Sequence[Output]:
        """Further files of a release in its folder, not yet written."""
        return []


LoadedAdapter: TypeAlias = StudioAdapter[object, object]
"""An adapter by name: what it loads and releases is handed to nobody but this adapter."""


@cache
def load_adapter(name: str) -> LoadedAdapter:
    """A kind by its name."""
    adapter: LoadedAdapter = load_object(ADAPTER_CLASSES[name])()
    return adapter


def adapter_for(state: ProjectState) -> LoadedAdapter:
    """The kind of a project."""
    return load_adapter(state.kind)


def all_adapters() -> dict[str, LoadedAdapter]:
    """Every kind, by name."""
    return {name: load_adapter(name) for name in ADAPTER_CLASSES}
