"""From the options of a command line to the question that its kind is asked.

What the kind, its format or the chosen methods do not use is refused, and so is what is said twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from typing import Any

from tokumei.cli.doors import Door, declared, python_name
from tokumei.cli.values import field_hints, given_twice, take_parameters, takers, value_of
from tokumei.core.ask import Ask, options_of
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.registry import hints_of
from tokumei.core.text import Text

BEGIN_WITH = ("data", "original", "known", "release")
"""What commands call the file that they begin with, where they need it."""
SOURCES = ("data", "original", "file", "input", "source", "table", "history", "csv")
"""Words by which people name that file."""


def asked(door: Door, format: str | None, given: dict[str, Any], rest: Sequence[str]) -> Ask:
    """The question, its options checked against what this format uses."""
    used = [name for name, value in given.items() if value is not None and value != []]
    chosen, kind, verb = door.chosen(format, {name: given[name] for name in used})
    ask = verb.ask()
    hints = hints_of(ask)
    fields = options_of(ask)
    by_name = {python_name(name): one for name, one in fields.items()}
    for one in fields.values():
        for alias in one.metadata["aliases"]:
            by_name.setdefault(python_name(alias), one)
    values: dict[str, Any] = {}
    for name in used:
        shown = f"--{name.strip('_').replace('_', '-')}"
        if name not in by_name:
            raise _refused(door, chosen, shown)
        one = by_name[name]
        values[one.name] = value_of(given[name], hints[one.name], shown)
    if values.get("sep") == "":  # Readers would take it for none, and detect one.
        from tokumei.files.csv_text import check_separator

        check_separator("")
    if chosen and "format" in hints:
        values["format"] = chosen
    if "of" in hints:
        values["of"] = kind
    if rest or "set" in values:
        _add_parameters(door, ask, values, rest)
    _require(door, chosen, ask, values)
    return ask(**values)


def _add_parameters(
    door: Door, ask: type[Ask], values: dict[str, Any], rest: Sequence[str]
) -> None:
    """Add what is left of the command line: options of methods, each said once."""
    chosen = ask.methods(values) if rest else {}

    def refused(option: str) -> UsageError:
        return _unknown(door, option, chosen, ask.methods({"of": values.get("of")}))

    more, said = take_parameters(rest, chosen, refused), values.get("set", {})
    for name in more.keys() & said.keys():
        raise given_twice(f"--{name.replace('_', '-')}")
    if more:
        values["set"] = {**more, **said}


def _unknown(
    door: Door, option: str, chosen: Mapping[str, Any], every: Mapping[str, Any]
) -> UsageError:
    """The error of an option that neither the command nor a chosen method has."""
    if not option.startswith("--"):
        return _no_option(door, option)
    if others := takers(option, every):
        named, used = ", ".join(chosen), ", ".join(others)
        return UsageError(
            f"{named} does not use {option}; it is an option of {used}",
            f"{named} では {option} を使いません ({used} のオプションです)",
        )
    if option.removeprefix("--") in SOURCES and (files := _file_options(door)):
        return UsageError(
            f"unknown option '{option}'. This command takes its file by {' or '.join(files)}. "
            f"See 'tokumei {' '.join(door.path)} --help'",
            f"オプション '{option}' はありません。このコマンドのファイルは {' か '.join(files)} で"
            "指定します。"
            f"'tokumei {' '.join(door.path)} --help' を参照してください",
        )
    valid = [one.written for one in declared(door).values() if not (one.hidden or one.positional)]
    valid += [f"--{name.replace('_', '-')}" for one in chosen.values() for name in field_hints(one)]
    what, see = Text("option", "オプション"), f"tokumei {' '.join(door.path)} --help"
    return UnknownNameError(what, option, valid, see=see)


def _no_option(door: Door, word: str) -> UsageError:
    """The error of a word that stands alone, and how a file is given if it may be one."""
    if files := _file_options(door):
        ways = [f"{one} {word}" for one in files]
        return UsageError(
            f"'{word}' is not an option; a file is given as {' or '.join(ways)}",
            f"'{word}' はオプションではありません "
            f"(ファイルは {' か '.join(ways)} のように指定します)",
        )
    return UsageError(
        f"'{word}' is not an option; options start with --",
        f"'{word}' はオプションではありません (オプションは -- で始まります)",
    )


def _file_options(door: Door) -> list[str]:
    """The options that take the file a command begins with, one for every kind, each once."""
    found: dict[str, None] = {}
    for _, verb in door.behind:
        fields = options_of(verb.ask())
        needed = (n for n in BEGIN_WITH if n in fields and fields[n].default is MISSING)
        if (name := next(needed, None)) is not None:
            found[f"--{name}"] = None
    return list(found)


def _require(door: Door, format: str, ask: type[Ask], values: Mapping[str, Any]) -> None:
    for name, one in options_of(ask).items():
        needed = one.default is MISSING and one.default_factory is MISSING
        if needed and one.name not in values:
            positional = one.metadata["positional"]
            option = name.upper() if positional else f"--{name.replace('_', '-')}"
            if len(door.formats) > 1:
                raise UsageError(
                    f"--format {format} needs {option}",
                    f"--format {format} には {option} が必要です",
                )
            raise UsageError(f"{option} is needed", f"{option} が必要です")


def _refused(door: Door, format: str, option: str) -> UsageError:
    if len(door.formats) > 1:
        return UsageError(
            f"--format {format} does not use {option}",
            f"--format {format} では {option} を使いません",
        )
    word = " ".join(door.path)
    return UsageError(f"{word} does not use {option}", f"{word} では {option} を使いません")
