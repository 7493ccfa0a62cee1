"""Paper 000: k-anonymous purchase histories, loss against 1/k, and item categories."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from tokumei.core.sweep import Sweep, sweep
from tokumei.core.text import Text
from tokumei.histories.categories.categories import Categories
from tokumei.histories.categories.choose import choose_categories, read_descriptions
from tokumei.histories.data.guess import threshold
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.kind import HISTORIES
from tokumei.histories.report.series import FIVE_LINES, five_rows
from tokumei.histories.sweeps import sweep_by_category
from tokumei.papers.charts import OURS, PAPER, bars_panel, lines_panel
from tokumei.papers.history_examples import Examples
from tokumei.papers.verdict import FORM, Beside, Found
from tokumei.report.palette import both

T, ITEMS = "pwscup2018/T.csv", "online_retail.parquet"
LOSS, BY_CATEGORY = 0.001, 0.002
"""How far a loss may lie from the printed one: of items, of categories by the rules `paper`."""


class Histories(Examples):
    """The blocks of the paper."""

    @cached_property
    def history(self) -> History:
        """The contest's history."""
        found: History = HISTORIES.formats.build(self.recipe["format"]).read(self.file(T))
        return found

    @cached_property
    def purchases(self) -> pl.DataFrame:
        """Its rows as text, as the contest writes them."""
        names = [f"column_{number}" for number in range(len(COLUMNS))]
        frame = pl.read_csv(self.file(T), has_header=False, infer_schema=False, new_columns=names)
        return frame.rename(dict(zip(names, COLUMNS, strict=True)))

    @cached_property
    def plain(self) -> Sweep:
        """Every k with the items as they are."""
        return sweep(HISTORIES, self.history, self.recipe["method"], self.recipe["k"])

    def mapping(self, rules: str | None) -> Categories:
        """The items' categories by the built-in rules, or others."""
        items = read_descriptions(self.file(ITEMS))
        return choose_categories(self.history, "keywords", items=items, rules=rules)

    @cached_property
    def categories(self) -> Categories:
        """By the recipe's rules."""
        return self.mapping(self.recipe.get("rules"))

    @cached_property
    def grouped(self) -> Sweep:
        """Every k with categories for items."""
        return sweep_by_category(self.history, self.categories, self.plain)

    def data(self) -> Found:
        """How large the history is."""
        rows = self.purchases
        days = rows.select(day=pl.col("day").str.to_date("%Y/%m/%d"), text="day").sort("day")
        price, quantity = (rows[name].cast(pl.Float64) for name in ("price", "quantity"))
        ours = {
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
        return Found([[name, ours[name]] for name in self.printed("data").column("name")])

    def table1(self) -> Found:
        """Hits that show a release unsafe."""
        return Found([[n, threshold(n)] for n in self.printed("table1").column("tried_n")])

    table2 = Examples.shown  # the columns, which a reader of the format finds

    def table3(self) -> Found:
        """How often each row is in the file."""
        rows = []
        for *cells, _ in self.printed("table3").rows:
            wanted = [str(cell) for cell in cells]
            same = pl.all_horizontal(
                pl.col(name) == cell for name, cell in zip(COLUMNS, wanted, strict=True)
            )
            rows.append([*cells, self.purchases.filter(same).height])
        return Found(rows)

    def table4(self) -> Found:
        """Customers by rows, the most first, equal ones by first appearance."""
        counted = self.purchases.group_by("customer", maintain_order=True).len()
        ranked = counted.sort("len", descending=True, maintain_order=True)
        facts = self.printed("table4").entry["facts"]
        used = ranked.height // 3 * 3
        places = [*range(6), *range(ranked.height - 3, ranked.height)]
        rows = [
            [int(customer), rows, min(place // 3, used // 3 - 1) + 1, int(customer)]
            for place in places
            for customer, rows in [ranked.row(place)]
        ]
        sizes = [row[1] for row in rows]
        ours = {
            "dropped_first": sizes[0] - sizes[2],
            "dropped_second": sizes[1] - sizes[2],
            "customers_used_at_k3": used,
        }
        return Found(rows, beside=[Beside(FACTS[name], facts[name], ours[name]) for name in facts])

    def table9(self) -> Found:
        """Loss, 1/k and their sum."""
        return self._sums("table9", self.plain, LOSS)

    def _sums(self, name: str, found: Sweep, limit: float) -> Found:
        points = {point.value: point for point in found.points}
        rows = [
            [k, points[k].loss, points[k].risk, points[k].total]
            for k in self.printed(name).column("k")
        ]
        beside = [Beside(SMALLEST, self.printed(name).entry["optimum"]["k"], found.best.value)]
        limits = {"loss": limit, "risk": LOSS, "total": limit}
        return Found(rows, tolerance=limits, beside=beside)

    def table10(self) -> Found:
        """Items per category by the recipe's rules; the author's own mapping is not public."""
        ours, built_in = self.categories.sizes(), self.mapping(None).sizes()
        printed = self.printed("table10")
        rows = [[ja, en, ours.get(ja, 0)] for ja, en, _ in printed.rows]
        off, plainly = (
            sum(abs(sizes.get(ja, 0) - count) for ja, _, count in printed.rows)
            for sizes in (ours, built_in)
        )
        note = Text(
            f"The author's mapping was never published. Rules fitted to this table are off by "
            f"{off} items in all, the built-in rules, which are made for sense, by {plainly:,}.",
            f"著者の対応表は公開されていません。この表に合わせた規則との差は計 {off} 商品、"
            f"意味に従う組み込みの規則では計 {plainly:,} 商品です。",
        )
        return Found(rows, tolerance={"items": FORM}, note=note)

    def table13(self) -> Found:
        """Loss without and with categories, as the contest counts it."""
        plain, grouped = _losses(self.plain), _losses(self.grouped)
        rows = [[k, plain[k], grouped[k]] for k in self.printed("table13").column("k")]
        honest = {point.value: point.measured["honest_loss"] for point in self.grouped.points}
        note = Text(
            "The second loss is against a history whose items are already replaced. Against the "
            f"original items it is {honest[2]:.3f} at k = 2 and {honest[6]:.3f} at k = 6: more "
            "than without categories.",
            "二つ目の損失は、商品を置き換え済みの履歴に対する値です。元の商品に対しては k = 2 で "
            f"{honest[2]:.3f}、k = 6 で {honest[6]:.3f} であり、カテゴリー化しない場合より"
            "大きくなります。",
        )
        limits = {"loss_items": LOSS, "loss_categories": BY_CATEGORY}
        return Found(rows, tolerance=limits, note=note)

    def table14(self) -> Found:
        """Loss with categories, 1/k and their sum."""
        return self._sums("table14", self.grouped, BY_CATEGORY)

    def figure1(self) -> Found:
        """Bars of Table 10, the largest first."""
        ours = self.categories.sizes()
        rows = [
            {"en": en, "ja": ja, "value": value, **both(side, "side_")}
            for ja, en, count in self.printed("table10").rows
            for side, value in ((PAPER, count), (OURS, ours.get(ja, 0)))
        ]
        items = Text("items", "商品の種類数")
        heading = Text("Items per category", "カテゴリーごとの商品数")
        largest = self.printed("table10").rows[0][0]
        beside = [
            Beside(
                Text("the largest category", "最大のカテゴリー"), largest, next(iter(ours)), FORM
            )
        ]
        return Found(beside=beside, panels=[bars_panel("figure1", heading, items, rows)])

    def figure2(self) -> Found:
        """Five lines over k: loss and sum without and with categories, 1/k."""
        ours = [{**row, **both(OURS, "side_")} for row in five_rows(self.plain, self.grouped)]
        theirs = [
            {
                "x": k,
                **both(FIVE_LINES[place]),
                "value": value,
                "best": False,
                **both(PAPER, "side_"),
            }
            for table, at in (("table9", 0), ("table14", 2))
            for k, loss, _, total in self.printed(table).rows
            for place, value in ((at, loss), (at + 1, total))
        ]
        heading = Text("Loss, 1/k and their sum against k", "k に対する損失・1/k・合計")
        beside = [
            Beside(name, self.printed(table).entry["optimum"]["k"], found.best.value)
            for name, table, found in (
                (Text("smallest sum, items: k", "合計が最小の k (商品)"), "table9", self.plain),
                (
                    Text("smallest sum, categories: k", "合計が最小の k (カテゴリー)"),
                    "table14",
                    self.grouped,
                ),
            )
        ]
        panel = lines_panel("figure2", heading, Text("k", "k"), BLANK, ours + theirs)
        return Found(beside=beside, panels=[panel])


BLANK = Text("loss, risk, sum", "損失・リスク・合計")
SMALLEST = Text("k of the smallest sum", "合計が最小の k")
FACTS = {
    "dropped_first": Text("rows of the first customer dropped", "一人目の削除行数"),
    "dropped_second": Text("rows of the second customer dropped", "二人目の削除行数"),
    "customers_used_at_k3": Text("customers used at k = 3", "k = 3 で使う顧客数"),
}


def _losses(found: Sweep) -> dict[int, float]:
    return {point.value: point.loss for point in found.points}
