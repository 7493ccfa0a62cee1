"""What the blocks of a paper are computed from: its figures, a recipe, and a folder of real data.

class Histories(Case):
    def table1(self) -> Found: ...          # one method per block, of the block's name

Histories.of("000", folder=Path("data")).blocks()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tokumei.core.errors import UnknownNameError
from tokumei.core.progress import track
from tokumei.core.text import Text
from tokumei.papers.printed import Book, Printed, read_book, recipe_of
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
