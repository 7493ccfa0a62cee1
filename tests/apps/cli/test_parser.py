"""Command lines are read by a parser made from the options of the command classes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tokumei.apps.cli.dispatch import CliCommand, list_commands, resolve_command
from tokumei.apps.cli.parser import parse_arguments
from tokumei.core.errors import UsageError


def command(words: str) -> CliCommand:
    found = resolve_command(words.split()).command
    assert found is not None
    return found


def test_every_option_of_every_command_is_read() -> None:
    for one in list_commands():
        for name, option in one.options().items():
            if option.positional:
                continue
            args = [option.written] if option.type is bool else [f"{option.written}=x"]
            values, rest = parse_arguments(one, args)
            assert (list(values), rest) == ([name], []), (one.path, args)


def test_a_value_follows_its_option_or_an_equals_sign() -> None:
    table = command("anonymize table")
    args = ["--data", "x.csv", "--k=5", "--set", "a=1", "--set=b=2", "--json", "--seed", "-1"]
    values, rest = parse_arguments(table, args)
    assert values == {
        "data": "x.csv",
        "k": "5",
        "set": ["a=1", "b=2"],
        "json": True,
        "seed": "-1",
    }
    assert rest == []


def test_options_of_methods_are_left_over() -> None:
    args = ["--scale", "0.1", "--method", "noise", "--all", "--json"]
    values, rest = parse_arguments(command("anonymize table"), args)
    assert values == {"method": "noise", "json": True}
    assert rest == ["--scale", "0.1", "--all"]


def test_options_are_not_abbreviated() -> None:
    values, rest = parse_arguments(command("anonymize table"), ["--meth", "noise"])
    assert (values, rest) == ({}, ["--meth", "noise"])


def test_words_are_positional_arguments_wherever_they_stand() -> None:
    attack = command("contest attack")
    values, rest = parse_arguments(attack, ["t", "--label", "x", "a.csv", "--wait", "b.csv"])
    assert values == {"target": "t", "files": ["a.csv", "b.csv"], "label": "x", "wait": True}
    assert rest == []
    values, rest = parse_arguments(command("key"), ["--json", "--", "-k"])
    assert (values["file"], rest) == ("-k", [])
    assert parse_arguments(command("key"), ["a", "b"]).rest == ["b"]


def test_a_flag_that_is_on_is_turned_off() -> None:
    studio = command("studio")
    assert parse_arguments(studio, ["--no-browser"]).values == {"browser": False}
    assert parse_arguments(studio, ["--browser"]).values == {"browser": True}
    assert parse_arguments(command("key"), ["--no-json"]).rest == ["--no-json"]


@pytest.mark.parametrize(
    ("args", "en", "ja"),
    [
        (["--k"], "--k needs a value", "--k には値が必要です"),
        (["--qi", "--sa", "s"], "--qi needs a value", "--qi には値が必要です"),
        (
            ["--qi", "-age"],
            "--qi needs a value; one that begins with a dash is written --qi=-age",
            "--qi には値が必要です (- で始まる値は --qi=-age と書きます)",
        ),
        (["--json=1"], "--json takes no value", "--json は値を取りません"),
    ],
)
def test_what_cannot_be_read_is_told_in_both_languages(args: list[str], en: str, ja: str) -> None:
    with pytest.raises(UsageError) as wrong:
        parse_arguments(command("anonymize table"), args)
    message = wrong.value.message
    assert (message.show("en"), message.show("ja")) == (en, ja)


def test_help_loads_no_table_library() -> None:
    code = (
        "import sys\nfrom tokumei.apps.cli.app import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "assert not {'polars', 'numpy', 'pydantic', 'rich'} & {*sys.modules}\n"
    )
    for args in (["--help"], ["anonymize", "--help"], ["--complete", "att"]):
        ran = subprocess.run(
            [sys.executable, "-c", code, *args], check=True, capture_output=True, text=True
        )
        assert ran.stdout


def test_an_option_with_two_values_is_refused(tokumei) -> None:  # type: ignore[no-untyped-def]
    """One of them would be dropped without a word, perhaps the stricter model."""
    Path("x.csv").write_text("a,s\n1,u\n1,v\n")
    asked = ["anonymize", "table", "--data", "x.csv", "--qi", "a", "--sa", "s", "--k", "2"]
    ran = tokumei(*asked, "--l", "3", "--l", "2", "--out", "y.csv")
    assert ran.code == 2
    assert "--l is given twice" in ran.err
    assert not Path("y.csv").exists()


def test_several_values_are_given_at_once(tokumei) -> None:  # type: ignore[no-untyped-def]
    ran = tokumei("anonymize", "table", "--data", "x.csv", "--qi", "age", "--qi=sex")
    assert ran.code == 2
    assert "--qi is given twice; give all values at once, separated by commas: --qi age,sex" in (
        ran.err
    )
    ran = tokumei("anonymize", "table", "--lang", "ja", "--qi", "age", "--qi", "sex")
    assert "コンマで区切って一度に指定してください: --qi age,sex" in ran.err
    ran = tokumei("anonymize", "table", "--k", "5", "--k", "3")
    assert "--k is given twice" in ran.err
    assert "commas" not in ran.err


@pytest.mark.parametrize(
    "args",
    [
        ["anonymize", "table", "--data", "x.csv", "--qi", "--sa", "s"],
        ["anonymize", "table", "--data", "x.csv", "--qi", "--sa=s"],
        ["anonymize", "table", "--data", "x.csv", "--qi"],
        ["attack", "--original", "x.csv", "--qi", "--json"],
    ],
)
def test_an_option_before_another_lacks_its_value(tokumei, args: list[str]) -> None:  # type: ignore[no-untyped-def]
    ran = tokumei(*args)
    assert ran.code == 2
    assert "--qi needs a value" in ran.err


def test_a_column_may_have_the_name_of_an_option(tokumei) -> None:  # type: ignore[no-untyped-def]
    Path("x.csv").write_text("--sa,s\n" + "1,2\n" * 6)
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi=--sa", "--k", "2", "--out", "y.csv"
    )
    assert "needs a value" not in ran.err


def test_a_file_of_blank_lines_has_no_rows(tokumei) -> None:  # type: ignore[no-untyped-def]
    Path("x.csv").write_text("a\n" + "\n" * 30)
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "a", "--k", "3", "--out", "y.csv"
    )
    assert ran.code == 2
    assert not Path("y.csv").exists()
