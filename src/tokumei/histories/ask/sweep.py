"""`tokumei sweep` of a history, the whole trade-off of a method over k; `tokumei advise`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core import options
from tokumei.core.ask import Answer, Listing, option
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import (
    HistoryFile,
    InLayout,
    categories_option,
    columns_option,
    items_option,
)
from tokumei.histories.services.requests import HistorySource, SweepHistoryRequest
from tokumei.report.advice_ask import AskAdvice

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.core.sweep import Sweep
    from tokumei.histories.services.sweep import SweptHistory


@dataclass(frozen=True, kw_only=True)
class SweepHistory(HistoryFile):
    """Sweep over k."""

    about: ClassVar = Text(
        "Anonymize with every k; show loss, risk (1/k), their sum and the rows kept, the "
        "smallest sum and the Pareto front. With --out also CSV, JSON, chart and report.",
        "すべての k で匿名加工し、損失・リスク (1/k)・合計・残った行の割合・合計の最小・"
        "パレート最適を示します。--out で CSV・JSON・図・レポートも作ります。",
    )
    examples: ClassVar = (
        "tokumei sweep --format pws2018 --data T.csv --method rank-match,aligned --k 2-20 "
        "--out sweep",
        "tokumei sweep --format pws2018 --data T.csv --k 2-20 --attacks best --most-found 0.2",
    )

    method: tuple[str, ...] = options.swept_methods_option("rank-match")
    k: tuple[int, ...] = options.k_option()
    set: dict[str, Any] = options.swept_set_option()
    categories: str | None = categories_option()
    items: str | None = items_option()
    measures: tuple[str, ...] = options.measures_option()
    attacks: tuple[str, ...] = options.attacks_option()
    most_found: float | None = option(
        "with --attacks: the least loss whose strongest attack finds at most this share",
        "--attacks と: 最も強い攻撃がこの割合以下のうち損失が最小のもの",
        default=None,
    )
    out: str | None = options.out_folder_option()
    seed: int | None = options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen methods and the layout of the file, whose fields are options."""
        from tokumei.histories.registry import anonymizers

        names = given.get("method", anonymizers.names())
        return {**super().methods(given), **{name: anonymizers.get(name) for name in names}}

    def answer(self) -> Answer:
        """Sweep, write, and say what is best."""
        from tokumei.histories.kind import HISTORIES
        from tokumei.histories.services.sweep import sweep_history
        from tokumei.report.sweeps import sweep_answer

        files, rest = self.parted()
        params = options.swept_params(HISTORIES, self.method, rest)
        options.spare_results((self.data, self.items, self.categories), self.out)
        categories = None
        if self.categories is not None:
            categories = self.category_request(self.categories, self.items, self.seed)
        else:
            options.refuse_beside("a sweep without --categories", items=self.items)
        request = SweepHistoryRequest(
            source=self.history_source(files),
            methods=params,
            values=self.k,
            categories=categories,
            measures=self.measures,
            attacks=self.attacks,
            seed=self.seed,
        )
        swept = sweep_history(request)
        self._write(swept)
        answer = sweep_answer(swept.sweeps, swept.notes)
        return replace(answer, shown=[*answer.shown, *self._standards(swept.sweeps)])

    def _standards(self, found: list[Sweep]) -> list[Listing | Text]:
        """Attacks beside 1/k and R(n), and what the user's threshold chooses."""
        from tokumei.histories.sweeps import choice_words, standards_listing

        if not self.attacks:
            if self.most_found is not None:
                raise UsageError(
                    "--most-found needs --attacks", "--most-found には --attacks が必要です"
                )
            return []
        shown: list[Listing | Text] = [standards_listing(one) for one in found]
        if self.most_found is not None:
            shown += [choice_words(one, self.most_found) for one in found]
        return shown

    def _write(self, swept: SweptHistory) -> None:
        """Figures, chart and page, the latter with what the best release is good for.

        With categories the page has both curves: the releases that keep the items, too.
        """
        from tokumei.files.atomic import write_all
        from tokumei.files.releases import make_folder
        from tokumei.histories.report.page import sweep_outputs
        from tokumei.histories.study import study_history

        if self.out is None:
            return
        folder = make_folder(self.out)
        pages = []
        for one in swept.sweeps:
            curve = {"sweep" if swept.categories is None else "by_category": one}
            how: dict[str, Any] = {"params": one.params, "categories": swept.categories, **curve}
            pages.append(study_history(swept.history, one.method, self.k, seed=self.seed, **how))
        write_all(sweep_outputs(pages, folder))


@dataclass(frozen=True, kw_only=True)
class AdviseHistory(AskAdvice, InLayout):
    """Advise on a history."""

    about: ClassVar = Text(
        "Of purchase histories: candidates over k for every method, with their loss and the people "
        "that attacks find.",
        "購買履歴: 手法ごとに k を変えた候補の損失と、攻撃で特定される人数を示します。",
    )
    examples: ClassVar = (
        "tokumei advise T.csv --format pws2018 --recipient partner --keep item --out advice.html",
    )
    told_by: ClassVar = ("columns",)

    method: tuple[str, ...] = option(
        "method names: a,b (default: those that fit)",
        "手法名: a,b (既定は大きさに合うもの)",
        default=(),
    )
    columns: dict[str, str] = columns_option()
    sep: str | None = options.sep_option()
    encoding: str = options.encoding_option()
    format: str = "table"

    def adviser(self) -> Adviser:
        """Read the history."""
        from tokumei.histories.advising import history_adviser
        from tokumei.histories.formats.layout import history_layout
        from tokumei.histories.services.read import read_history

        dialect = {"sep": self.sep, "encoding": self.encoding}
        given = {"columns": self.columns, **dialect, **self.set}
        layout = history_layout(self.format, dashes="--", **given)
        read = read_history(HistorySource(data=self.file, layout=layout))
        adviser = history_adviser(
            read.history, self.purpose(), seed=self.seed, methods=self.method or None
        )
        adviser.notes[:0] = read.notes
        return adviser
