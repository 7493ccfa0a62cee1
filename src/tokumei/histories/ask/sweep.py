"""`tokumei sweep` of a history: the whole trade-off of a method over k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.ask import Answer, Listing, option
from tokumei.core.errors import UsageError
from tokumei.core.options import (
    attacks_option,
    k_option,
    measures_option,
    out_folder_option,
    refuse_beside,
    seed_option,
    spare_results,
    swept_methods_option,
    swept_params,
    swept_set_option,
)
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import (
    HistoryFile,
    categories_for,
    categories_option,
    items_option,
)

if TYPE_CHECKING:
    from tokumei.core.sweep import Sweep
    from tokumei.histories.categories.categories import Categories
    from tokumei.histories.data.history import History


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

    method: tuple[str, ...] = swept_methods_option("rank-match")
    k: tuple[int, ...] = k_option()
    set: dict[str, Any] = swept_set_option()
    categories: str | None = categories_option()
    items: str | None = items_option()
    measures: tuple[str, ...] = measures_option()
    attacks: tuple[str, ...] = attacks_option()
    most_found: float | None = option(
        "with --attacks: the least loss whose strongest attack finds at most this share",
        "--attacks と: 最も強い攻撃がこの割合以下のうち損失が最小のもの",
        default=None,
    )
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen methods, whose fields are options."""
        from tokumei.histories.registry import anonymizers

        return {name: anonymizers.get(name) for name in given.get("method", anonymizers.names())}

    def answer(self) -> Answer:
        """Sweep, write, and say what is best."""
        from tokumei.core.sweep import sweep
        from tokumei.histories.kind import HISTORIES
        from tokumei.report.sweeps import sweep_answer

        params = swept_params(HISTORIES, self.method, self.set)
        spare_results((self.data, self.items, self.categories), self.out)
        history, notes = self.read()
        chosen = None
        if self.categories is not None:
            chosen = categories_for(history, self.categories, items=self.items, seed=self.seed)
        else:
            refuse_beside("a sweep without --categories", items=self.items)
        found = [
            sweep(
                HISTORIES,
                history,
                name,
                self.k,
                params=given,
                measures=self.measures,
                attacks=self.attacks,
                categories=chosen,
                seed=self.seed,
            )
            for name, given in params.items()
        ]
        self._write(found, history, chosen)
        answer = sweep_answer(found, notes)
        return replace(answer, shown=[*answer.shown, *self._standards(found)])

    def _standards(self, found: list[Sweep]) -> list[Listing | Text]:
        """Attacks beside 1/k and R(n), and what the user's threshold chooses."""
        from tokumei.histories.standards import choice_words, standards_listing

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

    def _write(self, found: list[Sweep], history: History, categories: Categories | None) -> None:
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
        for one in found:
            swept = {"sweep" if categories is None else "by_category": one}
            how: dict[str, Any] = {"params": one.params, "categories": categories, **swept}
            pages.append(study_history(history, one.method, self.k, seed=self.seed, **how))
        write_all(sweep_outputs(pages, folder))
