"""What the blocks of a paper are computed from: its figures, a recipe, and a folder of real data.

class Histories(Case):
    def table1(self) -> Found: ...          # one method per block, of the block's name

Histories.of("000", folder=Path("data")).blocks()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.lazy import load
from tokumei.core.progress import track
from tokumei.core.text import Text
from tokumei.core.yaml_models import load_yaml, yaml_source
from tokumei.papers.printed import NUMBERS, Book, Printed, read_book, recipe_of
from tokumei.papers.verdict import Block, Found, compare, waiting


class NeedsDataError(Exception):
    """Real data that a block needs and that was not given; its message names the file."""


@dataclass(frozen=True, eq=False)
class Case:
    """A paper, how its blocks are computed, and where real data lies, if anywhere."""

    book: Book
    recipe: Mapping[str, Any]
    folder: Path | None = None

    @classmethod
    def of(
        cls, number: str, *, recipe: Mapping[str, Any] | None = None, folder: Path | None = None
    ) -> Self:
        """The paper with its own recipe, some settings of which may be given."""
        return cls(read_book(number), {**recipe_of(number), **(recipe or {})}, folder)

    def file(self, name: str) -> Path:
        """A file of the folder of real data."""
        if self.folder is None or not (self.folder / name).exists():
            raise NeedsDataError(name)
        return self.folder / name

    def printed(self, name: str) -> Printed:
        """A block as the paper prints it."""
        return self.book.blocks[name]

    def shown(self) -> Found:
        """A block of which nothing is computed: a picture, or figures of data that is private."""
        return Found()

    def blocks(self, names: Sequence[str] = ()) -> list[Block]:
        """The blocks of these names, or all, in the paper's order."""
        known = self.book.blocks
        for name in names:
            if name not in known:
                raise UnknownNameError(Text("table", "表"), name, list(known))
        wanted = [one for one in known.values() if not names or one.id in names]
        told = Text(f"paper {self.book.number}", f"論文 {self.book.number}")
        return [self.block(one) for one in track(wanted, told)]

    def block(self, printed: Printed) -> Block:
        """A block beside ours; waiting, if it needs data that is not there."""
        try:
            found: Found = getattr(self, printed.id)()
        except NeedsDataError as missing:
            return waiting(printed, str(missing))
        return compare(printed, found)


HOMES = {
    "000": "tokumei.papers.histories:Histories",
    "001": "tokumei.papers.contest_2017:Contest2017",
    "002": "tokumei.papers.prices:Prices",
    "003": "tokumei.papers.distance_attack:DistanceAttack",
    "004": "tokumei.papers.recommendations:Recommendations",
}
ALL = "all"


@dataclass(frozen=True, eq=False)
class PaperRun:
    """A paper beside ours."""

    book: Book
    blocks: Sequence[Block]

    @property
    def counts(self) -> Counter[str]:
        """How many blocks have which verdict."""
        return Counter(block.verdict for block in self.blocks)

    @property
    def needs(self) -> list[str]:
        """The files that blocks wait for."""
        return list(dict.fromkeys(block.needs for block in self.blocks if block.needs))

    def as_json(self) -> list[dict[str, Any]]:
        """As plain data."""
        return [block.as_json() for block in self.blocks]


def run_paper(
    number: str,
    *,
    recipe: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    tables: Sequence[str] = (),
) -> PaperRun:
    """The blocks of a paper, computed by its recipe, some of whose settings may be given."""
    kind = cast("type[Case]", load(HOMES[number]))
    case = kind.of(number, recipe=recipe, folder=folder)
    return PaperRun(case.book, case.blocks(tables))


def chosen(asked: str) -> dict[str, dict[str, Any]]:
    """The papers meant by a number, `all`, or the file of a recipe; with the recipe's settings."""
    if asked == ALL:
        return {number: {} for number in NUMBERS}
    if asked in HOMES:
        return {asked: {}}
    if not asked.endswith((".yaml", ".yml")):
        raise UnknownNameError(Text("paper", "論文"), asked, [*NUMBERS, ALL])
    found = load_yaml(yaml_source(asked), where=asked)
    number = str(found.get("paper")) if isinstance(found, dict) else ""
    if number not in HOMES:
        raise UsageError(
            f"{asked}: 'paper' must be one of {', '.join(NUMBERS)}",
            f"{asked}: 'paper' は {'・'.join(NUMBERS)} のいずれかです",
        )
    known = recipe_of(number)
    for key in found:
        if key not in known:
            raise UnknownNameError(Text("key of the recipe", "レシピのキー"), str(key), list(known))
    return {number: found}


def with_settings(number: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the given settings that the paper's recipe has; None stands for none."""
    known = recipe_of(number)
    return {key: value for key, value in given.items() if value is not None and key in known}
