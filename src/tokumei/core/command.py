"""Base class of commands: a frozen dataclass whose fields are its options, and its result.

    @dataclass(frozen=True, kw_only=True)
    class AttackRatings(Command):
        public: str = option("the public file")
        method: str = option("an attack's name", default="best")

        def answer(self) -> CommandResult: ...

A field's type tells how text becomes a value: `tuple[str, ...]` is `a,b,c`; `tuple[int, ...]` is
`2-20` or `2,3,6`; `tuple[float, ...]` is `0.25,0.5`; `dict[str, str]` is `key=value`, repeated or
with commas, and so are `dict[str, int]` and `dict[str, float]`; `dict[str, Any]` is `key=value`
with values as YAML; a `Literal` is a choice; `list[str]` is repeated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from typing import Any, ClassVar

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, Violation
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message, as_message

MAX_JSON_VIOLATIONS = 1000
"""How many faults a JSON document holds; their total is always told."""


@dataclass(frozen=True)
class TextTable:
    """A table for a person to read: a title, the names of the columns, rows of cells."""

    title: Message
    header: Sequence[Message | str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class MadeRelease:
    """A release that a command made, with what it was made from: it is assessed at the end.

    `source` is None where the rows are not in memory; the paths say where they are.
    """

    release: Any = field(repr=False)
    source: Any = field(repr=False)
    original: str
    public: str
    link: str | None = None
    options: tuple[str, ...] = ()
    """What a command that reads these files must be told, too."""
    is_aligned: bool = False
    """Whether `public` has the original's order, so that no other link is needed."""


@dataclass(frozen=True)
class CommandResult:
    """The result of a command.

    `data` is its JSON document; `shown` is printed without `--json`; `notes` go to stderr either
    way; `code` is the exit code. `made` is the release whose verdict ends the output.
    """

    data: Any
    shown: Sequence[TextTable | Message] = ()
    notes: Sequence[Message] = ()
    code: int = 0
    made: MadeRelease | None = None


def violations_result(faults: Sequence[Violation], total: int | None = None) -> CommandResult:
    """The result of a check: violations up to a limit, their total, and exit code 1 if any."""
    count = len(faults) if total is None else total
    json_faults = [fault.as_json() for fault in faults[:MAX_JSON_VIOLATIONS]]
    summary = Message("No violation was found.")
    if faults:
        summary = Message("{count} fault", plural="{count:,} faults", count=count)
    return CommandResult(
        {"ok": not faults, "total": count, "faults": json_faults},
        [*(fault.message for fault in faults[:MAX_SHOWN_VIOLATIONS]), summary],
        code=1 if faults else 0,
    )


@dataclass(frozen=True)
class Command:
    """Base class of commands; `answer` does the work.

    `about` says in a sentence or two what the command does for this kind of data, `examples` are
    commands that run.
    """

    about: ClassVar[Message]
    examples: ClassVar[tuple[str, ...]] = ()
    distinguishing_options: ClassVar[tuple[str, ...]] = ()
    """Options that tell this kind from another with a format of the same name."""

    @classmethod
    def recognizes(cls, format: str | None, given: Mapping[str, object]) -> str:
        """The format of the input if it is of this kind; no `distinguishing_options` are given."""
        return ""

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The named methods whose fields are options, too; `given` are the options so far."""
        return {}

    def answer(self) -> CommandResult:
        """Do what was asked."""
        raise NotImplementedError


@dataclass(frozen=True)
class CommandSpec:
    """A command of a kind: its `Command` class, and the formats it takes.

    The first format of the first kind is the default; `first` puts a kind before the others.
    """

    command: LazyObject[type[Command]]
    formats: tuple[str, ...] = ()
    first: bool = False

    def ask(self) -> type[Command]:
        """The class, imported when first needed."""
        return self.command.load()


def option(
    help_text: Message | str,
    /,
    *,
    default: object = MISSING,
    name: str | None = None,
    aliases: tuple[str, ...] = (),
    least: float | None = None,
    most: float | None = None,
    env: str = "",
    hidden: bool = False,
    positional: bool = False,
    negatable: bool = False,
) -> Any:
    """A field that is an option: its help, and its default if it need not be given.

    `name` is what the command line calls it where Python has another word (`--from`); `aliases`
    are older names, which still work but are not shown. A `positional` one is given without name, a
    `negatable` flag is turned off by `--no-…`. `least` and `most` limit a number; `env` is the
    environment variable that stands in for it.
    """
    metadata = {
        "help": as_message(help_text),
        "name": name,
        "aliases": aliases,
        "least": least,
        "most": most,
        "env": env,
        "hidden": hidden,
        "positional": positional,
        "negatable": negatable,
    }
    if isinstance(default, dict | list):
        return field(default_factory=lambda: type(default)(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def command_options(ask: type[Command]) -> dict[str, dataclasses.Field[object]]:
    """The options of a command, by the name of the command line."""
    options = {}
    for command_field in dataclasses.fields(ask):
        if "help" in command_field.metadata:
            options[str(command_field.metadata["name"] or command_field.name)] = command_field
    return options


def chosen_methods(option_values: Mapping[str, object], default: Iterable[str]) -> list[str]:
    """The names that `--method` gives, one or several; the default if it is not given."""
    names = option_values.get("method", default)
    if isinstance(names, str) or not isinstance(names, Iterable):
        return [str(names)]
    return [str(name) for name in names]
