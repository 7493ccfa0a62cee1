"""What a kind of data provides for contests: reading, checking and scoring uploads.

    class RatingsJudge(FormatJudge[Ratings, Pairs]): ...
    RATINGS = DataKind(…, judges={"ratings": LazyObject("ratings.judge", "RatingsJudge")})

The contest unpacks uploads, checks the organiser's rules, builds measures and attacks by name, and
makes one card of the figures. All that depends on the format is here. A kind without a judge of
its own gets that of `kind_defaults/judge.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from tokumei.core.data_kind import DataKind
from tokumei.core.described import Described
from tokumei.core.errors import Violation
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.core.workflow import Challenge, run_attack

if TYPE_CHECKING:
    from tokumei.files.atomic_write import Output

ParsedRelease = TypeVar("ParsedRelease")
ParsedGuess = TypeVar("ParsedGuess")
FULL_KNOWLEDGE = "1"
"""The name of knowledge that is all of the original."""


class FormatOptions(BaseModel):
    """The keys of `schema` in contest.yaml; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, eq=False)
class ContestTerms:
    """The settings that a contest gives to the judge of its format.

    `data` are its files by what they are, `options` its `schema`, `knowledge` the shares that
    attackers know, `gate` the parameters of the test that shows a release unsafe.
    """

    kind: DataKind
    format: str
    data: Mapping[str, Path]
    options: Any
    knowledge: Sequence[float] = ()
    seed: int = 1
    gate: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FileSizeLimit:
    """The most that a file may have: lines, and bytes in a line."""

    lines: int
    line_bytes: int = 10_000


@dataclass(frozen=True, eq=False)
class AcceptedRelease(Generic[ParsedRelease]):
    """A release that broke no rule of its format: its rows as text, and as the format sees them.

    `seen` is what is published as rules take it, `truth` who is who; both made when first needed.
    """

    aligned: Any = field(repr=False)
    made: ParsedRelease = field(repr=False)
    _make_public: Callable[[], object] = field(repr=False)
    _make_truth: Callable[[], object] = field(repr=False)

    @cached_property
    def seen(self) -> Any:
        """S as the library's rules and attacks take it."""
        return self._make_public()

    @cached_property
    def truth(self) -> Any:
        """The answer that an attack is scored against."""
        return self._make_truth()


@dataclass(frozen=True)
class AttackOutcome:
    """Success of an attack or a guess from 0 to 1, and whether it shows the release unsafe."""

    value: float
    unsafe: bool = False
    figures: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class SampleData:
    """Generated files of a contest by what they are (outputs with bare names), and its `schema`."""

    files: Mapping[str, Output]
    schema: Mapping[str, Sequence[str]] = field(default_factory=dict)


class FormatJudge(ABC, Generic[ParsedRelease, ParsedGuess]):
    """The part of a contest's judge that depends on the format, with its data loaded."""

    files: ClassVar[tuple[str, ...]] = ("original",)
    """Keys of `data` that a contest of this format needs."""
    draws_knowledge: ClassVar[bool] = False
    """Whether `knowledge` says what attackers know, and files `known-…` may hold it."""
    options: ClassVar[type[FormatOptions]] = FormatOptions
    rules: ClassVar[Mapping[str, type[object]]] = {}
    """Rules beyond the kind's registry that a contest of this format may name."""
    own_figures: ClassVar[tuple[str, ...]] = ()
    """Utility figures that are no registered measures."""
    takes_own_methods: ClassVar[bool] = True
    """Whether measures and attacks of the organiser's Python file can be used."""
    player: ClassVar[str | None] = None
    """The module that plays this format for bots (`core/format_judge.py`), if there is one."""
    upload_files: tuple[str, ...] = ("A.csv",)
    """Names of the files of an upload (several come as one zip)."""
    upload_besides: tuple[str, ...] = ()
    """Names of further files that its zip may hold."""
    default_utility: Sequence[str] = ()
    default_attacks: Sequence[str] = ()

    def __init__(self, terms: ContestTerms) -> None:
        self.terms = terms

    @classmethod
    @abstractmethod
    def sample(
        cls, terms: ContestTerms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """Data to begin with; of the terms, the knowledge counts."""

    @property
    @abstractmethod
    def source(self) -> object:
        """The original, as rules get it."""

    @property
    @abstractmethod
    def size(self) -> FileSizeLimit:
        """The most that a release's file may have."""

    def unchanged(self) -> AcceptedRelease[ParsedRelease] | None:
        """The original as if it had been released, to try rules on; None if it cannot be."""
        return None

    @abstractmethod
    def read(
        self, texts: Mapping[str, bytes]
    ) -> tuple[AcceptedRelease[ParsedRelease] | None, list[Violation]]:
        """The release in the texts of an upload, and what breaks the format's rules."""

    @abstractmethod
    def outputs(self, sound: AcceptedRelease[ParsedRelease]) -> tuple[bytes, bytes]:
        """S and the truth, as files."""

    @abstractmethod
    def utility(
        self, sound: AcceptedRelease[ParsedRelease], measures: Mapping[str, Described]
    ) -> dict[str, float]:
        """The values of the measures by name, and the format's own figures."""

    def challenges(
        self, sound: AcceptedRelease[ParsedRelease]
    ) -> Mapping[str, Challenge[Any, Any]]:
        """The challenges to attackers by their knowledge; empty: nothing can be attacked."""
        return {}

    def found(self, sound: AcceptedRelease[ParsedRelease], answer: Any) -> AttackOutcome:
        """How much of the truth an attack's answer found."""
        raise NotImplementedError

    def recognised(self, sound: AcceptedRelease[ParsedRelease]) -> float | None:
        """The share of people whom values alone show, whatever the truth claims; None: not told."""
        return None

    @abstractmethod
    def guess_files(self) -> Sequence[str]:
        """The names of the files a guess is made of (several come as one zip)."""

    @abstractmethod
    def guess_size(self, public: bytes) -> FileSizeLimit:
        """The most that a file of a guess may have."""

    @abstractmethod
    def read_guess(
        self, public: bytes, texts: Mapping[str, bytes]
    ) -> tuple[ParsedGuess | None, list[Violation]]:
        """The answer in the texts of an upload, and what breaks the rules."""

    @abstractmethod
    def score(self, public: bytes, truth: bytes, answer: ParsedGuess) -> AttackOutcome:
        """Score an answer."""

    def scales(self) -> Mapping[str, float]:
        """Divisors of measures, applied before they are combined."""
        return {}

    def further(self, sound: AcceptedRelease[ParsedRelease]) -> JsonObject:
        """Further figures to show."""
        return {}

    def attacked(
        self, sound: AcceptedRelease[ParsedRelease], attackers: Mapping[str, Described]
    ) -> dict[str, dict[str, AttackOutcome]]:
        """Run every attack with each amount of knowledge, and score its answers."""
        challenges, rng = self.challenges(sound), Randomness(self.terms.seed)
        if not challenges:
            return {}
        return {
            name: {
                knowledge: self.found(sound, run_attack(challenge, name, attackers[name], rng=rng))
                for knowledge, challenge in challenges.items()
            }
            for name in track_progress(list(attackers), Message("attacks"))
        }


def knowledge_file_key(alpha: float) -> str:
    """The key of the file with the knowledge of a share of the rows."""
    return f"known-{alpha:g}"


MethodParameters = Mapping[str, object]


@dataclass(frozen=True)
class BotTeam:
    """A team: its name, its captain, its releases (the last is published), its attack."""

    name: str
    captain: str
    releases: tuple[MethodParameters, ...]
    attack: str
    careless: bool = False
    """Whether its first upload breaks rules."""


class BotPlayer(Protocol):
    """The module of a kind that plays contests of one format (`FormatJudge.player`)."""

    TEAMS: Sequence[BotTeam]

    def read_source(self, folder: Path) -> object:
        """The original in a folder of the contest's files."""

    def made_release(self, source: Any, parameters: MethodParameters, *, seed: int) -> bytes:
        """A release as a file to upload."""

    def with_faults(self, release: bytes, source: Any) -> bytes:
        """The release of somebody in a hurry, which breaks several rules."""

    def made_guess(self, folder: Path, public: Path, *, name: str, method: str, seed: int) -> bytes:
        """The file of this name in a guess about a public file, by an attack's name."""
