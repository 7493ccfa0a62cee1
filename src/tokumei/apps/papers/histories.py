"""Paper 000: k-anonymous purchase histories, loss against 1/k, and item categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import polars as pl

from tokumei.apps.papers.charts import COMPUTED_SIDE, PAPER_SIDE, bars_panel, lines_panel
from tokumei.apps.papers.comparison import CellKey, ComputedBlock, FormCheck, StatedValue
from tokumei.apps.papers.history_examples import HistoryExamples
from tokumei.apps.papers.published_values import PaperCell
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep
from tokumei.files.reading import read_frame
from tokumei.histories.categories.keywords import KeywordRules, category_title
from tokumei.histories.categories.make_categories import choose_categories, read_descriptions
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.guess import threshold
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.flow import anonymize
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.report.chart_data import FIVE_LINE_TITLES, loss_and_sum_rows
from tokumei.histories.services.read import read_history
from tokumei.histories.services.requests import HistorySource, SweepHistoryRequest
from tokumei.histories.services.sweep import sweep_history
from tokumei.histories.sweeps import sweep_by_category
from tokumei.report.palette import bilingual_columns

HISTORY_FILE, ITEMS_FILE = "pwscup2018/T.csv", "online_retail.parquet"
COLUMN_FORMS = {
    "5 digits": r"^\d{5}$",
    "yyyy/mm/dd": r"^\d{4}/\d{1,2}/\d{1,2}$",
    "digits and letters": r"^[0-9A-Za-z]+$",
    "$": r"^\d+(\.\d+)?$",
    "count": r"^\d+$",
}
"""Expressions behind the forms that Table 2 names."""
HALF_THOUSANDTH = 0.0005
ALIKE_SUMS = 0.002
"""How far sums may lie apart that the paper calls almost the same."""
NO_MAPPING = Message(
    "The author put the items into categories by hand and never published the mapping. Ours are "
    "keyword rules that were fitted to this table."
)
FITTED_LOSSES = Message(
    "The author's mapping of items was never published; with ours, rules fitted to Table 10, the "
    "loss is up to .002 higher."
)


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
            "online_retail_attributes": self.retail_columns,
            "customers": rows["customer"].n_unique(),
        }
        names = self.published_block("data").column("name")
        one_more = Message(
            "The file has 3,254 items; which one the paper left out cannot be told, as its mapping "
            "was never published."
        )
        return ComputedBlock(
            [[None, computed[name]] for name in names],
            explanations={(names.index("items"), "value"): one_more},
        )

    @cached_property
    def retail_columns(self) -> int:
        """How many columns Online Retail has."""
        return read_frame(self.data_file(ITEMS_FILE)).width

    def table1(self) -> ComputedBlock:
        """Hits that show a release unsafe."""
        return ComputedBlock(
            [[None, threshold(n)] for n in self.published_block("table1").column("tried_n")]
        )

    def table2(self) -> ComputedBlock:
        """Which of the named forms all cells of a column have."""
        rows: list[list[PaperCell]] = []
        for column, (_, _, form) in zip(
            self.purchases.columns, self.published_block("table2").rows, strict=True
        ):
            pattern = COLUMN_FORMS.get(str(form))
            has_form = pattern and self.purchases[column].str.contains(pattern).all()
            rows.append([None, None, form if has_form else ""])
        return ComputedBlock(rows)

    def table3(self) -> ComputedBlock:
        """Each row as the file has it: all cells, or those of the customer that are there."""
        rows: list[list[PaperCell]] = []
        for cells in self.published_block("table3").rows:
            same = self.purchases
            for name, cell in zip(COLUMNS, cells, strict=True):
                same = same.filter(pl.col(name) == str(cell))
            rows.append(list(cells) if same.height else [NOT_IN_FILE, *[None] * 4])
        absent = Message(
            "The file has no such row: customer 14944 never bought item 23345, which costs 1.25 "
            "wherever it occurs."
        )
        return ComputedBlock(rows, explanations={(4, "CustomerID"): absent})

    def table4(self) -> ComputedBlock:
        """Customers by rows, the most first, equal ones by first appearance; clusters of three."""
        row_counts = self.purchases.group_by("customer", maintain_order=True).len()
        ranked = row_counts.sort("len", descending=True, maintain_order=True)
        facts = self.published_block("table4").entry["facts"]
        released = anonymize(self.history, self.recipe["method"], k=3, seed=1)
        kept = released.truth().height
        places = [*range(6), *range(ranked.height - 3, ranked.height)]
        rows: list[list[PaperCell]] = []
        for place in places:
            customer, row_count = ranked.row(place)
            is_kept = place < ranked.height // 3 * 3
            rows.append([int(customer), row_count, place // 3 + 1 if is_kept else "deleted"])
        sizes = [row[1] for row in rows]
        computed = {
            "dropped_first": sizes[0] - sizes[2],
            "dropped_second": sizes[1] - sizes[2],
            "customers_used_at_k3": kept,
        }
        return ComputedBlock(
            rows,
            beside=[StatedValue(FACT_LABELS[name], facts[name], computed[name]) for name in facts],
        )

    def table9(self) -> ComputedBlock:
        """Loss, 1/k and their sum."""
        beyond = Message("k = 17: ours is .80766, which rounds to .808.")
        totals = {point.value: point.total for point in self.item_sweep.points}
        pairs = self.published_block("table9").entry["alike"]
        return self._loss_sums_block(
            "table9",
            self.item_sweep,
            {(10, "loss"): beyond},
            [
                FormCheck(
                    Message("sums called almost the same: k = {first} and {second}", **names),
                    True,
                    [abs(totals.get(first, 0) - totals.get(second, 9)) <= ALIKE_SUMS],
                )
                for first, second in pairs
                for names in [{"first": first, "second": second}]
            ],
        )

    def _loss_sums_block(
        self,
        name: str,
        loss_sweep: Sweep,
        explanations: Mapping[CellKey, Message],
        forms: Sequence[FormCheck] = (),
    ) -> ComputedBlock:
        """Ours of every printed k; a printed sum is that of two rounded figures."""
        points = {point.value: point for point in loss_sweep.points}
        rows = [
            [None, points[k].loss, points[k].risk, points[k].total]
            for k in self.published_block(name).column("k")
        ]
        optimum = self.published_block(name).entry["optimum"]["k"]
        return ComputedBlock(
            rows,
            slack={"total": HALF_THOUSANDTH},
            explanations=explanations,
            beside=[StatedValue(OPTIMUM_LABEL, optimum, loss_sweep.best.value)],
            forms=forms,
        )

    def table10(self) -> ComputedBlock:
        """Items per category by rules fitted to it; the text's examples by the built-in rules."""
        category_sizes = _sizes_by_printed_name(self.categories)
        built_in_sizes = _sizes_by_printed_name(self.item_categories(None))
        printed = self.published_block("table10")
        rows = [[name, category_sizes.get(name, 0)] for name, _ in printed.rows]
        fitted_error, built_in_error = (
            sum(abs(sizes.get(name, 0) - count) for name, count in printed.rows)
            for sizes in (category_sizes, built_in_sizes)
        )
        note = Message(
            "Rules fitted to this table are off by {fitted_error} items in all, the built-in "
            "rules, which go by meaning, by {built_in_error:,}.",
            fitted_error=fitted_error,
            built_in_error=built_in_error,
        )
        rules = KeywordRules.named()
        stated = [
            StatedValue(Message.verbatim(text), category, rules.category(text))
            for text, category in printed.entry["examples"].items()
        ]
        stated += [
            StatedValue(
                Message("number of categories"),
                printed.entry["categories"],
                len(built_in_sizes),
            ),
            StatedValue(LARGEST_LABEL, printed.entry["largest"], next(iter(built_in_sizes))),
        ]
        return ComputedBlock(rows, illustrated=True, beside=stated, why=NO_MAPPING, note=note)

    def table13(self) -> ComputedBlock:
        """Loss without and with categories, as the contest counts it."""
        item_losses, category_losses = (
            _losses_by_k(self.item_sweep),
            _losses_by_k(self.category_sweep),
        )
        printed = self.published_block("table13")
        rows = [[None, item_losses[k], category_losses[k]] for k in printed.column("k")]
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
        low, high = printed.entry["gain"]
        gains = [item_losses[k] - category_losses[k] for k in printed.column("k")]
        gain = FormCheck(
            Message("every k: the loss is {low} to {high} lower with categories", low=low, high=high),
            True,
            [low - HALF_HUNDREDTH <= gain <= high + HALF_HUNDREDTH for gain in gains],
            needed=1.0,
        )
        beyond = Message("k = 17: ours is .80766, which rounds to .808.")
        explanations: dict[CellKey, Message] = {
            "loss_categories": FITTED_LOSSES,
            (10, "loss_items"): beyond,
        }
        return ComputedBlock(rows, explanations=explanations, forms=[gain], note=note)

    def table14(self) -> ComputedBlock:
        """Loss with categories, 1/k and their sum."""
        fitted = {"loss": FITTED_LOSSES, "total": FITTED_LOSSES}
        return self._loss_sums_block("table14", self.category_sweep, fitted)

    def figure1(self) -> ComputedBlock:
        """Bars of Table 10, the largest first."""
        category_sizes = _sizes_by_printed_name(self.categories)
        rows = [
            {
                **bilingual_columns(category_title(name)),
                "value": value,
                **bilingual_columns(side, "side_"),
            }
            for name, count in self.published_block("table10").rows
            for side, value in ((PAPER_SIDE, count), (COMPUTED_SIDE, category_sizes.get(name, 0)))
        ]
        items = Message("items", context="how many sorts")
        heading = Message("Items per category")
        built_in_sizes = _sizes_by_printed_name(self.item_categories(None))
        panels = [bars_panel("figure1", heading, items, rows)]
        return ComputedBlock([[None, next(iter(built_in_sizes))]], panels=panels)

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
        facts = self.published_block("figure2").entry["facts"]
        rows = [
            [None, self.item_sweep.best.value if name == "optimum_items" else categories_best]
            for name in facts
            for categories_best in [self.category_sweep.best.value]
        ]
        forms = [
            FormCheck(FALL_AND_RISE_LABEL.fill(line=line), True, [_falls_then_rises(sweep)])
            for line, sweep in (
                (Message("items", context="how many sorts"), self.item_sweep),
                (Message("categories"), self.category_sweep),
            )
        ]
        panel = lines_panel(
            "figure2",
            heading,
            Message.verbatim("k"),
            VALUE_AXIS_LABEL,
            computed_rows + published_rows,
        )
        return ComputedBlock(rows, forms=forms, panels=[panel])


def _sizes_by_printed_name(categories: Categories) -> dict[str, int]:
    """Items per category, the largest first, by the Japanese name that the paper has."""
    return {category_title(name).show("ja"): size for name, size in categories.sizes().items()}


def _falls_then_rises(loss_sweep: Sweep) -> bool:
    """Whether the sum falls to its smallest and rises from there on."""
    totals = [point.total for point in loss_sweep.points]
    turn = totals.index(min(totals))
    return totals[: turn + 1] == sorted(totals[: turn + 1], reverse=True) and totals[
        turn:
    ] == sorted(totals[turn:])


LARGEST_LABEL = Message("the largest category")
FALL_AND_RISE_LABEL = Message("{line}: the sum falls to its smallest, then rises")
NOT_IN_FILE = Message("not in the file")
HALF_HUNDREDTH = 0.005


VALUE_AXIS_LABEL = Message("loss, risk, sum")
OPTIMUM_LABEL = Message("k of the smallest sum")
FACT_LABELS = {
    "dropped_first": Message("rows of the first customer dropped"),
    "dropped_second": Message("rows of the second customer dropped"),
    "customers_used_at_k3": Message("customers used at k = 3"),
}


def _losses_by_k(loss_sweep: Sweep) -> dict[int, float]:
    return {point.value: point.loss for point in loss_sweep.points}
