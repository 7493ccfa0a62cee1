"""What a kind of data is: tables, histories, pseudonyms over time, and whatever comes next.

    kind = kinds.kind_of(source)
    kind.flow.anonymize(source, "rank-match", seed=1, k=6)

The command line, recipes, sweeps, the contest's judge and conformity know only `Kind`, never which
one. A kind is a folder whose `kind.py` makes this one object, and a line in `tokumei/kinds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from tokumei.core.ask import Verb
from tokumei.core.errors import Fault, UsageError
from tokumei.core.lazy import load
from tokumei.core.registry import Registry
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.core.recipe import Recipe


class Release(Protocol):
    """What leaves the building, whatever its kind, with what is claimed of it and how it came."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of the public part."""

    @property
    def provenance(self) -> Provenance:
        """How the release came about."""

    def manifest(self) -> Mapping[str, Any]:
        """The public description: no secret, no raw value."""


class Flow(Protocol):
    """The module of a kind that does the work.

    Six functions are there whatever the kind: `anonymize`, `faults`, `outputs`, `attack`, `measure`
    and `sample`. `trial` has what can be swept, `points` what has purchases, `read` what frames
    can be read as, too. Their options beyond those named here are the kind's own.
    """

    def read(self, source: Any, format: str, options: Mapping[str, Any]) -> Any:
        """The data in a file or a frame of a layout, whose fields are the options."""

    def anonymize(
        self, source: Any, method: Any, *, seed: int | None, sha256: str | None, **options: Any
    ) -> Release:
        """A release that nobody has verified yet."""

    def faults(self, release: Any) -> list[Fault]:
        """Violations of the claims, recomputed from what will be published."""

    def outputs(self, release: Any, public: Any, **files: Any) -> Sequence[Any]:
        """The files of a release, not yet written."""

    def attack(
        self,
        original: Any,
        release: Any,
        *,
        methods: Sequence[str],
        params: Mapping[str, Mapping[str, Any]] | None,
        seed: int | None,
        **options: Any,
    ) -> dict[str, Any]:
        """How much each attack finds."""

    def measure(
        self,
        original: Any,
        release: Any,
        *,
        methods: Sequence[str],
        params: Mapping[str, Mapping[str, Any]] | None,
        **options: Any,
    ) -> dict[str, Any]:
        """What the release is still good for."""

    def trial(
        self,
        source: Any,
        method: str,
        values: Sequence[Any],
        *,
        parameter: str,
        params: Mapping[str, Any] | None,
        **options: Any,
    ) -> Any:
        """What a sweep does with each value of a parameter: a `core.sweep.Trial`."""

    def points(self, source: Any) -> Any:
        """Customer, day and what else there is, a row per purchase; only of histories."""

    def sample(self, rows: int, *, seed: int | None, **options: Any) -> Any:
        """Look-alike data of exactly so many rows."""


@dataclass(frozen=True)
class Kind:
    """A kind of data: what it is called and what can be done to it, by name.

    `noun` is the word of the command line (`tokumei anonymize table`); kinds may share one, their
    formats then tell them apart. `verbs` are its commands. `sources` names the classes
    (module:Class) of its data and releases. `home` is the package with the module `flow`.
    `recipe_home` is its recipe's class (module:Class), `recipe_key` the key of its data there;
    without them, `tokumei run` takes recipes as `tokumei.basic.recipe` says, with its name as key.
    `judges` (`core/judging.py`) and `conformity` (`core/conformity.py`) say, by format, what
    contests and conformity reports take (module:name); `ledger_home`, what the release ledger does;
    `advice_home`, what gives advice (`core/advice/adviser.py`).
    """

    name: str
    noun: str
    title: Text
    home: str
    anonymizers: Registry[Any]
    attackers: Registry[Any]
    measures: Registry[Any]
    rules: Registry[Any]
    formats: Registry[Any]
    verbs: Mapping[str, Verb] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    recipe_key: str = ""
    recipe_home: str = ""
    judges: Mapping[str, str] = field(default_factory=dict)
    conformity: Mapping[str, str] = field(default_factory=dict)
    ledger_home: str = ""
    advice_home: str = ""

    def contribution(self, release: Any, source: Any, ids: Any) -> Any:
        """What a release says of each person, for the ledger (`ledger/contribution.py`)."""
        if not self.ledger_home:
            raise UsageError(
                f"releases of {self.title.en.lower()} cannot be recorded in a ledger",
                f"{self.title.ja}の匿名加工データは台帳に記録できません",
            )
        return load(self.ledger_home)(release, source, ids)

    def adviser(self, source: Any, purpose: Any, *, seed: int | None, **options: Any) -> Adviser:
        """What gives advice on releases of a source."""
        if not self.advice_home:
            raise UsageError(
                f"there is no advice on {self.title.en.lower()} yet",
                f"{self.title.ja}についての助言にはまだ対応していません",
            )
        return cast("Adviser", load(self.advice_home)(source, purpose, seed=seed, **options))

    @property
    def key(self) -> str:
        """The key of its data in a recipe."""
        return self.recipe_key or self.name

    def recipe(self) -> type[Recipe] | None:
        """The class of its recipes, loaded when first needed; None if it has no own one."""
        return cast("type[Recipe]", load(self.recipe_home)) if self.recipe_home else None

    @property
    def flow(self) -> Flow:
        """The work itself, loaded when first needed."""
        return cast(Flow, import_module(f"{self.home}.flow"))

    @property
    def registries(self) -> dict[str, Registry[Any]]:
        """Everything that has a name, by the word for it."""
        return {
            "anonymizers": self.anonymizers,
            "attackers": self.attackers,
            "measures": self.measures,
            "rules": self.rules,
        }

    def formats_of(self, verb: Verb) -> Sequence[str]:
        """The formats that a command of this kind takes."""
        return verb.formats or self.formats.names()

    def owns(self, thing: Any) -> bool:
        """Whether some data, or a release, is of this kind."""
        return any(
            f"{one.__module__}:{one.__qualname__}" in self.sources for one in type(thing).mro()
        )
