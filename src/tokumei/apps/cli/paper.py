"""`tokumei paper`: compares every table and figure of a paper with our values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message, current_language
from tokumei.core.shared_options import out_folder_option, seed_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokumei.apps.papers.reproduction import PaperRun


@dataclass(frozen=True, kw_only=True)
class ReproducePaper(Command):
    """Show a paper's figures beside ours."""

    about: ClassVar = Message(
        "Compare every table and figure of one of the five papers behind Tokumei with what is "
        "computed: equal, within rounding, of the same form, different with the reason, different "
        "without one (exit code 1), or not computable. What needs real data names its files; "
        "--data gives their folder."
    )
    examples: ClassVar = (
        "tokumei paper 002",
        "tokumei paper 000 --table table9,table13 --data data",
        "tokumei paper all --data data --out papers",
    )

    paper: str = option("000 to 004, all, or a recipe: examples/paper-004.yaml", positional=True)
    table: tuple[str, ...] = option("only these: table9,figure2", default=())
    data: str | None = option("folder of the real data", default=None)
    draws: int | None = option("004: how many tables are drawn", default=None, least=1)
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Compute, show, and write pages if they are wanted."""

        from tokumei.apps.papers.block_text import block_tables
        from tokumei.apps.papers.reproduction import (
            resolve_papers,
            run_paper,
            select_recipe_settings,
        )

        folder = None if self.data is None else Path(self.data)
        settings = {"draws": self.draws, "seed": self.seed}
        runs = [
            run_paper(
                number,
                recipe={**recipe, **select_recipe_settings(number, settings)},
                folder=folder,
                tables=self.table,
            )
            for number, recipe in resolve_papers(self.paper).items()
        ]
        differs = any(run.counts["differs"] for run in runs)
        tables_by_paper = [{"paper": run.book.number, "tables": run.as_json()} for run in runs]
        shown = [part for run in runs for part in block_tables(run)]
        return CommandResult(
            tables_by_paper[0]["tables"] if len(runs) == 1 else tables_by_paper,
            shown,
            self._write_pages(runs),
            code=1 if differs else 0,
        )

    def _write_pages(self, runs: Sequence[PaperRun]) -> list[Message]:
        """A page per paper."""
        from tokumei.apps.papers.page import render_paper
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.files.writing import text_output

        if self.out is None:
            return []
        folder = make_folder(self.out)
        pages = {folder / f"paper-{run.book.number}.html": run for run in runs}
        lang = current_language()
        write_all([text_output(render_paper(run, lang=lang), path) for path, run in pages.items()])
        return [Message("Page: {path}", path=path) for path in pages]
