"""Paper 000 with categories for items: its history, and what categories do to the loss."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from tokumei.apps.papers.charts import COMPUTED_SIDE, PAPER_SIDE, bars_panel
from tokumei.apps.papers.comparison import CellKey, ComputedBlock, FormCheck, StatedValue
from tokumei.apps.papers.history_examples import HistoryExamples
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep
from tokumei.histories.categories.keywords import KeywordRules, category_title
from tokumei.histories.categories.make_categories import choose_categories, read_descriptions
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.services.read import read_history
from tokumei.histories.services.requests import HistorySource, SweepHistoryRequest
from tokumei.histories.services.sweep import sweep_history
from tokumei.histories.sweeps import sweep_by_category
from tokumei.pages.palette import bilingual_columns

HISTORY_FILE, ITEMS_FILE = "pwscup2018/T.csv", "online_retail.parquet"
NO_MAPPING = Message(
    "The author put the items into categories by hand and never published the mapping. Ours are "
    "keyword rules that were fitted to this table."
)
FITTED_LOSSES = Message(
    "The author's mapping of items was never published; with ours, rules fitted to Table 10, the "
    "loss is up to .002 higher."
)


class HistoryCategories(HistoryExamples):
    """Tables 10 and 13 and Figure 1."""

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
        return self._sweep_items(self.recipe["ascending"])

    @cached_property
    def ascending_sweep(self) -> Sweep:
        """The same with rows sorted in rising order, as the text says."""
        return self._sweep_items(True)

    def _sweep_items(self, ascending: bool) -> Sweep:
        request = SweepHistoryRequest(
            source=HistorySource(data=self.history),
            methods={self.recipe["method"]: {"ascending": True} if ascending else {}},
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
            Message(
                "every k: the loss is {low} to {high} lower with categories", low=low, high=high
            ),
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


def _sizes_by_printed_name(categories: Categories) -> dict[str, int]:
    """Items per category, the largest first, by the Japanese name that the paper has."""
    return {category_title(name).show("ja"): size for name, size in categories.sizes().items()}


def _losses_by_k(loss_sweep: Sweep) -> dict[int, float]:
    return {point.value: point.loss for point in loss_sweep.points}


HALF_HUNDREDTH = 0.005
LARGEST_LABEL = Message("the largest category")
