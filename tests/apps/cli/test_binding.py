"""Commands made from what kinds may be asked: union of options, refusals, methods' own options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from tokumei.apps.cli.app import run_command_line
from tokumei.apps.cli.converters import format_parameter_help
from tokumei.apps.cli.dispatch import list_commands
from tokumei.core.command import Command, CommandResult, CommandSpec, TextTable, option
from tokumei.core.data_kind import DataKind
from tokumei.core.errors import TokumeiError, UnknownNameError, UsageError
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.core.registry import Registry
from tokumei.core.shared_options import seed_option, set_option

SEEN: list[Command] = []


@dataclass(frozen=True)
class Blur:
    """A method with fields of every sort."""

    name: ClassVar[str] = "blur"

    width: float = 1.0
    columns: tuple[str, ...] = ()
    hard: bool = False
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class AskLeft(Command):
    about: ClassVar = Message("Left.")
    examples: ClassVar = ("tokumei paint --file x",)

    file: str = option("a file")
    method: tuple[str, ...] = option("methods", default=("blur",), aliases=("methods",))
    numbers: tuple[int, ...] = option("numbers", default=())
    roles: dict[str, str] = option("roles", default={})
    set: dict[str, Any] = set_option()
    flag: bool = option("a flag", default=False)
    seed: int | None = seed_option()

    @classmethod
    def methods(cls, given):
        return {"blur": Blur}

    def answer(self) -> CommandResult:
        SEEN.append(self)
        listing = TextTable(Message("T"), ["", Message("v")], [["a", "1"]])
        return CommandResult({"file": self.file}, [listing, Message("done")], [Message("n")], 1)


@dataclass(frozen=True, kw_only=True)
class AskRight(Command):
    about: ClassVar = Message("Right.")

    format: str
    of: DataKind
    master: str = option("customers")

    def answer(self) -> CommandResult:
        SEEN.append(self)
        return CommandResult({"format": self.format, "of": self.of.name})


def kind(name: str, ask: str, *formats: str) -> DataKind:
    registries = {
        part: Registry(f"test.{name}.{part}", Message.verbatim(part), {})
        for part in ("anonymizers", "attackers", "measures", "claim_checks", "formats")
    }
    verb = CommandSpec(LazyObject(__name__, ask), formats)
    return DataKind(
        name=name,
        noun=name,
        title=Message.verbatim(name),
        home="test",
        commands={"paint": verb},
        services=LazyObject("test", "SERVICES"),
        **registries,
    )


@pytest.fixture
def run(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    made = list_commands([kind("left", "AskLeft", "csv"), kind("right", "AskRight", "cup", "cup2")])
    SEEN.clear()
    return lambda *args: run_command_line(["paint", *args], made)


def failure(run, *args) -> TokumeiError:
    with pytest.raises(TokumeiError) as wrong:
        run(*args)
    return wrong.value


def test_text_becomes_what_the_field_says(run):
    run(
        "--file",
        "x",
        "--numbers",
        "2-4,7",
        "--roles",
        "a=b,c=d",
        "--roles",
        "e=f",
        "--flag",
        "--set",
        "width=2",
        "--seed",
        "3",
    )
    assert [
        AskLeft(
            file="x",
            numbers=(2, 3, 4, 7),
            roles={"a": "b", "c": "d", "e": "f"},
            flag=True,
            set={"width": 2},
            seed=3,
        )
    ] == SEEN


def test_an_older_name_still_works(run):
    run("--file", "x", "--methods", "blur,blur")
    assert SEEN[0].method == ("blur",)


def test_options_of_a_method_are_its_fields(run):
    run("--file", "x", "--width", "2.5", "--columns=a,b", "--hard", "--label", "2011-01-01")
    assert SEEN[0].set == {"width": 2.5, "columns": ["a", "b"], "hard": True, "label": "2011-01-01"}


def test_an_unknown_option_names_the_nearest(run):
    wrong = failure(run, "--file", "x", "--widht", "2")
    assert isinstance(wrong, UnknownNameError)
    assert wrong.nearest == "--width"
    assert "'x' is not an option" in str(failure(run, "--file", "x", "x"))
    assert "--width needs a value" in str(failure(run, "--file", "x", "--width"))


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("anonymize", "table", "x.csv", "--k", 3, "--out", "y.csv"), "given as --data x.csv"),
        (("check", "y.csv"), "given as --release y.csv"),
        (("attack", "x.csv"), "given as --original x.csv or --known x.csv"),
        (("attack", "--data", "x.csv"), "takes its file by --original or --known"),
        (("measure", "utility", "--data", "x.csv"), "takes its file by --original."),
    ],
)
def test_who_names_a_file_otherwise_is_told_its_option(tokumei, args, told):
    ran = tokumei(*args)
    assert (ran.code, told in ran.err) == (2, True), ran.err


def test_the_format_picks_the_kind(run):
    run("--format", "cup2", "--master", "M.csv")
    assert (SEEN[0].format, SEEN[0].of.name, SEEN[0].master) == ("cup2", "right", "M.csv")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--file", "x", "--master", "m"], "--format csv does not use --master"),
        (["--format", "cup", "--file", "x"], "--format cup does not use --file"),
        (["--format", "cup", "--seed", "1"], "--format cup does not use --seed"),
        (["--format", "cup"], "--format cup needs --master"),
        ([], "--format csv needs --file"),
        (["--file", "x", "--roles", "a"], "--roles needs key=value"),
        (["--file", "x", "--numbers", "a"], "--numbers a: write 2-20"),
        (["--file", "x", "--numbers", ","], "name at least one value"),
    ],
)
def test_what_a_format_does_not_use_or_lacks_is_an_error(run, args, message):
    wrong = failure(run, *args)
    assert isinstance(wrong, UsageError)
    assert message in str(wrong)
    assert SEEN == []


def test_an_answer_is_printed_for_people_or_programs(run, capsys):
    assert run("--file", "x") == 1
    assert "done" in capsys.readouterr().out
    run("--file", "x", "--json")
    machine = capsys.readouterr().out
    assert '"file": "x"' in machine
    assert "done" not in machine


def test_the_help_lists_kinds_examples_and_options_of_methods(run, capsys):
    run("--help-all")
    page = capsys.readouterr().out
    for part in ("Left.", "Right.", "tokumei paint --file x", "--width 1.0", "--master", "csv|cup"):
        assert part in page
    assert "--methods" not in page
    run("--help")
    short = capsys.readouterr().out
    assert "--width" not in short
    assert "tokumei methods blur" in short


def test_an_option_may_come_from_the_environment(tokumei, monkeypatch):
    ran = tokumei("contest", "status")
    assert "--server (or the environment variable TOKUMEI_SERVER) is needed" in ran.err
    monkeypatch.setenv("TOKUMEI_SERVER", "http://127.0.0.1:9")
    assert "is needed" not in tokumei("contest", "status").err


def test_wrong_usage_names_the_help_page_once(tokumei):
    missing = tokumei("attack").err
    assert missing.endswith("Try 'tokumei attack --help' for help.\n")
    unknown = tokumei("attack", "--orignal", "x").err
    assert unknown.count("tokumei attack --help") == 1


def test_a_method_s_help_shows_no_empty_default() -> None:
    assert format_parameter_help({"blur": Blur}) == "blur: --width 1.0, --columns, --hard, --label"
