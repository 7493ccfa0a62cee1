"""Base class of reproductions: published values, a recipe, and a folder of real data.

class HistoriesPaper(Case):
    def table1(self) -> Found: ...          # one method per block, of the block's name

Histories.of("000", folder=Path("data")).blocks()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

from tokumei.apps.papers.comparison import (
    ComparedBlock,
    ComputedBlock,
    block_awaiting_data,
    compare_block,
)
from tokumei.apps.papers.published_values import (
    PAPER_NUMBERS,
    PublishedBlock,
    PublishedPaper,
    Settings,
    read_paper_recipe,
    read_published_paper,
)
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.lazy_imports import load_object
from tokumei.core.messages import Message, join_messages
from tokumei.core.progress import track_progress
from tokumei.core.yaml_models import load_yaml, read_yaml_text


class MissingDataError(Exception):
    """Real data that a block needs and that was not given; its message names the file."""


@dataclass(frozen=True, eq=False)
class PaperReproduction:
    """A paper, how its blocks are computed, and where real data lies, if anywhere."""

    book: PublishedPaper
    recipe: Settings
    folder: Path | None = None

    @classmethod
    def of(cls, number: str, *, recipe: Settings | None = None, folder: Path | None = None) -> Self:
        """The paper with its own recipe, some settings of which may be given."""
        return cls(
            read_published_paper(number), {**read_paper_recipe(number), **(recipe or {})}, folder
        )

    def data_file(self, name: str) -> Path:
        """A file of the folder of real data."""
        if self.folder is None or not (self.folder / name).exists():
            raise MissingDataError(name)
        return self.folder / name

    def published_block(self, name: str) -> PublishedBlock:
        """A block as the paper prints it."""
        return self.book.blocks[name]

    def compare_blocks(self, names: Sequence[str] = ()) -> list[ComparedBlock]:
        """The blocks of these names, or all, in the paper's order."""
        published = self.book.blocks
        for name in names:
            if name not in published:
                raise UnknownNameError(Message("table"), name, list(published))
        selected = [
            published_block
            for published_block in published.values()
            if not names or published_block.id in names
        ]
        progress_label = Message("paper {number}", number=self.book.number)
        return [
            self.compare_one_block(published_block)
            for published_block in track_progress(selected, progress_label)
        ]

    def compare_one_block(self, printed: PublishedBlock) -> ComparedBlock:
        """A block beside ours; waiting, if it needs data that is not there."""
        try:
            computed: ComputedBlock = getattr(self, printed.id)()
        except MissingDataError as missing:
            return block_awaiting_data(printed, str(missing))
        return compare_block(printed, computed)


def printed_only(why: Message) -> Callable[[PaperReproduction], ComputedBlock]:
    """The method of a block of which nothing can be computed, and why."""
    return lambda _: ComputedBlock(why=why)


PICTURE = Message("A picture: the text that we have of the paper holds no figures of it.")
PAPER_CLASSES = {
    "000": "tokumei.apps.papers.histories:HistoriesPaper",
    "001": "tokumei.apps.papers.contest_2017:ContestPaper",
    "002": "tokumei.apps.papers.prices:PricesPaper",
    "003": "tokumei.apps.papers.distance_attack:DistanceAttackPaper",
    "004": "tokumei.apps.papers.recommendations:RecommendationsPaper",
}
ALL_PAPERS = "all"


@dataclass(frozen=True, eq=False)
class PaperRun:
    """A paper beside ours."""

    book: PublishedPaper
    blocks: Sequence[ComparedBlock]
    used_folder: bool = False

    @property
    def counts(self) -> Counter[str]:
        """How many lines have which verdict."""
        return Counter(line.verdict for block in self.blocks for line in block.lines)

    @property
    def missing_files(self) -> list[str]:
        """The files that blocks wait for."""
        return list(dict.fromkeys(block.needs for block in self.blocks if block.needs))

    def as_json(self) -> list[JsonObject]:
        """As plain data."""
        return [block.as_json() for block in self.blocks]


def run_paper(
    number: str,
    *,
    recipe: Settings | None = None,
    folder: Path | None = None,
    tables: Sequence[str] = (),
) -> PaperRun:
    """The blocks of a paper, computed by its recipe, some of whose settings may be given."""
    paper_class = cast("type[PaperReproduction]", load_object(PAPER_CLASSES[number]))
    case = paper_class.of(number, recipe=recipe, folder=folder)
    return PaperRun(case.book, case.compare_blocks(tables), folder is not None)


def resolve_papers(paper: str) -> dict[str, Settings]:
    """The papers meant by a number, `all`, or the file of a recipe; with the recipe's settings."""
    if paper == ALL_PAPERS:
        return {number: {} for number in PAPER_NUMBERS}
    if paper in PAPER_CLASSES:
        return {paper: {}}
    if not paper.endswith((".yaml", ".yml")):
        raise UnknownNameError(Message("paper"), paper, [*PAPER_NUMBERS, ALL_PAPERS])
    recipe = load_yaml(read_yaml_text(paper), where=paper)
    number = str(recipe.get("paper")) if isinstance(recipe, dict) else ""
    if number not in PAPER_CLASSES:
        raise UsageError(
            "{paper}: 'paper' must be one of {paper_numbers}",
            paper=paper,
            paper_numbers=join_messages(PAPER_NUMBERS),
        )
    known_settings = read_paper_recipe(number)
    for key in recipe:
        if key not in known_settings:
            raise UnknownNameError(Message("key of the recipe"), str(key), list(known_settings))
    return {number: recipe}


def set_recipe_settings(number: str, settings: Settings, given: Settings) -> Settings:
    """Those of the settings that the paper's recipe has (None stands for none), and all given."""
    known_settings = read_paper_recipe(number)
    for name, value in given.items():
        if name not in known_settings:
            raise UnknownNameError(Message("key of the recipe"), name, list(known_settings))
        if isinstance(known_settings[name], int | float) and isinstance(value, str):
            raise UsageError("{name} must be a number, not {given}", name=name, given=str(value))
    own = {
        key: value for key, value in settings.items() if value is not None and key in known_settings
    }
    return {**own, **given}
