"""Commands, the kinds behind them and their options: which kind is meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass
from keyword import iskeyword
from typing import Any, Literal, NamedTuple

from tokumei.cli.values import command_type
from tokumei.core.ask import Verb, options_of
from tokumei.core.kind import Kind
from tokumei.core.registry import hints_of
from tokumei.kinds import all_kinds

BY_NOUN = ("anonymize", "sample")
"""Commands that name the kind by a word of their own: `tokumei anonymize table`."""
ACROSS: Mapping[str, Mapping[str, Verb]] = {
    "histories": {
        "lifetime": Verb("tokumei.cli.across:LifetimeOfHistory"),
        "knowledge": Verb("tokumei.cli.across:KnowledgeOfHistory"),
    }
}
"""Commands that need two kinds, by the kind whose files they read."""
OF_NO_KIND = {
    "sample prices": "price.explore:SamplePrices",
    "conform": "conform:Conform",
    "paper": "paper:Paper",
    "price optimize": "price.optimize:Optimize",
    "price value": "price.optimize:Value",
    "price show": "price.explore:Show",
    "price diff": "price.explore:Diff",
    "price intents": "price.explore:ByIntent",
    "price patterns suggest": "price.patterns:Suggest",
    "price curve": "price.explore:Curve",
    "price pareto": "price.explore:Pareto",
    "hierarchy build": "hierarchy:Build",
    "hierarchy check": "hierarchy:Check",
    "hierarchy show": "hierarchy:Show",
    "hierarchy export": "hierarchy:Export",
    "rules anonymize": "rules:Anonymize",
    "rules simulate": "rules_simulation:Simulate",
    "rules mine": "rule_mining:Mine",
    "rules trial": "rule_mining:Trial",
    "ledger init": "ledger:Init",
    "ledger show": "ledger:Show",
    "ledger verify": "ledger:Verify",
    "ledger forget": "ledger:Forget",
}
"""Commands that are no kind's own, and where they stand below `tokumei.cli`."""
Behind = tuple[Kind | None, Verb]
Path = tuple[str, ...]


@dataclass(frozen=True)
class Door:
    """One command: where it stands, and the kinds behind it (None: it is of no kind)."""

    path: Path
    behind: tuple[Behind, ...]

    @property
    def of_no_kind(self) -> bool:
        """Whether it stands for itself."""
        return self.behind[0][0] is None

    @property
    def formats(self) -> dict[str, Behind]:
        """Which format leads to which kind's verb; of two kinds, the first has the name."""
        found: dict[str, Behind] = {}
        for kind, verb in self.behind:
            for name in _formats(kind, verb):
                found.setdefault(name, (kind, verb))
        return found

    def chosen(self, format: str | None, given: Mapping[str, Any]) -> tuple[str, Kind | None, Verb]:
        """Format, kind and verb: by an option that tells the kind, file, format, or first."""
        for kind, verb in self.behind:
            formats, ask = _formats(kind, verb), verb.ask()
            if format is not None and format not in formats:
                continue
            seen = ask.recognizes(format, given)
            if seen or {*ask.told_by} & {*given}:
                return format or seen or next(iter(formats), ""), kind, verb
        named = format or next(iter(self.formats), "")
        return named, *self.formats.get(named, self.behind[0])


def doors(kinds: Iterable[Kind] | None = None) -> list[Door]:
    """All commands of all kinds, in the order in which kinds name them, then those of none."""
    found: dict[Path, list[Behind]] = {}
    for kind in all_kinds() if kinds is None else kinds:
        for name, verb in {**kind.verbs, **ACROSS.get(kind.name, {})}.items():
            path = (name, kind.noun) if name in BY_NOUN else tuple(name.split())
            found.setdefault(path, []).append((kind, verb))
    for behind in found.values():
        behind.sort(key=lambda one: not one[1].first)
    others = _of_no_kind() if kinds is None else {}
    made = [Door(path, tuple(behind)) for path, behind in found.items()]
    return [*made, *(Door(path, ((None, verb),)) for path, verb in others.items())]


def _of_no_kind() -> dict[Path, Verb]:
    files = sorted({name for kind in all_kinds() for name in kind.conformity}, key=_table_first)
    return {
        tuple(name.split()): Verb(f"tokumei.cli.{home}", tuple(files) if name == "conform" else ())
        for name, home in OF_NO_KIND.items()
    }


def _table_first(name: str) -> tuple[bool, str]:
    return name != "table", name


def _formats(kind: Kind | None, verb: Verb) -> Sequence[str]:
    return verb.formats if kind is None else kind.formats_of(verb)


def python_name(name: str) -> str:
    """The name of an option as Python can have it."""
    plain = name.replace("-", "_")
    return f"{plain}_" if iskeyword(plain) else plain


JSON, FORMAT, SEED, UNUSED_SEED = "json", "format", "seed", "seed_unused"


class Declared(NamedTuple):
    """One option: how it is written, its type on the command line, the field behind it, if any."""

    written: str
    type: Any
    hidden: bool = False
    hint: Any = None
    field: Field[Any] | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        """What its field says of it."""
        return {} if self.field is None else self.field.metadata

    @property
    def positional(self) -> bool:
        """Whether it is given without its name."""
        return bool(self.about.get("positional"))

    @property
    def least(self) -> float | None:
        """The least number that may be given."""
        return self.about.get("least")


def declared(door: Door) -> dict[str, Declared]:
    """Everything that some kind behind the door may be asked, by name."""
    found: dict[str, Declared] = {}
    for _, verb in door.behind:
        ask = verb.ask()
        hints = hints_of(ask)
        for name, one in options_of(ask).items():
            kind, seen = command_type(hints[one.name]), found.get(name)
            if seen is None or seen.hidden:
                dashed, hidden = f"--{name.replace('_', '-')}", one.metadata["hidden"]
                found[name] = Declared(dashed, kind, hidden, hints[one.name], one)
            elif seen.type != kind:
                found[name] = seen._replace(type=str)
            for alias in one.metadata["aliases"]:
                found.setdefault(alias, Declared(f"--{alias}", kind, hidden=True))
    if door.formats:
        choice = Literal[tuple(door.formats)]  # type: ignore[valid-type]
        found[FORMAT] = Declared("--format", choice, hidden=len(door.formats) == 1)
    if SEED not in found:
        # Every command takes a seed; where nothing is drawn, there is nothing to repeat.
        found[UNUSED_SEED] = Declared("--seed", int, hidden=True)
    found[JSON] = Declared("--json", bool)
    return found
