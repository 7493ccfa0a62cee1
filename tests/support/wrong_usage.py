"""Command lines that are wrong, for every command; and those whose files or values are.

[*list_wrong_usages()]      # not read: unknown, missing, twice, no number, out of its limits
[*list_wrong_values()]      # read, but about what is not there; in the folder of the scene
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import get_args, get_origin

from support.pseudo_scene import list_scene
from tokumei.apps.cli.dispatch import CliCommand, OptionSpec, list_commands

SERVER = "--server http://127.0.0.1:9"
"""Nothing listens there."""
REPLACED: Mapping[str, tuple[str, ...]] = {
    "--data": (
        "gone/a.csv",
        "folder",
        "empty.csv",
        "x.zip",
        "noise.csv",
        "twice.csv",
        "one.csv",
    ),
    "--original": ("gone/a.csv", "other.csv", "noise.csv"),
    "--release": ("gone/a.csv", "folder", "empty.csv", "other.csv", "T.csv"),
    "--truth": ("gone/a.csv", "x.csv", "empty.csv"),
    "--secret": ("gone/a.csv", "x.csv", "no/such/folder.csv"),
    "--master": ("gone/a.csv", "x.csv", "empty.csv"),
    "--public": ("gone/a.csv", "x.csv", "empty.csv"),
    "--known": ("gone/a.csv", "nosuch", "empty.csv"),
    "--guess": ("gone/a.csv", "x.csv", "empty.csv"),
    "--patterns": ("gone/a.csv", "x.csv", "empty.csv"),
    "--members": ("gone/a.csv", "other.csv"),
    "--hierarchy": ("gone/a.csv", "x.csv", "age=gone/a.csv", "ragged.csv"),
    "--hierarchies": ("nosuch", "{column}.zip"),
    "--rules": ("gone/a.yaml", "x.csv", "wrong.yaml"),
    "--people": ("gone/a.csv", "other.csv", "0"),
    "--key-file": ("gone/a.key", "ledger.key"),
    "--qi": ("nosuch", "age,age,", "income,zip,nosuch", "id"),
    "--sa": ("nosuch", "age"),
    "--id": ("nosuch", "age"),
    "--by": ("nosuch", "prefix:0", "prefix:x", "item:x"),
    "--column": ("nosuch",),
    "--target": ("nosuch",),
    "--method": ("nosuch", "mondrian,nosuch", ","),
    "--kinds": ("nosuch", ""),
    "--k": ("0", "1", "99999", "5-2", "x"),
    "--seed": ("-1",),
    "--alpha": ("0", "2"),
    "--lifetime": ("0", "x"),
    "--day": ("0", "nosuch"),
    "--points": ("0", "x-y"),
    "--width": ("0", "10,5", "x"),
    "--prefix": ("nosuch=2", "item", "item=0"),
    "--control": ("0", "1", "gone/a.csv"),
    "--recipient": ("", "nobody"),
    "--preset": ("nosuch",),
    "--out": ("no/such/folder/out.csv", "x.csv", "out.nosuch"),
}
"""What is given instead of the value of an option."""
ADDED = (
    "--set nosuch=1", "--set k", "--set k=x", "--set mondrian.nosuch=1", "--model nosuch=1",
    "--model l-diversity=x", "--model t-closeness=2", "--format nosuch", "--sep xx",
    "--encoding nosuch", "--encoding utf-16", "--sheet nosuch", "--header-row x",
    "--kind age=nosuch", "--kind age", "--kind illness=integer", "--person nosuch",
    "--columns nosuch=x", "--columns day", "--drop nosuch", "--pass nosuch", "--tolerance age",
    "--fail-above nosuch=1", "--cluster nosuch", "--engine nosuch", "--roles gone/a.json",
    "--population 1", "--threshold 2", "--max-size 0", "--joint-k 1", "--coalition nobody",
    "--items gone/a.csv", "--categories gone/a.csv", "--measures nosuch", "--attacks nosuch",
    "--keep nosuch", "--cleaning nosuch", "--price-noise x", "--delete 2", "--l 0", "--t 2",
    "--earlier gone/a.csv", "--manifest gone/a.json", "--audit gone/a.json", "--keywords x",
    "--currency nosuch", "--date nosuch", "--suppression 2", "--least x", "--words nosuch",
    "--head nosuch", "--cuts x", "--quantiles 0", "--levels x", "--first x", "--labels nosuch",
    "--personal nosuch", "--hide nosuch", "--bounds nosuch=1", "--bounds U4", "--secret x.csv",
)  # fmt: skip
"""What is given beside the others."""
OTHERS = (
    *("nosuch", "price nosuch", "contest nosuch", "--nosuch", "--json", "methods nosuch"),
    *("look gone/a.csv", "look folder", "look empty.csv", "look x.zip", "look noise.csv"),
    *("look one.csv", "look twice.csv --strict", "look ragged.csv", "look x.csv --rows x"),
    *("look x.csv --header-row 99", "look x.csv --out look.nosuch", "advise gone/a.csv"),
    *("advise x.csv --known nosuch", "advise x.csv --keep nosuch", "advise x.csv --predict nosuch"),
    *("run gone/a.yaml", "run wrong.yaml", "run list.yaml", "run empty.yaml", "run unknown.yaml"),
    *("run missing.yaml", "paper nosuch", "paper 000", "key x.csv", "key no/such.key"),
    *("leftovers nowhere", "completion nosuch", "studio --port 99999"),
    *("contest init x.csv", "contest init spring", "contest init new --preset nosuch"),
    *("contest init new --preset table --data original", "contest init new --slug A_b"),
    *("contest init new --data original=gone/a.csv", "contest init new --qi nosuch"),
    *("contest check nowhere", "contest check spring", "contest check x.csv --release y.csv"),
    *("contest check spring --release gone/a.csv", "contest check spring --guess x.csv"),
    *("contest check wrong-contest --release y.csv", "contest check spring --release x.csv"),
    *("contest backup nowhere --out b.zip", "contest restore gone/a.zip --home new"),
    *("contest restore x.zip --home new", "contest replay gone/a.zip", "contest replay x.zip"),
    *("contest reveal nowhere spring --out r.zip", "contest export nowhere spring --out e.zip"),
    *("contest worker nowhere", "contest status", f"contest status {SERVER}"),
    *(f"contest news {SERVER}", f"contest results {SERVER}", f"contest targets {SERVER}"),
    *(f"contest create spring {SERVER}", f"contest create nowhere {SERVER}"),
    *(f"contest submit gone/a.csv {SERVER}", f"contest submit x.csv {SERVER}"),
    *(f"contest wait e1 {SERVER}", f"contest attack t1 x.csv {SERVER}"),
    *("contest status --server nosuch", f"contest join {SERVER}", "sample table --out out.nosuch"),
    *("sample table --rows 0 --out o.csv", "sample history --rows 5 --customers 9 --out o.csv"),
    *("hierarchy show", "hierarchy show --builtin nosuch", "hierarchy export --out o.csv"),
    *("hierarchy check --hierarchy ragged.csv", "hierarchy check --hierarchy cycle.csv"),
    *("hierarchy build --data x.csv --column illness --width 5 --out h.csv",),
    *("hierarchy build --data x.csv --column age --out h.csv --kind intervals --cuts 5 --cuts 3",),
    *("ledger init ledger --key-file new.key", "ledger show nowhere", "ledger show x.csv"),
    *("ledger show ledger --key-file x.csv", "rules mine --data x.csv", "price show --data x.csv"),
    *("price diff --data people.csv", "price diff --data people.csv --before prices.csv --k 5"),
    *("price serve --data people.csv --patterns gone/a.csv --port 0",),
    *("unicity --data T.csv --format pws2018 --points 9", "curves --original x.csv"),
)  # fmt: skip
"""Whole command lines."""
FILES = {
    "empty.csv": "",
    "one.csv": "age,sex,income\n",
    "other.csv": "a,b\n1,2\n3,4\n",
    "twice.csv": "age,age,sex\n1,2,F\n3,4,M\n",
    "noise.csv": "age,sex,income\n30,F,lots\n31\n32,M,1,2\n",
    "ragged.csv": "20;20-29;*\n30;30-39\n;;\n",
    "cycle.csv": "a;b;*\nb;a;*\na;c;*\n",
    "x.zip": "no archive",
    "wrong.yaml": "data: [1\n",
    "list.yaml": "- 1\n- 2\n",
    "empty.yaml": "",
    "unknown.yaml": "data: {file: x.csv, nosuch: 1}\nreleases: 5\nnosuch: 1\n",
    "missing.yaml": (
        "data: {file: x.csv, qi: [nosuch]}\nreleases: [{name: a, steps: [{method: nosuch}]}]\n"
    ),
    "wrong-contest/contest.yaml": (
        "slug: A B\ntitle: 5\nformat: nosuch\nnosuch: 1\nphases:\n"
        "  - {kind: anonymize, starts: tomorrow, ends: 2026-01-01}\nquotas: {submissions: many}\n"
    ),
}
"""Files that cannot be used; beside them the folder `folder`."""


def list_wrong_usages(*, few: bool) -> Iterator[list[str]]:
    """Of every command: what is refused before anything is read.

    `few`: what is wrong about an option only for the first command that has it.
    """
    seen: set[str] = set()
    for command in list_commands():
        path = list(command.path)
        yield [*path, "--nosuch-option"]
        options = command.options()
        if any(is_required(option) for option in options.values()):
            yield path
        for option in options.values():
            if not option.positional and not option.hidden:
                for words in _list_wrong_words(option):
                    if not few or " ".join(words) not in seen:
                        yield [*path, *words]
                    seen.add(" ".join(words))


def is_required(option: OptionSpec) -> bool:
    """Whether a command cannot do without it."""
    field = option.field
    if field is None:
        return False
    return type(field.default).__name__ == type(field.default_factory).__name__ == "_MISSING_TYPE"


def _list_wrong_words(option: OptionSpec) -> Iterator[list[str]]:
    name, (least, most) = option.written, option.limits
    if option.type is bool:
        yield [f"{name}=yes"]
        return
    yield [name]
    if option.type in (int, float):
        yield [name, "many"]
    if least is not None:
        yield [name, str(int(least) - 1)]
    if most is not None:
        yield [name, str(int(most) + 1)]
    if get_args(option.type) and get_origin(option.type) is not list:
        yield [name, "nosuch"]
    if option.type is str:
        yield [name, "a", name, "b"]


def list_wrong_values(*, few: bool) -> Iterator[list[str]]:
    """The commands of the scene with a wrong value, or with one more that is wrong.

    `few`: with each of them only the first command that can have it.
    """
    seen: set[str] = set()
    for change, words in _list_changed_commands():
        if not few or change not in seen:
            yield words
        seen.add(change)
    yield from (shlex.split(text) for text in OTHERS)


def _list_changed_commands() -> Iterator[tuple[str, list[str]]]:
    """What is changed, and the command with the change."""
    commands = {command.command_text: command for command in list_commands()}
    for _, text in list_scene():
        words = shlex.split(text)
        command = next(
            commands[name] for n in (3, 2, 1) if (name := " ".join(words[:n])) in commands
        )
        for place, word in enumerate(words):
            for value in REPLACED.get(word, ()):
                yield f"{word} {value}", [*words[: place + 1], value, *words[place + 2 :]]
        for more in _list_added(command, words):
            yield more, [*words, *shlex.split(more)]


def _list_added(command: CliCommand, words: list[str]) -> Iterator[str]:
    known = {option.written for option in command.options().values()}
    for more in ADDED:
        option = more.partition(" ")[0]
        if option in known and option not in words:
            yield more
