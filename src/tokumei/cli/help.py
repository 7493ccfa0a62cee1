"""Help pages: of `tokumei`, of a group of commands, of one command.

A command with many options shows the common ones; `--help-all` shows all of them, and the options
of its methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, Field
from typing import Any, Literal, get_args, get_origin

from tokumei.cli.converters import parameter_help, plain_type, written
from tokumei.cli.dispatch import FORMAT, JSON, CliCommand, OptionSpec, Path, list_commands
from tokumei.cli.layout import Row, wrap_rows, wrap_text
from tokumei.cli.sections import ABOUT, GROUPS, OTHERS, SECTIONS
from tokumei.core.ask import options_of
from tokumei.core.text import Text

FEW_OPTIONS = 25
"""A command with no more options than this shows all of them."""
EXAMPLES_SHOWN = 2
"""How many examples a command with many options shows before `--help-all`."""
COMMON = frozenset(
    [
        "data",
        "original",
        "release",
        "known",
        "public",
        "guess",
        "truth",
        "out",
        "secret",
        "link",
        "qi",
        "sa",
        "id",
        "person",
        "identifier",
        "method",
        "attacks",
        "k",
        "l",
        "t",
        "seed",
        "key",
        "format",
        "json",
        "recipient",
        "ledger",
        "hierarchies",
        "engine",
    ]
)
"""Options that people need often; of a command with many options, help shows these first."""
EVERYWHERE: tuple[Row, ...] = (
    ("--lang en|ja", Text("language of messages: en or ja", "表示言語: en か ja")),
    ("-h, --help", Text("show this page", "この説明を表示")),
)
VERSION: Row = ("--version", Text("show the version and exit", "バージョンを表示して終了"))
ALL: Row = ("--help-all", Text("show all options", "すべてのオプションを表示"))
_METAVARS = {int: "N", float: "X", str: "TEXT", bool: ""}
_OPTIONS, _COMMANDS = Text("Options", "オプション"), Text("Commands", "コマンド")


def show_group_help(group: Path, commands: Sequence[CliCommand] | None = None) -> str:
    """The page of `tokumei`, or of a group of commands."""
    every = list_commands() if commands is None else commands
    about = GROUPS.get(" ".join(group)) if group else ABOUT
    usage = " ".join(["tokumei", *group, Text("COMMAND [OPTIONS]", "コマンド [オプション]").show()])
    parts = [_usage(usage), *([wrap_text(about.show(), indent=2)] if about else [])]
    own = [] if group else [VERSION]
    parts.append(_section(_OPTIONS, [*own, *EVERYWHERE]))
    if group:
        rows = [(name, _describe_group_member(group, name, every)) for name in _names(group, every)]
        return _page([*parts, _section(_COMMANDS, rows)])
    named = {name for _, briefs in SECTIONS for name in briefs}
    first = _names((), every)
    rest = {n: _describe_group_member((), n, every) for n in first if n not in named}
    for title, briefs in (*SECTIONS, (OTHERS, rest)):
        listed = [(name, brief) for name, brief in briefs.items() if name in first]
        parts += [_section(title, listed)] if listed else []
    return _page(parts)


def _names(group: Path, commands: Sequence[CliCommand]) -> list[str]:
    """The words that may follow a group's, each once, in the order of the commands."""
    size = len(group)
    found = (one.path[size] for one in commands if one.path[:size] == group and one.path != group)
    return list(dict.fromkeys(found))


def _describe_group_member(group: Path, name: str, commands: Sequence[CliCommand]) -> Text:
    """What a list of commands says of one: the first sentence of its help."""
    path = (*group, name)
    command = next((one for one in commands if one.path == path), None)
    if command is None:
        text = GROUPS.get(" ".join(path), Text("", ""))
    else:
        text = command.implementations[0][1].ask().about
    return Text(first_sentence(text.en), first_sentence(text.ja))


def first_sentence(text: str) -> str:
    """What a list of commands says of one: whole words, never cut off."""
    return re.split(r"(?<=[.?!])\s|(?<=。)|\n\n", " ".join(text.split()) or "", maxsplit=1)[0]


def show_command_help(command: CliCommand, *, everything: bool) -> str:
    """The page of a command; `everything`: with rare options and those of its methods."""
    options = {name: one for name, one in command.options().items() if not one.hidden}
    named = {name: one for name, one in options.items() if not one.positional}
    common = [name for name in named if everything or _is_common(command, name, len(named))]
    less = len(common) < len(named)
    arguments = [_row(command, name, one) for name, one in options.items() if one.positional]
    rows = [_row(command, name, named[name]) for name in common]
    more = [ALL] if less or _methods(command) else []
    parts = [
        _usage(_usage_line(command, options)),
        *_describe(command, short=less),
        *([_section(Text("Arguments", "引数"), arguments)] if arguments else []),
        _section(Text("Common options", "主なオプション") if less else _OPTIONS, rows),
        _section(Text("Everywhere", "共通"), [*EVERYWHERE, *more]),
        *_methods_part(command, everything=everything),
    ]
    return _page(parts)


def _usage_line(command: CliCommand, options: dict[str, OptionSpec]) -> str:
    words = ["tokumei", *command.path, Text("[OPTIONS]", "[オプション]").show()]
    for name, one in options.items():
        if one.positional:
            needed = one.field is not None and one.field.default is MISSING
            word = name.upper() + ("..." if one.type == list[str] else "")
            words.append(word if needed else f"[{word}]")
    return " ".join(words)


def _is_common(command: CliCommand, name: str, count: int) -> bool:
    """Whether an option is shown first: few there are, or it is needed, or needed often."""
    return count <= FEW_OPTIONS or name in COMMON or _is_required(_fields(command, name), command)


def _describe(command: CliCommand, *, short: bool) -> list[str]:
    """What the command does, kind by kind, with examples that run."""
    asks = dict.fromkeys(verb.ask() for _, verb in command.implementations)
    parts = [wrap_text(ask.about.show(), indent=2) for ask in asks]
    examples = [example for ask in asks for example in ask.examples]
    shown = examples[:EXAMPLES_SHOWN] if short else examples
    if shown:
        title = Text("Example" if len(shown) == 1 else "Examples", "例").show()
        lines = [wrap_text(one, indent=2, hanging=6) for one in shown]
        parts.append("\n".join([f"{title}:", *lines]))
    return parts


def _methods(command: CliCommand) -> dict[str, type[Any]]:
    """All methods whose fields are options of the command, by name."""
    found: dict[str, type[Any]] = {}
    for kind, verb in command.implementations:
        found |= verb.ask().methods({"of": kind})
    return found


def _methods_part(command: CliCommand, *, everything: bool) -> list[str]:
    methods = _methods(command)
    if not methods:
        return []
    if everything:
        title = Text("Methods and their options:", "手法とそのオプション:").show()
        lines = parameter_help(methods).split("\n\n")
        return ["\n".join([title, *(wrap_text(line, indent=2, hanging=6) for line in lines)])]
    example = next(iter(methods))
    return [
        wrap_text(
            Text(
                f"Methods have options of their own: `tokumei methods {example}` lists those of "
                f"{example}, `tokumei methods` all methods.",
                f"手法ごとのオプションがあります。`tokumei methods {example}` は {example} の、"
                "`tokumei methods` はすべての手法の説明を表示します。",
            ).show()
        )
    ]


def _row(command: CliCommand, name: str, option: OptionSpec) -> Row:
    """An option as it is typed, and its help."""
    if name == JSON:
        return option.written, Text("one JSON document on stdout", "JSON を標準出力へ")
    typed = name.upper() if option.positional else f"{option.written} {_metavar(option)}".rstrip()
    if option.negatable:
        typed = f"{option.written}, --no-{option.written.removeprefix('--')}"
    if name == FORMAT:
        first = next(iter(command.formats))
        return typed, Text(f"file format [default: {first}]", f"ファイル形式 [既定: {first}]")
    fields = _fields(command, name)
    about: Text = fields[0].metadata["help"]
    note, limits = _default_note(fields, command), _limits_note(fields)
    return typed, Text(f"{about.en}{note.en}{limits.en}", f"{about.ja}{note.ja}{limits.ja}")


def _metavar(option: OptionSpec) -> str:
    plain = plain_type(option.hint)
    origin = get_origin(plain)
    if get_origin(option.type) is Literal:
        return "|".join(map(str, get_args(option.type)))
    if origin is tuple:
        return "2-20|2,3" if get_args(plain)[0] is int else "A,B"
    if origin is dict:
        return "KEY=VALUE"
    return _METAVARS.get(plain, "TEXT")


def _fields(command: CliCommand, name: str) -> list[Field[Any]]:
    """The option as every kind that has it declares it, one that help shows first."""
    every = (options_of(verb.ask()) for _, verb in command.implementations)
    found = [options[name] for options in every if name in options]
    return sorted(found, key=lambda field: bool(field.metadata["hidden"]))


def _is_required(fields: Sequence[Field[Any]], command: CliCommand) -> bool:
    """Whether every kind needs the option."""
    needed = [one.default is MISSING and one.default_factory is MISSING for one in fields]
    return bool(fields) and all(needed) and len(fields) == len(command.implementations)


def _default_note(fields: Sequence[Field[Any]], command: CliCommand) -> Text:
    """What is true of an option for all kinds: needed, its default, its environment variable."""
    if _is_required(fields, command):
        return Text(" [required]", " [必須]")
    value = fields[0].default
    if fields[0].metadata["negatable"] and value:
        return Text(" [default: on]", " [既定: 有効]")
    plain = value is MISSING or isinstance(value, bool) or value in (None, "", "auto", ())
    told = "(default" in fields[0].metadata["help"].en
    if variable := fields[0].metadata["env"]:
        return Text(f" [env: {variable}]", f" [環境変数: {variable}]")
    if plain or told or any(field.default != value for field in fields):
        return Text("", "")
    return Text(f" [default: {written(value)}]", f" [既定: {written(value)}]")


def _limits_note(fields: Sequence[Field[Any]]) -> Text:
    """The smallest and the largest number that every kind takes."""
    least, most = fields[0].metadata["least"], fields[0].metadata["most"]
    if any((one.metadata["least"], one.metadata["most"]) != (least, most) for one in fields):
        return Text("", "")
    if most is None:
        return Text("", "") if least is None else Text(f" [at least {least}]", f" [{least} 以上]")
    if least is None:
        return Text(f" [at most {most}]", f" [{most} 以下]")
    return Text(f" [{least} to {most}]", f" [{least}〜{most}]")


def _usage(line: str) -> str:
    return wrap_text(f"{Text('Usage', '使い方').show()}: {line}", hanging=4)


def _section(title: Text, rows: Iterable[Row]) -> str:
    return f"{title.show()}:\n{wrap_rows(rows)}"


def _page(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"
