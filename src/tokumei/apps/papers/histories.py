"""Paper 000: k-anonymous purchase histories, loss against 1/k, and item categories."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from tokumei.apps.papers.charts import COMPUTED_SIDE, PAPER_SIDE, bars_panel, lines_panel
from tokumei.apps.papers.comparison import FORM_ONLY, ComputedBlock, StatedValue
from tokumei.apps.papers.history_examples import HistoryExamples
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep
from tokumei.histories.categories.keywords import category_title
from tokumei.histories.categories.make_categories import choose_categories, read_descriptions
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.guess import threshold
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.report.chart_data import FIVE_LINE_TITLES, loss_and_sum_rows
from tokumei.histories.services.read import read_history
from tokumei.histories.services.requests import HistorySource, SweepHistoryRequest
from tokumei.histories.services.sweep import sweep_history
from tokumei.histories.sweeps import sweep_by_category
from tokumei.pages.palette import bilingual_columns

HISTORY_FILE, ITEMS_FILE = "pwscup2018/T.csv", "online_retail.parquet"
LOSS_TOLERANCE, CATEGORY_LOSS_TOLERANCE = 0.001, 0.002
"""How far a loss may lie from the printed one: of items, of categories by the rules `paper`."""


class HistoriesPaper(HistoryExamples):
    """The blocks of the paper."""

    @cached_property
    def history(self) -> History:
        """The contest's history."""
        layout = history_layout(self.recipe["format"])
        source = HistorySource(data=self.data_file(HISTORY_FILE), layout=layout)
        return read_history(source).history

    @cached_property
    def purchases(self) -> pl.DataFrame:
        """Its rows as text, as the contest writes them."""
        names = [f"column_{number}" for number in range(len(COLUMNS))]
        frame = pl.read_csv(
            self.data_file(HISTORY_FILE), has_header=False, infer_schema=False, new_columns=names
        )
        return frame.rename(dict(zip(names, COLUMNS, strict=True)))

    @cached_property
    def item_sweep(self) -> Sweep:
        """Every k with the items as they are."""
        request = SweepHistoryRequest(
            source=HistorySource(data=self.history),
            methods={self.recipe["method"]: {}},
            values=tuple(self.recipe["k"]),
        )
        return sweep_history(request).sweeps[0]

    def item_categories(self, rules: str | None) -> Categories:
        """The items' categories by the built-in rules, or others."""
        items = read_descriptions(self.data_file(ITEMS_FILE))
        return choose_categories(self.history, "keywords", items=items, rules=rules)

    @cached_property
    def categories(self) -> Categories:
        """By the recipe's rules."""
        return self.item_categories(self.recipe.get("rules"))

    @cached_property
    def category_sweep(self) -> Sweep:
        """Every k with categories for items."""
        return sweep_by_category(self.history, self.categories, self.item_sweep)

    def data(self) -> ComputedBlock:
        """How large the history is."""
        rows = self.purchases
        days = rows.select(day=pl.col("day").str.to_date("%Y/%m/%d"), text="day").sort("day")
        price, quantity = (rows[name].cast(pl.Float64) for name in ("price", "quantity"))
        computed = {
            "rows": rows.height,
            "attributes": rows.width,
            "items": rows["item"].n_unique(),
            "price_min": price.min(),
            "price_max": price.max(),
            "quantity_min": quantity.min(),
            "quantity_max": quantity.max(),
            "first_day": days["text"][0],
            "last_day": days["text"][-1],
            "customers": rows["customer"].n_unique(),
        }
        return ComputedBlock(
            [[name, computed[name]] for name in self.published_block("data").column("name")]
        )

    def table1(self) -> ComputedBlock:
        """Hits that show a release unsafe."""
        return ComputedBlock(
            [[n, threshold(n)] for n in self.published_block("table1").column("tried_n")]
        )

    table2 = HistoryExamples.nothing_computed  # the columns, which a reader of the format finds

    def table3(self) -> ComputedBlock:
        """How often each row is in the file."""
        rows = []
        for *cells, _ in self.published_block("table3").rows:
            cell_texts = [str(cell) for cell in cells]
            is_same_row = pl.all_horizontal(
                pl.col(name) == cell for name, cell in zip(COLUMNS, cell_texts, strict=True)
            )
            rows.append([*cells, self.purchases.filter(is_same_row).height])
        return ComputedBlock(rows)

    def table4(self) -> ComputedBlock:
        """Customers by rows, the most first, equal ones by first appearance."""
        row_counts = self.purchases.group_by("customer", maintain_order=True).len()
        ranked = row_counts.sort("len", descending=True, maintain_order=True)
        facts = self.published_block("table4").entry["facts"]
        customers_used = ranked.height // 3 * 3
        places = [*range(6), *range(ranked.height - 3, ranked.height)]
        rows = [
            [int(customer), rows, min(place // 3, customers_used // 3 - 1) + 1, int(customer)]
            for place in places
            for customer, rows in [ranked.row(place)]
        ]
        sizes = [row[1] for row in rows]
        computed = {
            "dropped_first": sizes[0] - sizes[2],
            "dropped_second": sizes[1] - sizes[2],
            "customers_used_at_k3": customers_used,
        }
        return ComputedBlock(
            rows,
            beside=[StatedValue(FACT_LABELS[name], facts[name], computed[name]) for name in facts],
        )

    def table9(self) -> ComputedBlock:
        """Loss, 1/k and their sum."""
        return self._loss_sums_block("table9", self.item_sweep, LOSS_TOLERANCE)

    def _loss_sums_block(self, name: str, loss_sweep: Sweep, limit: float) -> ComputedBlock:
        points = {point.value: point for point in loss_sweep.points}
        rows = [
            [k, points[k].loss, points[k].risk, points[k].total]
            for k in self.published_block(name).column("k")
        ]
        stated = [
            StatedValue(
                OPTIMUM_LABEL,
                self.published_block(name).entry["optimum"]["k"],
                loss_sweep.best.value,
            )
        ]
        limits = {"loss": limit, "risk": LOSS_TOLERANCE, "total": limit}
        return ComputedBlock(rows, tolerance=limits, beside=stated)

    def table10(self) -> ComputedBlock:
        """Items per category by the recipe's rules; the author's own mapping is not public."""
        category_sizes = _sizes_by_english_name(self.categories)
        built_in_sizes = _sizes_by_english_name(self.item_categories(None))
        printed = self.published_block("table10")
        rows = [[name, en, category_sizes.get(en, 0)] for name, en, _ in printed.rows]
        fitted_error, built_in_error = (
            sum(abs(sizes.get(en, 0) - count) for _, en, count in printed.rows)
            for sizes in (category_sizes, built_in_sizes)
        )
        note = Message(
            "The author's mapping was never published. Rules fitted to this table are off by "
            "{fitted_error} items in all, the built-in rules, which go by meaning, by "
            "{built_in_error:,}.",
            fitted_error=fitted_error,
            built_in_error=built_in_error,
        )
        return ComputedBlock(rows, tolerance={"items": FORM_ONLY}, note=note)

    def table13(self) -> ComputedBlock:
        """Loss without and with categories, as the contest counts it."""
        item_losses, category_losses = (
            _losses_by_k(self.item_sweep),
            _losses_by_k(self.category_sweep),
        )
        rows = [
            [k, item_losses[k], category_losses[k]]
            for k in self.published_block("table13").column("k")
        ]
        honest_losses = {
            point.value: point.measured["honest_loss"] for point in self.category_sweep.points
        }
        note = Message(
            "The second loss is against a history whose items are already replaced. Against the "
            "original items it is {loss_at_2:.3f} at k = 2 and {loss_at_6:.3f} at k = 6: more than "
            "without categories.",
            loss_at_2=honest_losses[2],
            loss_at_6=honest_losses[6],
        )
        limits = {"loss_items": LOSS_TOLERANCE, "loss_categories": CATEGORY_LOSS_TOLERANCE}
        return ComputedBlock(rows, tolerance=limits, note=note)

    def table14(self) -> ComputedBlock:
        """Loss with categories, 1/k and their sum."""
        return self._loss_sums_block("table14", self.category_sweep, CATEGORY_LOSS_TOLERANCE)

    def figure1(self) -> ComputedBlock:
        """Bars of Table 10, the largest first."""
        category_sizes = _sizes_by_english_name(self.categories)
        rows = [
            {
                **bilingual_columns(category_title(en)),
                "value": value,
                **bilingual_columns(side, "side_"),
            }
            for _, en, count in self.published_block("table10").rows
            for side, value in ((PAPER_SIDE, count), (COMPUTED_SIDE, category_sizes.get(en, 0)))
        ]
        items = Message("items", context="how many sorts")
        heading = Message("Items per category")
        largest = category_title(self.published_block("table10").rows[0][1])
        ours = category_title(next(iter(category_sizes)))
        stated = [StatedValue(Message("the largest category"), largest, ours, FORM_ONLY)]
        return ComputedBlock(beside=stated, panels=[bars_panel("figure1", heading, items, rows)])

    def figure2(self) -> ComputedBlock:
        """Five lines over k: loss and sum without and with categories, 1/k."""
        computed_rows = [
            {**row, **bilingual_columns(COMPUTED_SIDE, "side_")}
            for row in loss_and_sum_rows(self.item_sweep, self.category_sweep)
        ]
        published_rows = [
            {
                "x": k,
                **bilingual_columns(FIVE_LINE_TITLES[place]),
                "value": value,
                "best": False,
                **bilingual_columns(PAPER_SIDE, "side_"),
            }
            for table, first_line in (("table9", 0), ("table14", 2))
            for k, loss, _, total in self.published_block(table).rows
            for place, value in ((first_line, loss), (first_line + 1, total))
        ]
        heading = Message("Loss, 1/k and their sum against k")
        stated = [
            StatedValue(
                name, self.published_block(table).entry["optimum"]["k"], loss_sweep.best.value
            )
            for name, table, loss_sweep in (
                (Message("smallest sum, items: k"), "table9", self.item_sweep),
                (Message("smallest sum, categories: k"), "table14", self.category_sweep),
            )
        ]
        panel = lines_panel(
            "figure2",
            heading,
            Message.verbatim("k"),
            VALUE_AXIS_LABEL,
            computed_rows + published_rows,
        )
        return ComputedBlock(beside=stated, panels=[panel])


def _sizes_by_english_name(categories: Categories) -> dict[str, int]:
    return {category_title(name).show("en"): size for name, size in categories.sizes().items()}


VALUE_AXIS_LABEL = Message("loss, risk, sum")
OPTIMUM_LABEL = Message("k of the smallest sum")
FACT_LABELS = {
    "dropped_first": Message("rows of the first customer dropped"),
    "dropped_second": Message("rows of the second customer dropped"),
    "customers_used_at_k3": Message("customers used at k = 3"),
}


def _losses_by_k(loss_sweep: Sweep) -> dict[int, float]:
    return {point.value: point.loss for point in loss_sweep.points}
