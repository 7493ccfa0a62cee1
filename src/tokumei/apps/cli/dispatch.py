"""Resolves a command line to a command and the command class of the data kind that is meant.

Every kind names its commands (`core/command.py`). One command of
the command line is made of all kinds that have it: its options are those of all of them, `--format`
tells which kind is meant, and an option that this kind does not use is refused (`binding.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass
from typing import Literal, NamedTuple

from tokumei.apps.cli.converters import argument_type
from tokumei.core.command import Command, CommandSpec, command_options
from tokumei.core.data_kind import DataKind
from tokumei.core.errors import UnknownNameError
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.core.registry import field_type_hints
from tokumei.kinds import all_kinds

NOUN_COMMANDS = ("anonymize", "sample")
"""Commands that name the kind by a word of their own: `tokumei anonymize table`."""
CROSS_KIND_COMMANDS: Mapping[str, Mapping[str, CommandSpec]] = {
    "tables": {
        "assess": CommandSpec(LazyObject("tokumei.apps.cli.assess", "AssessRelease"), first=True)
    },
    "pseudonyms": {
        "assess": CommandSpec(
            LazyObject("tokumei.apps.cli.assess_purchases", "AssessPeriodRelease")
        )
    },
    "histories": {
        "assess": CommandSpec(
            LazyObject("tokumei.apps.cli.assess_purchases", "AssessHistoryRelease")
        ),
        "lifetime": CommandSpec(
            LazyObject("tokumei.apps.cli.cross_kind", "HistoryLifetimeCommand")
        ),
        "knowledge": CommandSpec(
            LazyObject("tokumei.apps.cli.cross_kind", "HistoryKnowledgeCommand")
        ),
    },
}
"""Commands that need what is above the kinds, by the kind whose files they read."""


def _command(module: str, name: str) -> LazyObject[type[Command]]:
    return LazyObject(f"tokumei.apps.cli.{module}", name)


KINDLESS_COMMANDS: Mapping[str, LazyObject[type[Command]]] = {
    "sample prices": _command("price.explore", "WriteSamplePrices"),
    "release": _command("release", "ReleaseTableFile"),
    "conform": _command("conform", "CheckConformity"),
    "paper": _command("paper", "ReproducePaper"),
    "price optimize": _command("price.optimize", "OptimizeRecoding"),
    "price value": _command("price.optimize", "ValueRelease"),
    "price show": _command("price.explore", "ShowPriceTables"),
    "price diff": _command("price.explore", "ComparePriceLists"),
    "price intents": _command("price.explore", "ValueByIntent"),
    "price patterns suggest": _command("price.patterns", "SuggestPatternWords"),
    "price curve": _command("price.explore", "ShowValueCurve"),
    "price pareto": _command("price.explore", "ShowValueFrontier"),
    "hierarchy build": _command("build_hierarchy", "BuildHierarchy"),
    "hierarchy check": _command("hierarchy", "CheckHierarchy"),
    "hierarchy show": _command("hierarchy", "ShowHierarchy"),
    "hierarchy export": _command("hierarchy", "ExportHierarchy"),
    "rules anonymize": _command("rules_anonymization", "AnonymizeForRules"),
    "rules simulate": _command("rules_simulation", "SimulateRules"),
    "rules mine": _command("rule_mining", "MineRules"),
    "rules trial": _command("rule_mining", "TrialRules"),
    "ledger init": _command("ledger", "InitLedger"),
    "ledger show": _command("ledger", "ShowLedger"),
    "ledger verify": _command("ledger", "VerifyLedger"),
    "ledger forget": _command("ledger", "ForgetPeople"),
    "price serve": _command("price.serve", "ServePrices"),
    "run": _command("run_recipe", "RunRecipe"),
    "demo": _command("run_recipe", "RunDemo"),
    "contest init": _command("contest.accounts", "InitContest"),
    "contest check": _command("contest.check", "CheckSubmission"),
    "contest demo": _command("contest.demo", "RunContestDemo"),
    "contest serve": _command("contest.server", "ServeContests"),
    "contest worker": _command("contest.server", "RunWorker"),
    "contest backup": _command("contest.server", "BackUpServer"),
    "contest restore": _command("contest.server", "RestoreServer"),
    "contest reveal": _command("contest.server", "RevealContest"),
    "contest export": _command("contest.export", "ExportContest"),
    "contest replay": _command("contest.export", "ReplayContest"),
    "contest create": _command("contest.accounts", "CreateContest"),
    "contest register": _command("contest.accounts", "RegisterAccount"),
    "contest token": _command("contest.accounts", "RenewToken"),
    "contest join": _command("contest.accounts", "JoinTeam"),
    "contest submit": _command("contest.submit", "SubmitRelease"),
    "contest wait": _command("contest.submit", "WaitForEntry"),
    "contest status": _command("contest.results", "ShowStatus"),
    "contest results": _command("contest.results", "ShowResults"),
    "contest targets": _command("contest.submit", "ListTargets"),
    "contest attack": _command("contest.submit", "SubmitGuesses"),
    "contest news": _command("contest.results", "ShowNews"),
    "studio": _command("studio", "OpenStudio"),
    "methods": _command("methods", "ListMethods"),
    "key": _command("make_key", "MakeKey"),
    "leftovers": _command("leftovers_command", "CleanUpLeftovers"),
    "completion": _command("completion", "PrintCompletionScript"),
}
"""Commands that are no kind's own, in the order of help."""
Implementation = tuple[DataKind | None, CommandSpec]
CommandPath = tuple[str, ...]
JSON, FORMAT, SEED, UNUSED_SEED = "json", "format", "seed", "seed_unused"


class OptionSpec(NamedTuple):
    """One option: how it is written, its type on the command line, the field behind it, if any."""

    written: str
    type: object
    hidden: bool = False
    hint: object = None
    field: Field[object] | None = None

    @property
    def positional(self) -> bool:
        """Whether it is given without its name."""
        return self.field is not None and bool(self.field.metadata["positional"])

    @property
    def negatable(self) -> bool:
        """Whether it is a flag that `--no-…` turns off."""
        return self.field is not None and bool(self.field.metadata["negatable"])

    @property
    def env(self) -> str:
        """The environment variable that stands in for it, if any."""
        return "" if self.field is None else str(self.field.metadata["env"])

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The smallest and the largest number that it takes."""
        metadata = {} if self.field is None else self.field.metadata
        return metadata.get("least"), metadata.get("most")


@dataclass(frozen=True)
class CliCommand:
    """One command: its words, and the kinds that implement it (None: it is of no kind)."""

    path: CommandPath
    implementations: tuple[Implementation, ...]

    @property
    def command_text(self) -> str:
        """The command as it is typed after `tokumei`."""
        return " ".join(self.path)

    @property
    def implementation_of_format(self) -> dict[str, Implementation]:
        """Which format leads to which kind's verb; of two kinds, the first has the name."""
        implementations_by_format: dict[str, Implementation] = {}
        for kind, spec in self.implementations:
            for name in _format_names(kind, spec):
                implementations_by_format.setdefault(name, (kind, spec))
        return implementations_by_format

    def resolve_kind(
        self, format: str | None, option_values: Mapping[str, object]
    ) -> tuple[str, DataKind | None, type[Command]]:
        """Format, kind and class: by an option that tells the kind, file, format, or first."""
        for kind, spec in self.implementations:
            formats, command_class = _format_names(kind, spec), spec.ask()
            if format is not None and format not in formats:
                continue
            recognized = command_class.recognizes(format, option_values)
            if recognized or {*command_class.distinguishing_options} & {*option_values}:
                return format or recognized or next(iter(formats), ""), kind, command_class
        format_name = format or next(iter(self.implementation_of_format), "")
        kind, spec = self.implementation_of_format.get(format_name, self.implementations[0])
        return format_name, kind, spec.ask()

    def options(self) -> dict[str, OptionSpec]:
        """The options of all kinds that implement the command, by name."""
        options_by_name: dict[str, OptionSpec] = {}
        for _, spec in self.implementations:
            _add_options(options_by_name, spec.ask())
        if self.implementation_of_format:
            choice = Literal[tuple(self.implementation_of_format)]  # type: ignore[valid-type]
            options_by_name[FORMAT] = OptionSpec(
                "--format", choice, hidden=len(self.implementation_of_format) == 1
            )
        if SEED not in options_by_name:
            # Every command takes a seed; where nothing is drawn, there is nothing to repeat.
            options_by_name[UNUSED_SEED] = OptionSpec("--seed", int, hidden=True)
        options_by_name[JSON] = OptionSpec("--json", bool)
        return options_by_name


def _add_options(options_by_name: dict[str, OptionSpec], command_class: type[Command]) -> None:
    """Add the options of one command class; of two types under one name, the text is kept."""
    hints = field_type_hints(command_class)
    for name, field in command_options(command_class).items():
        option_type, existing = argument_type(hints[field.name]), options_by_name.get(name)
        if existing is None or existing.hidden:
            dashed, hidden = f"--{name.replace('_', '-')}", field.metadata["hidden"]
            options_by_name[name] = OptionSpec(
                dashed, option_type, hidden, hints[field.name], field
            )
        elif existing.type != option_type:
            options_by_name[name] = existing._replace(type=str)
        for alias in field.metadata["aliases"]:
            options_by_name.setdefault(alias, OptionSpec(f"--{alias}", option_type, hidden=True))


def list_commands(kinds: Iterable[DataKind] | None = None) -> list[CliCommand]:
    """All commands of all kinds, in the order in which kinds name them, then those of none."""
    implementations: dict[CommandPath, list[Implementation]] = {}
    for kind in all_kinds() if kinds is None else kinds:
        for name, spec in {**kind.commands, **CROSS_KIND_COMMANDS.get(kind.name, {})}.items():
            path = (name, kind.noun) if name in NOUN_COMMANDS else tuple(name.split())
            implementations.setdefault(path, []).append((kind, spec))
    for alternatives in implementations.values():
        alternatives.sort(key=lambda implementation: not implementation[1].first)
    kindless = _list_kindless_commands() if kinds is None else {}
    kind_commands = [
        CliCommand(path, tuple(alternatives)) for path, alternatives in implementations.items()
    ]
    return [*kind_commands, *(CliCommand(path, ((None, spec),)) for path, spec in kindless.items())]


def _list_kindless_commands() -> dict[CommandPath, CommandSpec]:
    names = {name for kind in all_kinds() for name in kind.conformity}
    format_names = sorted(names, key=lambda name: (name != "table", name))
    return {
        tuple(name.split()): CommandSpec(command, tuple(format_names) if name == "conform" else ())
        for name, command in KINDLESS_COMMANDS.items()
    }


def _format_names(kind: DataKind | None, spec: CommandSpec) -> Sequence[str]:
    return spec.formats if kind is None else kind.formats_of(spec)


class ResolvedCommand(NamedTuple):
    """The command that a command line names, or None if its words name a group of commands."""

    command: CliCommand | None
    words: CommandPath
    args: list[str]


def resolve_command(
    args: Sequence[str], commands: Sequence[CliCommand] | None = None
) -> ResolvedCommand:
    """The command or group that the first words name, and the arguments after them."""
    by_path = {
        cli_command.path: cli_command
        for cli_command in (list_commands() if commands is None else commands)
    }
    word_count = next((n for n, arg in enumerate(args) if arg.startswith("-")), len(args))
    words = tuple(args[:word_count])
    for length in range(word_count, 0, -1):
        if command := by_path.get(words[:length]):
            return ResolvedCommand(command, words[:length], list(args[length:]))
    group = words
    while group and not any(path[: len(group)] == group for path in by_path):
        group = group[:-1]
    if group != words:
        valid = {path[len(group)] for path in by_path if path[: len(group)] == group}
        see = " ".join(["tokumei", *group, "--help"])
        raise UnknownNameError(Message("command"), words[len(group)], valid, see=see)
    return ResolvedCommand(None, group, list(args[word_count:]))
