"""The blocks of a page of the documentation: commands, programs and files that it shows.

Blocks of a page run in order in one empty folder. `python` blocks share a namespace. In `console`
blocks every `$ tokumei` line runs and must exit with 0, or with the number shown after `$ echo $?`.
A `yaml` block is saved if the line before it names a `.yaml` file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NOT_OURS = ("design.md", "decisions/")
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if not page.relative_to(DOCS).as_posix().startswith(NOT_OURS)
]
NAMES = [page.relative_to(DOCS).as_posix() for page in PAGES]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"`([\w-]+\.yaml)`[^`\n]*\n\n\Z")


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, its line and the file it is to be saved as."""

    kind: str
    text: str
    line: int
    saved: str | None


@dataclass(frozen=True)
class ShownCommand:
    """One command of a console block and the exit code it must have."""

    args: list[str]
    code: int


def parse_blocks(text: str) -> list[Block]:
    blocks = []
    for match in FENCE.finditer(text):
        before = SAVED.search(text[: match.start()])
        line = text.count("\n", 0, match.start()) + 2
        blocks.append(Block(match[1], match[2], line, before[1] if before else None))
    return blocks


def parse_commands(block: Block) -> Iterator[ShownCommand]:
    lines = block.text.splitlines()
    for place, line in enumerate(lines):
        if not line.startswith("$ tokumei "):
            continue
        later = next((i for i in range(place + 1, len(lines)) if lines[i].startswith("$ ")), None)
        shows_code = later is not None and lines[later] == "$ echo $?"
        code = int(lines[later + 1]) if later and shows_code else 0
        yield ShownCommand(shlex.split(line)[2:], code)


def compile_block(block: Block) -> CodeType:
    """The block as its reader would run it, with the page's line numbers in a traceback."""
    source = "\n" * (block.line - 1) + block.text
    return compile(source, "page", "exec", dont_inherit=True)
