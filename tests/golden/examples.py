"""Records the examples that stand in the help of every command.

An example names files that a reader would have. Each run gets those it names in an empty folder:
tables of just the columns that the example names, generated histories, releases of them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from golden.example_files import make_files
from golden.transcript import open_transcript
from tokumei.apps.cli.dispatch import list_commands

NOT_RUN = {
    "contest demo": "a server",
    "contest serve": "a server",
    "contest worker": "a server",
    "demo": "takes long, and the recipes are the same",
    "paper 000": "needs real data",
    "paper all": "needs real data",
    "price serve": "a server",
    "run": "the recipes are recorded by themselves",
    "studio": "a server",
}
"""Examples that begin so are not run."""
RUN_INSTEAD = {
    "--seconds 60": "--steps 3",
    "--steps 30": "--steps 3",
    "--rows 8333": "--rows 400",
    "--rows 20000": "--rows 2000",
    "--rows 11000": "--rows 1000",
    "--k 2-20": "--k 2-6",
    "--k 2-50": "--k 2-6",
    "--lifetimes 1-12": "--lifetimes 1-3",
    "--out audit.html": "--seed 1 --out audit.html",  # imports may draw, too
    "--most-found 0.2": "--most-found 0.2 --seed 1",  # attacks in threads draw in any order
}
"""Parts of examples that take long or cannot be repeated, and what is run instead."""
SERVER = "--server URL"
"""An example with this asks a server."""
TYPED = re.compile(r"tokumei ([^)|#]*)")


def list_examples() -> dict[str, list[str]]:
    """The examples of all commands that are run, by the first word of the command."""
    examples: dict[str, list[str]] = {}
    for command in list_commands():
        for _, implementation in command.implementations:
            examples.setdefault(command.path[0], []).extend(implementation.ask().examples)
    return {word: runs for word, typed in examples.items() if (runs := [*_adapt(typed)])}


def _adapt(examples: Sequence[str]) -> Iterator[str]:
    for example in examples:
        typed = TYPED.search(example)
        assert typed, example
        text = typed[1].strip()
        for part, instead in RUN_INSTEAD.items():
            text = text.replace(part, instead)
        if not text.startswith(tuple(NOT_RUN)) and SERVER not in text:
            yield text


def record_examples(examples: Sequence[str], variant: str, folder: Path) -> list[str]:
    """What every example says and writes, each in a folder of its own."""
    lines = []
    for number, example in enumerate(examples):
        place = folder / str(number)
        place.mkdir()
        with open_transcript(example, variant, place) as transcript:
            make_files(example, transcript)
            transcript.begin()
            transcript.run_command(shlex.split(example))
        lines += transcript.lines
    return lines
