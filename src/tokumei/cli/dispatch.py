"""Resolves a command line to a command and the command class of the data kind that is meant.

Every kind names its commands (`core/ask.py`). One command of
the command line is made of all kinds that have it: its options are those of all of them, `--format`
tells which kind is meant, and an option that this kind does not use is refused (`binding.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass
from typing import Any, Literal, NamedTuple

from tokumei.cli.converters import command_type
from tokumei.core.ask import Ask, Verb, options_of
from tokumei.core.errors import UnknownNameError
from tokumei.core.kind import Kind
from tokumei.core.lazy import LazyObject
from tokumei.core.registry import hints_of
from tokumei.core.text import Text
from tokumei.kinds import all_kinds

BY_NOUN = ("anonymize", "sample")
"""Commands that name the kind by a word of their own: `tokumei anonymize table`."""
ACROSS: Mapping[str, Mapping[str, Verb]] = {
    "histories": {
        "lifetime": Verb(LazyObject("tokumei.cli.across", "LifetimeOfHistory")),
        "knowledge": Verb(LazyObject("tokumei.cli.across", "KnowledgeOfHistory")),
    }
}
"""Commands that need two kinds, by the kind whose files they read."""


def _command(module: str, name: str) -> LazyObject[type[Ask]]:
    return LazyObject(f"tokumei.cli.{module}", name)


OF_NO_KIND: Mapping[str, LazyObject[type[Ask]]] = {
    "sample prices": _command("price.explore", "SamplePrices"),
    "conform": _command("conform", "Conform"),
    "paper": _command("paper", "Paper"),
    "price optimize": _command("price.optimize", "Optimize"),
    "price value": _command("price.optimize", "Value"),
    "price show": _command("price.explore", "Show"),
    "price diff": _command("price.explore", "Diff"),
    "price intents": _command("price.explore", "ByIntent"),
    "price patterns suggest": _command("price.patterns", "Suggest"),
    "price curve": _command("price.explore", "Curve"),
    "price pareto": _command("price.explore", "Pareto"),
    "hierarchy build": _command("hierarchy", "Build"),
    "hierarchy check": _command("hierarchy", "Check"),
    "hierarchy show": _command("hierarchy", "Show"),
    "hierarchy export": _command("hierarchy", "Export"),
    "rules anonymize": _command("rules", "Anonymize"),
    "rules simulate": _command("rules_simulation", "Simulate"),
    "rules mine": _command("rule_mining", "Mine"),
    "rules trial": _command("rule_mining", "Trial"),
    "ledger init": _command("ledger", "Init"),
    "ledger show": _command("ledger", "Show"),
    "ledger verify": _command("ledger", "Verify"),
    "ledger forget": _command("ledger", "Forget"),
    "price serve": _command("price.serve", "ServePrices"),
    "run": _command("run", "RunRecipe"),
    "demo": _command("run", "RunDemo"),
    "contest init": _command("contest.account", "InitContest"),
    "contest check": _command("contest.check", "CheckContest"),
    "contest demo": _command("contest.demo", "PlayContestDemo"),
    "contest serve": _command("contest.server", "ServeContests"),
    "contest worker": _command("contest.server", "RunWorker"),
    "contest backup": _command("contest.server", "BackUpServer"),
    "contest restore": _command("contest.server", "RestoreServer"),
    "contest reveal": _command("contest.server", "RevealContest"),
    "contest export": _command("contest.export", "ExportContest"),
    "contest replay": _command("contest.export", "ReplayContest"),
    "contest create": _command("contest.account", "CreateContest"),
    "contest register": _command("contest.account", "RegisterAccount"),
    "contest token": _command("contest.account", "RenewToken"),
    "contest join": _command("contest.account", "JoinTeam"),
    "contest submit": _command("contest.submit", "SubmitRelease"),
    "contest wait": _command("contest.submit", "WaitForEntry"),
    "contest status": _command("contest.results", "ShowStatus"),
    "contest results": _command("contest.results", "ShowResults"),
    "contest targets": _command("contest.submit", "ListTargets"),
    "contest attack": _command("contest.submit", "SubmitGuesses"),
    "contest news": _command("contest.results", "ShowNews"),
    "studio": _command("studio", "OpenStudio"),
    "methods": _command("methods", "ListMethods"),
    "key": _command("key", "MakeKey"),
    "leftovers": _command("leftovers", "ListLeftovers"),
    "completion": _command("completion", "ShowCompletion"),
}
"""Commands that are no kind's own, in the order of help."""
Implementation = tuple[Kind | None, Verb]
Path = tuple[str, ...]
JSON, FORMAT, SEED, UNUSED_SEED = "json", "format", "seed", "seed_unused"


class OptionSpec(NamedTuple):
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
    def negatable(self) -> bool:
        """Whether it is a flag that `--no-…` turns off."""
        return bool(self.about.get("negatable"))


@dataclass(frozen=True)
class CliCommand:
    """One command: its words, and the kinds that implement it (None: it is of no kind)."""

    path: Path
    implementations: tuple[Implementation, ...]

    @property
    def words(self) -> str:
        """The command as it is typed after `tokumei`."""
        return " ".join(self.path)

    @property
    def formats(self) -> dict[str, Implementation]:
        """Which format leads to which kind's verb; of two kinds, the first has the name."""
        found: dict[str, Implementation] = {}
        for kind, verb in self.implementations:
            for name in _formats_of(kind, verb):
                found.setdefault(name, (kind, verb))
        return found

    def resolve_kind(
        self, format: str | None, given: Mapping[str, Any]
    ) -> tuple[str, Kind | None, type[Ask]]:
        """Format, kind and class: by an option that tells the kind, file, format, or first."""
        for kind, verb in self.implementations:
            formats, ask = _formats_of(kind, verb), verb.ask()
            if format is not None and format not in formats:
                continue
            recognized = ask.recognizes(format, given)
            if recognized or {*ask.told_by} & {*given}:
                return format or recognized or next(iter(formats), ""), kind, ask
        named = format or next(iter(self.formats), "")
        kind, verb = self.formats.get(named, self.implementations[0])
        return named, kind, verb.ask()

    def options(self) -> dict[str, OptionSpec]:
        """The options of all kinds that implement the command, by name."""
        found: dict[str, OptionSpec] = {}
        for _, verb in self.implementations:
            _add_options(found, verb.ask())
        if self.formats:
            choice = Literal[tuple(self.formats)]  # type: ignore[valid-type]
            found[FORMAT] = OptionSpec("--format", choice, hidden=len(self.formats) == 1)
        if SEED not in found:
            # Every command takes a seed; where nothing is drawn, there is nothing to repeat.
            found[UNUSED_SEED] = OptionSpec("--seed", int, hidden=True)
        found[JSON] = OptionSpec("--json", bool)
        return found


def _add_options(found: dict[str, OptionSpec], ask: type[Ask]) -> None:
    """Add the options of one command class; of two types under one name, the text is kept."""
    hints = hints_of(ask)
    for name, field in options_of(ask).items():
        kind, seen = command_type(hints[field.name]), found.get(name)
        if seen is None or seen.hidden:
            dashed, hidden = f"--{name.replace('_', '-')}", field.metadata["hidden"]
            found[name] = OptionSpec(dashed, kind, hidden, hints[field.name], field)
        elif seen.type != kind:
            found[name] = seen._replace(type=str)
        for alias in field.metadata["aliases"]:
            found.setdefault(alias, OptionSpec(f"--{alias}", kind, hidden=True))


def list_commands(kinds: Iterable[Kind] | None = None) -> list[CliCommand]:
    """All commands of all kinds, in the order in which kinds name them, then those of none."""
    found: dict[Path, list[Implementation]] = {}
    for kind in all_kinds() if kinds is None else kinds:
        for name, verb in {**kind.verbs, **ACROSS.get(kind.name, {})}.items():
            path = (name, kind.noun) if name in BY_NOUN else tuple(name.split())
            found.setdefault(path, []).append((kind, verb))
    for behind in found.values():
        behind.sort(key=lambda one: not one[1].first)
    others = _commands_of_no_kind() if kinds is None else {}
    made = [CliCommand(path, tuple(behind)) for path, behind in found.items()]
    return [*made, *(CliCommand(path, ((None, verb),)) for path, verb in others.items())]


def _commands_of_no_kind() -> dict[Path, Verb]:
    files = sorted({name for kind in all_kinds() for name in kind.conformity}, key=_table_first)
    return {
        tuple(name.split()): Verb(command, tuple(files) if name == "conform" else ())
        for name, command in OF_NO_KIND.items()
    }


def _table_first(name: str) -> tuple[bool, str]:
    return name != "table", name


def _formats_of(kind: Kind | None, verb: Verb) -> Sequence[str]:
    return verb.formats if kind is None else kind.formats_of(verb)


class Resolved(NamedTuple):
    """The command that a command line names, or None if its words name a group of commands."""

    command: CliCommand | None
    words: Path
    args: list[str]


def resolve_command(args: Sequence[str], commands: Sequence[CliCommand] | None = None) -> Resolved:
    """The command or group that the first words name, and the arguments after them."""
    by_path = {one.path: one for one in (list_commands() if commands is None else commands)}
    count = next((n for n, arg in enumerate(args) if arg.startswith("-")), len(args))
    words = tuple(args[:count])
    for length in range(count, 0, -1):
        if command := by_path.get(words[:length]):
            return Resolved(command, words[:length], list(args[length:]))
    group = words
    while group and not any(path[: len(group)] == group for path in by_path):
        group = group[:-1]
    if group != words:
        valid = {path[len(group)] for path in by_path if path[: len(group)] == group}
        see = " ".join(["tokumei", *group, "--help"])
        raise UnknownNameError(Text("command", "コマンド"), words[len(group)], valid, see=see)
    return Resolved(None, group, list(args[count:]))
