"""Options that are read plainly have the values that Typer would give them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer

from tokumei.cli.plain import read_plainly

TEXTS = [
    "0",
    "7",
    "-1",
    "+3",
    "007",
    " 5",
    "1.5",
    ".5",
    "1e3",
    "1_000",
    "x",
    "",
    "a",
    "A",
    "9" * 30,
]
Choice = Literal["a", "7"]


def given(args: list[str], *, plainly: bool) -> Any:
    """The values of a command's options, or what was wrong with one."""
    app, found = typer.Typer(), list[Any]()

    @app.command()
    def run(
        name: Annotated[str | None, typer.Argument()] = None,
        whole: Annotated[int | None, typer.Option()] = None,
        positive: Annotated[int | None, typer.Option(min=1, max=8)] = None,
        share: Annotated[float | None, typer.Option(min=0)] = None,
        text: Annotated[str | None, typer.Option()] = None,
        several: Annotated[list[str] | None, typer.Option()] = None,
        choice: Annotated[Choice | None, typer.Option()] = None,
        flag: Annotated[bool | None, typer.Option()] = None,
    ) -> None:
        found.append([name, whole, positive, share, text, several, choice, flag])

    command = typer.main.get_command(app)
    if plainly:
        read_plainly(command)
    try:
        command(args, standalone_mode=False)
    except typer.TyperException as err:
        return err.format_message()
    return [(type(value), value) for value in found[0]]


@pytest.mark.parametrize("option", ["whole", "positive", "share", "text", "several", "choice"])
def test_plain_values_are_those_of_typer(option: str) -> None:
    for text in TEXTS:
        args = [f"--{option}={text}"]
        assert given(args, plainly=True) == given(args, plainly=False), args


@pytest.mark.parametrize("args", [[], ["a"], ["--flag"], ["--several", "a", "--several", "b"]])
def test_what_is_not_given_stays_away(args: list[str]) -> None:
    assert given(args, plainly=True) == given(args, plainly=False)


def test_a_table_is_released_without_pydantic(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("age,sex\n" + "30,f\n40,m\n" * 4)
    args = f"anonymize table --data {tmp_path}/x.csv --qi age,sex --k 2 --out {tmp_path}/y.csv"
    told = "atexit.register(lambda: print('pydantic' in sys.modules, file=sys.stderr))"
    code = f"import atexit, sys; {told}; from tokumei.cli.app import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, *args.split(), "--method", "mondrian"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stderr.split()[-1:] == ["False"]
