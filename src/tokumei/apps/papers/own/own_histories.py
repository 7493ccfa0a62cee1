"""Paper 000 on another purchase history: loss against 1/k, clusters of k, categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from tokumei.apps.papers.charts import COMPUTED_SIDE, bars_panel, lines_panel
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.histories import VALUE_AXIS_LABEL
from tokumei.apps.papers.own.own_history_examples import HISTORY_SETTINGS, OwnHistoryExamples
from tokumei.apps.papers.own.study import MadeTable
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep
from tokumei.histories.categories.keywords import category_title
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.report.chart_data import loss_and_sum_rows
from tokumei.histories.services.read import choose_item_categories
from tokumei.histories.services.requests import (
    CategoryRequest,
    HistorySource,
    SweepHistoryRequest,
)
from tokumei.histories.services.sweep import sweep_history
from tokumei.histories.sweeps import sweep_by_category
from tokumei.pages.palette import bilingual_columns


@dataclass(frozen=True, eq=False)
class OwnHistories(OwnHistoryExamples):
    """The blocks of the paper."""

    number: ClassVar[str] = "000"
    defaults: ClassVar[Mapping[str, object]] = {
        **HISTORY_SETTINGS,
        "k": "2-20",
        "method": "rank-match",
        "ascending": False,
        "cluster_k": 3,
        "categories": None,
        "items": None,
        "rules": None,
    }

    @cached_property
    def item_sweep(self) -> Sweep:
        """Every k with the items as they are."""
        method = self.settings.text("method")
        ascending = method == "rank-match" and self.settings.value("ascending")
        request = SweepHistoryRequest(
            source=HistorySource(data=self.history),
            methods={method: {"ascending": True} if ascending else {}},
            values=self.settings.integers("k"),
            seed=self.settings.integer("seed"),
        )
        return sweep_history(request).sweeps[0]

    @cached_property
    def categories(self) -> Categories:
        """Categories for items: by keywords of their descriptions, else by who buys them."""
        items = self.settings.text("items") or None
        request = CategoryRequest(
            by=self.settings.text("categories") or ("keywords" if items else MADE_CATEGORIES),
            items=items,
            rules=self.settings.text("rules") or None,
            seed=self.settings.integer("seed"),
        )
        return choose_item_categories(self.history, request)

    @cached_property
    def category_sweep(self) -> Sweep:
        """Every k with categories for items."""
        return sweep_by_category(self.history, self.categories, self.item_sweep)

    def _sums(self, sweep: Sweep, title: Message | None = None) -> MadeTable:
        """Loss, 1/k and their sum."""
        rows = [[point.value, point.loss, point.risk, point.total] for point in sweep.points]
        note = Message("Smallest sum: k = {k}.", k=sweep.best.value)
        return MadeTable(rows, note=note, title=title)

    def table9(self) -> MadeTable:
        """Every k with the items as they are."""
        return self._sums(self.item_sweep, Message("Loss, 1/k and their sum"))

    def table14(self) -> MadeTable:
        """Every k with categories."""
        return self._sums(self.category_sweep)

    def table10(self) -> MadeTable:
        """Items per category."""
        rows = [[category_title(name), size] for name, size in self.categories.sizes().items()]
        return MadeTable(rows, title=Message("Items per category"))

    def table13(self) -> MadeTable:
        """Loss without and with categories."""
        pairs = zip(self.item_sweep.points, self.category_sweep.points, strict=True)
        return MadeTable([[plain.value, plain.loss, other.loss] for plain, other in pairs])

    def figure1(self) -> MadeTable:
        """Bars of Table 10."""
        rows = [
            {
                **bilingual_columns(category_title(name)),
                "value": size,
                **bilingual_columns(COMPUTED_SIDE, "side_"),
            }
            for name, size in self.categories.sizes().items()
        ]
        items = Message("items", context="how many sorts")
        panel = bars_panel("figure1", Message("Items per category"), items, rows)
        return MadeTable(panels=[panel])

    def figure2(self) -> MadeTable:
        """Five lines over k."""
        rows = [
            {**row, **bilingual_columns(COMPUTED_SIDE, "side_")}
            for row in loss_and_sum_rows(self.item_sweep, self.category_sweep)
        ]
        heading = Message("Loss, 1/k and their sum against k")
        panel = lines_panel("figure2", heading, Message.verbatim("k"), VALUE_AXIS_LABEL, rows)
        return MadeTable(
            [
                [describe_heading("optimum_items"), self.item_sweep.best.value],
                [describe_heading("optimum_categories"), self.category_sweep.best.value],
            ],
            panels=[panel],
        )


MADE_CATEGORIES = "co-purchase:19"
