"""`tokumei paper`: compares every table and figure of a paper with our values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import UnknownNameError
from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.core.shared_options import out_folder_option, refuse_unused_options, seed_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokumei.apps.papers.reproduction import PaperRun


@dataclass(frozen=True, kw_only=True)
class ReproducePaper(Command):
    """Show a paper's figures beside ours."""

    about: ClassVar = Message(
        "Compare every table and figure of one of the five papers behind Tokumei with what is "
        "computed: equal, within rounding, of the same form, different with the reason, different "
        "without one (exit code 1), or not computable. What needs real data names its files; "
        "--data gives their folder. With a file as --data every table and figure of the paper is "
        "made of it instead."
    )
    examples: ClassVar = (
        "tokumei paper 002",
        "tokumei paper 000 --table table9,table13 --data data",
        "tokumei paper all --data data --out papers",
        "tokumei paper 000 --data sales.csv --set k=2-10 --set customers=500 --out study",
    )

    paper: str = option("000 to 004, all, or a recipe: examples/paper-004.yaml", positional=True)
    table: tuple[str, ...] = option("only these: table9,figure2", default=())
    data: str | None = option("folder of the real data, or a file of your own", default=None)
    set: dict[str, object] = option(
        "roles, parameters and sizes: key=value (see docs/papers.md)", default={}
    )
    draws: int | None = option("004: how many tables are drawn", default=None, least=1)
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Compare with the paper, or make its tables of other data."""
        own = self.data is not None and (Path(self.data).is_file() or Path(self.data).suffix)
        return self._study_own_data() if own else self._compare()

    def _compare(self) -> CommandResult:
        """Compute, show, and write pages if they are wanted."""
        from tokumei.apps.papers.block_text import block_tables
        from tokumei.apps.papers.reproduction import resolve_papers, run_paper, set_recipe_settings

        folder = None if self.data is None else Path(self.data)
        settings = {"draws": self.draws, "seed": self.seed}
        runs = [
            run_paper(
                number,
                recipe={**recipe, **set_recipe_settings(number, settings, self.set)},
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
            self._write_comparisons(runs),
            code=1 if differs else 0,
        )

    def _study_own_data(self) -> CommandResult:
        """Make the paper's tables and figures of a file."""
        from tokumei.apps.papers.own.study import OWN_STUDIES, run_own_study
        from tokumei.apps.papers.own.study_page import render_study

        if self.paper not in OWN_STUDIES:
            raise UnknownNameError(Message("paper"), self.paper, list(OWN_STUDIES))
        given = {**self.set, **({} if self.seed is None else {"seed": self.seed})}
        refuse_unused_options(Message("a study of your own data"), draws=self.draws)
        run = run_own_study(self.paper, Path(str(self.data)), given, tables=self.table)
        pages = {}
        if self.out is not None:
            pages = {f"study-{self.paper}.html": render_study(run, lang=current_language())}
        return CommandResult(run.as_json(), run.as_text(), self._write_pages(pages))

    def _write_comparisons(self, runs: Sequence[PaperRun]) -> list[Message]:
        """A page per paper."""
        from tokumei.apps.papers.page import render_paper

        if self.out is None:
            return []
        lang = current_language()
        return self._write_pages(
            {f"paper-{run.book.number}.html": render_paper(run, lang=lang) for run in runs}
        )

    def _write_pages(self, pages: Mapping[str, str]) -> list[Message]:
        """The pages, by the names of their files."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.files.writing import text_output

        if self.out is None:
            return []
        folder = make_folder(self.out)
        write_all([text_output(text, folder / name) for name, text in pages.items()])
        return [Message("Page: {path}", path=folder / name) for name in pages]
