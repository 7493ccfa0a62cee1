"""`tokumei sweep` of a history over k, and `tokumei advise`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tokumei.core import shared_options
from tokumei.core.command import CommandResult, TextTable, chosen_methods, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.histories.commands.history_file import (
    HistoryFileCommand,
    LayoutCommand,
    categories_option,
    columns_option,
    items_option,
)
from tokumei.histories.services.requests import HistorySource, SweepHistoryRequest
from tokumei.pages.advice_command import BaseAdviceCommand

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.core.sweep import Sweep
    from tokumei.histories.services.sweep import SweptHistory


@dataclass(frozen=True, kw_only=True)
class SweepHistory(HistoryFileCommand):
    """Sweep over k."""

    about: ClassVar = Message(
        "Anonymize with every k; show loss, risk (1/k), their sum and the rows kept, the smallest "
        "sum and the Pareto front. With --out also CSV, JSON, chart and report."
    )
    examples: ClassVar = (
        "tokumei sweep --format pws2018 --data T.csv --method rank-match,aligned --k 2-20 "
        "--out sweep",
        "tokumei sweep --format pws2018 --data T.csv --k 2-20 --attacks best --most-found 0.2",
    )

    method: tuple[str, ...] = shared_options.swept_methods_option(default=("rank-match",))
    k: tuple[int, ...] = shared_options.k_option()
    set: dict[str, object] = shared_options.swept_set_option()
    categories: str | None = categories_option()
    items: str | None = items_option()
    measures: tuple[str, ...] = shared_options.measures_option()
    attacks: tuple[str, ...] = shared_options.attacks_option()
    most_found: float | None = option(
        "with --attacks: the least loss whose strongest attack finds at most this share",
        default=None,
    )
    out: str | None = shared_options.out_folder_option()
    seed: int | None = shared_options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen methods and the layout of the file, whose fields are options."""
        from tokumei.histories.registry import anonymizers

        names = chosen_methods(given, anonymizers.names())
        return {**super().methods(given), **{name: anonymizers.get(name) for name in names}}

    def answer(self) -> CommandResult:
        """Sweep, write, and say what is best."""
        from tokumei.histories.kind import HISTORIES
        from tokumei.histories.services.sweep import sweep_history
        from tokumei.pages.sweep_report import sweep_result

        layout_params, method_params = self.split_params()
        params = shared_options.sweep_params_by_method(HISTORIES, self.method, method_params)
        shared_options.refuse_overwriting_with_results(
            (self.data, self.items, self.categories), self.out
        )
        categories = None
        if self.categories is not None:
            categories = self.category_request(self.categories, self.items, self.seed)
        else:
            without = Message("a sweep without --categories")
            shared_options.refuse_unused_options(without, items=self.items)
        request = SweepHistoryRequest(
            source=self.history_source(layout_params),
            methods=params,
            values=self.k,
            categories=categories,
            measures=self.measures,
            attacks=self.attacks,
            seed=self.seed,
        )
        swept = sweep_history(request)
        self._write_report(swept)
        answer = sweep_result(swept.sweeps, swept.notes)
        return replace(answer, shown=[*answer.shown, *self._attack_tables(swept.sweeps)])

    def _attack_tables(self, sweeps: list[Sweep]) -> list[TextTable | Message]:
        """Attacks beside 1/k and R(n), and what the user's threshold chooses."""
        from tokumei.histories.sweeps import attack_table, describe_choice

        if not self.attacks:
            if self.most_found is not None:
                raise UsageError("--most-found needs --attacks")
            return []
        shown: list[TextTable | Message] = [attack_table(result) for result in sweeps]
        if self.most_found is not None:
            shown += [describe_choice(result, self.most_found) for result in sweeps]
        return shown

    def _write_report(self, sweep_argument: SweptHistory) -> None:
        """Figures, chart and page, the latter with what the best release is good for.

        With categories the page has both curves: the releases that keep the items, too.
        """
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.histories.report.page import sweep_outputs
        from tokumei.histories.study import study_history

        if self.out is None:
            return
        folder = make_folder(self.out)
        pages = []
        for result in sweep_argument.sweeps:
            plain = sweep_argument.categories is None
            page = study_history(
                sweep_argument.history,
                result.method,
                self.k,
                params=result.params,
                categories=sweep_argument.categories,
                sweep=result if plain else None,
                by_category=None if plain else result,
                seed=self.seed,
            )
            pages.append(page)
        write_all(sweep_outputs(pages, folder))


@dataclass(frozen=True, kw_only=True)
class AdviseHistory(BaseAdviceCommand, LayoutCommand):
    """Advise on a history."""

    about: ClassVar = Message(
        "Of purchase histories: candidates over k for every method, with their loss and the people "
        "that attacks find."
    )
    examples: ClassVar = (
        "tokumei advise T.csv --format pws2018 --recipient partner --keep item --out advice.html",
    )
    distinguishing_options: ClassVar = ("columns",)

    method: tuple[str, ...] = option("method names: a,b (default: those that fit)", default=())
    columns: dict[str, str] = columns_option()
    sep: str | None = shared_options.sep_option()
    encoding: str = shared_options.encoding_option()
    format: str = "table"

    def adviser(self) -> Adviser:
        """Read the history."""
        from tokumei.histories.advice import history_adviser
        from tokumei.histories.formats.layout import history_layout
        from tokumei.histories.services.read import read_history

        dialect = {"sep": self.sep, "encoding": self.encoding}
        layout_options = {"columns": self.columns, **dialect, **self.set}
        layout = history_layout(self.format, layout_options, dashes="--")
        read = read_history(HistorySource(data=self.file, layout=layout))
        adviser = history_adviser(read.history, self.purpose(), seed=self.seed, methods=self.method)
        adviser.notes[:0] = read.notes
        return adviser
