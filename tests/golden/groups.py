"""All groups of recordings, and the recording of one of them.

GROUPS["docs/index.md"].record()      # the text that is kept in recorded/docs/index.md.txt
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from golden.contests import SIZES, record_contest
from golden.documents import list_variants, record_page
from golden.examples import list_examples, record_examples
from golden.normalize import keep_files
from golden.recipes import RECIPES, record_recipe
from golden.studio import record_studio
from support.documentation import DOCS, NAMES, parse_blocks

RECORDED = Path(__file__).parent / "recorded"
READMES = ("README.md", "README.ja.md")
QUICK = (
    "docs/index.md",
    "docs/look.md",
    "docs/verify.md",
    "docs/tutorial-history.md",
    "docs/tutorial-pseudonyms.md",
    "examples/check",
    "examples/measure",
    "recipes/paper-002.yaml",
    "contest/table",
    "contest/pws2018",
    "studio",
)
"""These go through every kind of data in a few seconds; the others take minutes."""


@dataclass(frozen=True)
class Group:
    """What is recorded in one file: its name, its runs, and what makes the lines of a run."""

    name: str
    variants: Sequence[str]
    record_variant: Callable[[str, Path], list[str]]

    @property
    def path(self) -> Path:
        """Where its recording is kept, below the folder of recordings."""
        return Path(f"{self.name}.txt")

    @property
    def is_quick(self) -> bool:
        return self.name in QUICK

    def record(self, keep: Path | None = None) -> str:
        """Run everything, each run in an empty folder; the recording. `keep` gets the files."""
        lines = []
        for variant in self.variants:
            with tempfile.TemporaryDirectory(prefix="golden-") as folder:
                lines += [f"# {variant}", *self.record_variant(variant, Path(folder).resolve())]
                if keep:
                    keep_files(Path(folder).resolve(), keep / variant)
        return "".join(f"{line}\n" for line in lines)


def _list_pages() -> list[Group]:
    shown = [name for name in NAMES if _runs(name)]
    names = [*((f"docs/{name}", name) for name in shown), *((name, name) for name in READMES)]
    return [Group(name, list_variants(page), partial(record_page, page)) for name, page in names]


def _runs(page: str) -> bool:
    blocks = parse_blocks((DOCS / page).read_text(encoding="utf-8"))
    return any(block.kind in ("console", "python") for block in blocks)


def _list_examples() -> list[Group]:
    return [
        Group(f"examples/{word}", ("en", "ja"), partial(record_examples, examples))
        for word, examples in list_examples().items()
    ]


def _list_recipes() -> list[Group]:
    return [
        Group(f"recipes/{name}", ("en", "ja"), partial(record_recipe, name)) for name in RECIPES
    ]


def _list_contests() -> list[Group]:
    return [Group(f"contest/{name}", ("en",), partial(record_contest, name)) for name in SIZES]


GROUPS = {
    group.name: group
    for group in (
        *_list_pages(),
        *_list_examples(),
        *_list_recipes(),
        *_list_contests(),
        Group("studio", ("en",), record_studio),
    )
}
