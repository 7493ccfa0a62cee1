"""Records the pages of the documentation: every command and every program that they show."""

from __future__ import annotations

import shutil
from pathlib import Path

from golden.transcript import Transcript, open_transcript
from support.documentation import (
    DOCS,
    ROOT,
    ShownCommand,
    compile_block,
    parse_blocks,
    parse_commands,
)

NO_JSON = {"--json", "--help", "--version", "worker"}
"""A command with one of these is run as it stands in the runs that ask for JSON."""
EXAMPLE_ROWS = ("8333", "400")


def list_variants(page: str) -> tuple[str, ...]:
    """How a page is run: in its language, in Japanese if it has no Japanese twin, with --json."""
    if page.endswith(".ja.md"):
        return ("ja", "json")
    twin = _locate_page(page.replace(".md", ".ja.md"))
    return ("en", "json") if twin.is_file() else ("en", "ja", "json")


def record_page(page: str, variant: str, folder: Path) -> list[str]:
    """What the page's blocks say and write; fails if a command does not exit as the page shows."""
    lang = "en" if variant == "json" else variant
    names: dict[str, object] = {"__name__": "__main__"}
    _copy_examples(page, folder)
    with open_transcript(page, lang, folder) as transcript:
        transcript.begin()
        for block in parse_blocks(_locate_page(page).read_text(encoding="utf-8")):
            if block.saved and block.kind == "yaml":
                Path(block.saved).write_text(block.text, encoding="utf-8")
            if block.kind == "python":
                title = f"the program of line {block.line}"
                transcript.run_program(compile_block(block), names, title=title)
            if block.kind == "console":
                for command in parse_commands(block):
                    _run_command(transcript, command, variant)
    return transcript.lines


def _run_command(transcript: Transcript, command: ShownCommand, variant: str) -> None:
    args = command.args
    as_json = variant == "json" and ("--json" in args or NO_JSON.isdisjoint(args))
    if as_json and "--json" not in args:
        args = [*args, "--json"]
    code = transcript.run_command(args, as_json=as_json)
    assert code == command.code, [*transcript.lines[-20:], args]


def _locate_page(page: str) -> Path:
    return ROOT / page if page.startswith("README") else DOCS / page


def _copy_examples(page: str, folder: Path) -> None:
    """The READMEs' commands are typed where the examples are; a smaller table will do."""
    if page.startswith("README"):
        shutil.copytree(ROOT / "examples", folder / "examples")
        recipe = folder / "examples" / "table.yaml"
        text = recipe.read_text(encoding="utf-8")
        recipe.write_text(text.replace(*EXAMPLE_ROWS), encoding="utf-8")
