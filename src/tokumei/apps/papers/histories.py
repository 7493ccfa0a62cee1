"""Paper 000: k-anonymous purchase histories, loss against 1/k, and item categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import polars as pl

from tokumei.apps.papers.charts import COMPUTED_SIDE, PAPER_SIDE, lines_panel
from tokumei.apps.papers.comparison import CellKey, ComputedBlock, FormCheck, StatedValue
from tokumei.apps.papers.history_categories import (
    FITTED_LOSSES,
    ITEMS_FILE,
    HistoryCategories,
)
from tokumei.apps.papers.published_values import PaperCell
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep
from tokumei.files.reading import read_frame
from tokumei.histories.data.guess import threshold
from tokumei.histories.data.history import COLUMNS
from tokumei.histories.flow import anonymize
from tokumei.histories.report.chart_data import FIVE_LINE_TITLES, loss_and_sum_rows
from tokumei.pages.palette import bilingual_columns

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


class HistoriesPaper(HistoryCategories):
    """The blocks of the paper."""

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
            "The file has no such row: customer 14944 never bought item 23345, whose price "
            "is 1.08 or 1.25 in every row."
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
            note=self._describe_ascending(),
        )

    def _describe_ascending(self) -> Message:
        """What the order that the text names gives."""
        losses = {point.value: point.loss for point in self.ascending_sweep.points}
        rows = [(k, loss) for k, loss, *_ in self.published_block("table9").rows if k in losses]
        within = sum(abs(losses[k] - loss) <= HALF_THOUSANDTH for k, loss in rows)
        return Message(
            "In rising order, as the text says (`--set ascending=true`), {within} of {losses} "
            "losses are within rounding, and they differ by up to {most:.3f}.",
            within=within,
            losses=len(rows),
            most=max(abs(losses[k] - loss) for k, loss in rows),
        )

    def _loss_sums_block(
        self,
        name: str,
        loss_sweep: Sweep,
        explanations: Mapping[CellKey, Message],
        forms: Sequence[FormCheck] = (),
        note: Message | None = None,
    ) -> ComputedBlock:
        """Ours of every printed k; a printed sum is that of two rounded figures."""
        points = {point.value: point for point in loss_sweep.points}
        rows = [
            [None, points[k].loss, points[k].risk, points[k].total]
            for k in self.published_block(name).column("k")
        ]
        optimum = self.published_block(name).entry["optimum"]["k"]
        shape = FormCheck(
            FALL_AND_RISE_LABEL,
            _falls_then_rises(self.published_block(name).column("total")),
            [_falls_then_rises([point.total for point in loss_sweep.points])],
        )
        return ComputedBlock(
            rows,
            slack={"total": HALF_THOUSANDTH},
            explanations=explanations,
            beside=[StatedValue(OPTIMUM_LABEL, optimum, loss_sweep.best.value)],
            forms=[*forms, shape],
            note=note,
        )

    def table14(self) -> ComputedBlock:
        """Loss with categories, 1/k and their sum."""
        fitted: dict[CellKey, Message] = {"loss": FITTED_LOSSES, "total": FITTED_LOSSES}
        return self._loss_sums_block("table14", self.category_sweep, fitted)

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
        panel = lines_panel(
            "figure2",
            heading,
            Message.verbatim("k"),
            VALUE_AXIS_LABEL,
            computed_rows + published_rows,
        )
        return ComputedBlock(rows, panels=[panel])


def _falls_then_rises(totals: Sequence[float]) -> bool:
    """Whether the sum falls to its smallest and rises from there on."""
    turn = totals.index(min(totals))
    falling, rising = list(totals[: turn + 1]), list(totals[turn:])
    return falling == sorted(falling, reverse=True) and rising == sorted(rising)


FALL_AND_RISE_LABEL = Message("the sum falls to its smallest, then rises")
NOT_IN_FILE = Message("not in the file")


VALUE_AXIS_LABEL = Message("loss, risk, sum")
OPTIMUM_LABEL = Message("k of the smallest sum")
FACT_LABELS = {
    "dropped_first": Message("rows of the first customer dropped"),
    "dropped_second": Message("rows of the second customer dropped"),
    "customers_used_at_k3": Message("customers used at k = 3"),
}
