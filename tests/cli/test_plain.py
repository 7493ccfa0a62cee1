"""Command lines read without Typer are read as Typer reads them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tokumei.cli import plain, verbs
from tokumei.cli.commands import build_app
from tokumei.cli.doors import JSON, declared, doors, python_name
from tokumei.cli.plain import plain_question, read_options

DOORS = [door for door in doors() if not any(one.positional for one in declared(door).values())]
VALUES = st.sampled_from(
    ["5", "0", "05", "+5", "1.5", "-1", "a,b", "k=v", "", "table", "pws2018", "local", "x y", "1e3"]
)


def by_typer(args: list[str]) -> tuple[dict[str, Any], list[str]] | None:
    """What Typer makes of a command line; None: it refuses it."""
    seen: list[tuple[dict[str, Any], list[str]]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verbs, "answered", lambda _, given, rest: seen.append((given, rest)) or 0)
        app = typer.main.get_command(build_app(args))
        try:
            app(args, prog_name="tokumei", standalone_mode=False)
        except typer.TyperException:
            return None
    ((given, rest),) = seen
    empty = (None, [], ())
    told = {name: value for name, value in given.items() if value not in empty}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in told.items()}, list(rest)


@given(st.data())
def test_what_is_read_is_what_typer_reads(data: st.DataObject) -> None:
    door = data.draw(st.sampled_from(DOORS))
    options = declared(door)
    written = [one.written for one in options.values()]
    args: list[str] = []
    for _ in range(data.draw(st.integers(1, 4))):
        name = data.draw(st.sampled_from([*written, "--unknown-one"]))
        value = data.draw(VALUES)
        form = data.draw(st.sampled_from(["{0} {1}", "{0}={1}", "{0}"]))
        args += [part.replace("_", value) for part in form.format(name, "_").split(" ")]
    read = read_options(options, args)
    if read is not None:
        given, rest = by_typer([*door.path, *args]) or ({}, [])
        given.setdefault(JSON, False)
        assert ({JSON: False, **read[0]}, read[1]) == (given, rest)


def test_every_option_of_every_command_is_read() -> None:
    """Not one of them needs Typer when it is given a plain value."""
    for door in DOORS:
        options = declared(door)
        for name, one in options.items():
            number = str(max(7, int(one.least or 0)))
            good = {bool: [], int: [number], float: [number], str: ["x"], list[str]: ["x=y"]}
            values = good.get(one.type, [str(getattr(one.type, "__args__", ("x",))[0])])
            read = read_options(options, [one.written, *values])
            assert read is not None, (door.path, name)
            assert list(read[0]) == [python_name(name)]


@pytest.mark.parametrize(
    "args",
    [
        ["anonymize"],
        ["anonymize", "table"],
        ["anonymize", "table", "--help"],
        ["anonymize", "table", "-h"],
        ["anonymize", "table", "--k", "five"],
        ["anonymize", "table", "--k", "-1"],
        ["anonymize", "table", "--seed", "-1"],
        ["anonymize", "table", "--json=yes"],
        ["anonymize", "table", "stray", "--k", "5"],
        ["anonymize", "table", "--k", "5", "stray"],
        ["anonymize", "table", "--", "--k"],
        ["anonymize", "table", "--engine", "abacus"],
        ["no-such", "--k", "5"],
        ["run", "--out", "x"],
        ["--version"],
        [],
    ],
)
def test_typer_reads_what_is_not_plain(args: list[str]) -> None:
    assert plain_question(args) is None


def test_options_of_methods_are_left_over(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(plain, "asked", lambda *given: seen.append(given) or 1 / 0)
    args = ["anonymize", "table", "--scale", "0.1", "--method", "noise", "--all", "--json"]
    question = plain_question(args)
    assert question is not None
    with pytest.raises(ZeroDivisionError):
        question()
    ((door, format, given, rest),) = seen
    assert (door.path, format) == (("anonymize", "table"), None)
    assert (given, rest) == ({"method": "noise"}, ["--scale", "0.1", "--all"])


def test_a_plain_command_does_not_load_typer(tmp_path) -> None:  # type: ignore[no-untyped-def]
    code = (
        "import sys\nfrom tokumei.cli.app import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "assert 'typer' not in sys.modules\n"
    )
    args = ["sample", "table", "--rows", "20", "--out", str(tmp_path / "x.csv")]
    subprocess.run([sys.executable, "-c", code, *args], check=True)


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
