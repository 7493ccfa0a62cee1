"""`DataKind`: describes a kind of data such as tables, histories or pseudonyms over time.

    kind = kinds.kind_of(source)
    kind.flow.anonymize(source, "rank-match", seed=1, k=6)

The command line, recipes, sweeps, the contest's judge and conformity use only `DataKind` and never
ask which kind it is. A kind is a folder whose `kind.py` makes this one object, and a line in
`tokumei/kinds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, Protocol, TypeAlias

from tokumei.core.command import CommandSpec
from tokumei.core.described import Anonymizer, Attacker, ClaimCheck, Described
from tokumei.core.errors import UsageError, Violation
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.measure import Measure
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.registry import Layout, Registry

if TYPE_CHECKING:
    import polars as pl

    from tokumei.core.advice.adviser import Adviser
    from tokumei.core.advice.purpose import Purpose
    from tokumei.core.conformity_case import CaseFiles, Dossier
    from tokumei.core.format_judge import FormatJudge
    from tokumei.core.recipe import Recipe
    from tokumei.core.sweep import Trial
    from tokumei.files.atomic_write import Output
    from tokumei.ledger.contribution import Contribution

    JudgeClass: TypeAlias = type[FormatJudge[Any, Any]]


class Release(Protocol):
    """A release of any kind, with its claims and its provenance."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims about the public part."""

    @property
    def provenance(self) -> Provenance:
        """How the release came about."""

    def manifest(self) -> Mapping[str, object]:
        """The public description: no secret, no raw value."""


@dataclass(frozen=True, kw_only=True)
class KindServices:
    """The functions that every kind of data has; a kind may take further options.

    `trial` has what can be swept, `points` what has purchases, `read` what can be read from frames.
    """

    anonymize: Callable[Concatenate[Any, Any, ...], Release]
    """(source, method, *, seed, sha256, …): a release that nobody has verified yet."""
    faults: Callable[[Any], list[Violation]]
    """(release): violations of its claims, recomputed from what will be published."""
    outputs: Callable[Concatenate[Any, Any, ...], Sequence[Output]]
    """(release, public, *, secret, …): the files of a release, not yet written."""
    attack: Callable[Concatenate[Any, Any, ...], dict[str, Any]]
    """(original, release, *, methods, params, seed, …): how much each attack finds."""
    measure: Callable[Concatenate[Any, Any, ...], dict[str, Any]]
    """(original, release, *, methods, params, …): what the release is still good for."""
    sample: Callable[Concatenate[int, ...], Any]
    """(rows, *, seed, …): look-alike data of exactly so many rows."""
    read: Callable[[Any, str, Mapping[str, object]], Any] | None = None
    """(source, format, options): the data in a file or a frame of a layout."""
    trial: Callable[Concatenate[Any, str, Sequence[Any], ...], Trial] | None = None
    """(source, method, values, *, parameter, params, …): what a sweep does with each value."""
    points: Callable[[Any], pl.DataFrame] | None = None
    """(source): customer, day and what else there is, a row per purchase."""


class MakeContribution(Protocol):
    """Builds the contribution of a release to the ledger: what it reveals of each person."""

    def __call__(self, release: Any, source: Any, ids: Any, /) -> Contribution:
        """Names, classes and cells; `ids` names the people of the source."""


class MakeAdviser(Protocol):
    """Builds the adviser of a source; the options are the kind's own."""

    def __call__(self, source: Any, purpose: Purpose, *, seed: int | None) -> Adviser:
        """The adviser, which proposes and evaluates candidates."""


class MakeAssessment(Protocol):
    """Assesses a release under a scenario; the options are the kind's own."""

    def __call__(
        self, original: Any, release: Any, *, link: Any, scenario: Any, remedies: bool
    ) -> Any:
        """The assessment, the same document for every kind (`tokumei.assessment`)."""


class MakeDossier(Protocol):
    """Reads the files of a release for a conformity report."""

    def __call__(self, files: CaseFiles, *, seed: int) -> Dossier:
        """The rows with what is where in them, and what attacks found."""


def _default_command(name: str) -> CommandSpec:
    return CommandSpec(LazyObject("tokumei.kind_defaults.commands", name))


DEFAULT_COMMANDS: Mapping[str, CommandSpec] = {
    "sample": _default_command("SampleCommand"),
    "anonymize": _default_command("AnonymizeCommand"),
    "attack": _default_command("AttackCommand"),
    "check": _default_command("CheckCommand"),
    "measure utility": _default_command("MeasureCommand"),
}
"""The commands of a kind that names none: made from its registries, layouts and services."""
EVERY_FORMAT = "*"
"""In `DataKind.judges`: the judge of all formats of the kind."""
DEFAULT_JUDGES: Mapping[str, LazyObject[JudgeClass]] = {
    EVERY_FORMAT: LazyObject("tokumei.kind_defaults.judge", "DefaultJudge")
}
DEFAULT_RECIPE: LazyObject[type[Recipe]] = LazyObject(
    "tokumei.kind_defaults.recipe", "DefaultRecipe"
)


@dataclass(frozen=True, kw_only=True)
class DataKind:
    """A kind of data: its names, registries, commands and services.

    `noun` is the word of the command line (`tokumei anonymize table`); kinds may share one, their
    formats then tell them apart. `home` is its package, where its file `demo.yaml` stands. Whatever
    takes time to import is a `LazyObject`: `services` does the work, `sources` are the classes of
    its data and releases, `commands` those of its commands, `recipe_class` that of its recipes
    (`recipe_key` is the key of its data there, else its name). `judges` (`core/format_judge.py`)
    and `conformity` (`core/conformity_case.py`) say, by format, what contests and conformity
    reports take; `make_contribution`, what the release ledger does; `make_adviser`, what gives
    advice; `make_assessment`, what judges a release.
    """

    name: str
    noun: str
    title: Message
    home: str
    services: LazyObject[KindServices]
    anonymizers: Registry[Anonymizer]
    attackers: Registry[Attacker]
    measures: Registry[Measure[Any]]
    claim_checks: Registry[ClaimCheck[Any]]
    formats: Registry[Layout[Any]]
    sources: tuple[LazyObject[type[object]], ...] = ()
    commands: Mapping[str, CommandSpec] = field(default_factory=lambda: DEFAULT_COMMANDS)
    recipe_key: str = ""
    recipe_class: LazyObject[type[Recipe]] = DEFAULT_RECIPE
    judges: Mapping[str, LazyObject[JudgeClass]] = field(default_factory=lambda: DEFAULT_JUDGES)
    conformity: Mapping[str, LazyObject[MakeDossier]] = field(default_factory=dict)
    make_contribution: LazyObject[MakeContribution] | None = None
    make_adviser: LazyObject[MakeAdviser] | None = None
    make_assessment: LazyObject[MakeAssessment] | None = None

    def contribution(self, release: object, source: object, ids: object) -> Contribution:
        """Build the ledger's record of what a release reveals of each person."""
        if self.make_contribution is None:
            raise UsageError(
                "{title}: such releases cannot be recorded in a ledger", title=self.title
            )
        return self.make_contribution.load()(release, source, ids)

    def adviser(
        self, source: object, purpose: Purpose, *, seed: int | None, **options: object
    ) -> Adviser:
        """Build the adviser of a source."""
        if self.make_adviser is None:
            raise UsageError("{title}: there is no advice on such data yet", title=self.title)
        return self.make_adviser.load()(source, purpose, seed=seed, **options)

    @property
    def key(self) -> str:
        """The key of its data in a recipe."""
        return self.recipe_key or self.name

    def recipe(self) -> type[Recipe]:
        """The class of its recipes, loaded when first needed."""
        return self.recipe_class.load().for_kind(self)

    @property
    def flow(self) -> KindServices:
        """The work itself, loaded when first needed."""
        return self.services.load()

    def format_judges(self) -> dict[str, LazyObject[JudgeClass]]:
        """The judges of contests, by format."""
        every = self.judges.get(EVERY_FORMAT)
        judges = {} if every is None else dict.fromkeys(self.formats.names(), every)
        return judges | {name: judge for name, judge in self.judges.items() if name != EVERY_FORMAT}

    @property
    def registries(self) -> dict[str, Registry[Described]]:
        """Everything that has a name, by the word for it."""
        return {
            "anonymizers": self.anonymizers,
            "attackers": self.attackers,
            "measures": self.measures,
            "rules": self.claim_checks,
        }

    def formats_of(self, command: CommandSpec) -> Sequence[str]:
        """The formats that a command of this kind takes."""
        return command.formats or self.formats.names()

    def owns(self, thing: object) -> bool:
        """Whether some data, or a release, is of this kind."""
        classes = type(thing).mro()
        return any(
            source.stands_for(base_class) for source in self.sources for base_class in classes
        )
