"""The contest's loss and its parts as measures: how much of a history the release blurs or drops.

    Loss().score(case)         # the mean over the four columns
    ItemLoss().score(case)     # of one column

The formula of a cell: `loss`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.measure import ROWS_KEPT_LIMITS, Goal, Limits, Score
from tokumei.core.text import Text
from tokumei.histories.measures.protocol import HistoryCase, HistoryMeasure

CELLS = "mean_cells 1 (deleted, *), ((a−x)² + (b−x)² + (b−a)) / (2·sd·(b−a+1)) ([a;b])"


class _Part(HistoryMeasure):
    """A figure of `case.loss`, by its name."""

    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    unit: ClassVar[Text] = Text("loss", "損失")
    formula: ClassVar[str] = CELLS
    as_percent: ClassVar[bool] = False

    def score(self, case: HistoryCase) -> Score:
        """The figure."""
        return Score(case.loss.as_json()[self.name])


@dataclass(frozen=True)
class Loss(_Part):
    """The mean of the four columns' losses: the contest's utility."""

    name: ClassVar[str] = "loss"
    title: ClassVar[Text] = Text("Loss (the contest's)", "損失 (コンテストの指標)")
    sentence: ClassVar[Text] = Text(
        "How much of the four columns is blurred or deleted: 0 nothing, 1 as much as deleting all.",
        "4 列がどれだけぼかされ、削除されたかを示します。0 は変更なし、1 は全削除に相当します。",
    )
    formula: ClassVar[str] = "(day + item + price + quantity) / 4"
    says: ClassVar[Text] = Text(
        "The loss is {value} (0: nothing, 1: as much as deleting all).",
        "損失は {value} です (0 は変更なし、1 は全削除に相当)。",
    )
    heading: ClassVar[Text] = Text("Loss", "損失")


@dataclass(frozen=True)
class DayLoss(_Part):
    """Mean cell error of the days."""

    name: ClassVar[str] = "day"
    title: ClassVar[Text] = Text("Loss of days", "購入日の損失")
    sentence: ClassVar[Text] = Text(
        "How much the days of purchase are blurred or deleted.",
        "購入日がどれだけぼかされ、削除されたかを示します。",
    )
    says: ClassVar[Text] = Text("The loss of days is {value}.", "購入日の損失は {value} です。")
    heading: ClassVar[Text] = Text("Day", "購入日")


@dataclass(frozen=True)
class ItemLoss(_Part):
    """Mean cell error of the items."""

    name: ClassVar[str] = "item"
    title: ClassVar[Text] = Text("Loss of items", "商品の損失")
    sentence: ClassVar[Text] = Text(
        "How much the items are blurred or deleted.",
        "商品がどれだけぼかされ、削除されたかを示します。",
    )
    formula: ClassVar[str] = "mean_cells 1 (deleted, *), 1 − 1/|set|"
    says: ClassVar[Text] = Text("The loss of items is {value}.", "商品の損失は {value} です。")
    heading: ClassVar[Text] = Text("Item", "商品")


@dataclass(frozen=True)
class PriceLoss(_Part):
    """Mean cell error of the prices."""

    name: ClassVar[str] = "price"
    title: ClassVar[Text] = Text("Loss of prices", "単価の損失")
    sentence: ClassVar[Text] = Text(
        "How much the prices are blurred or deleted.",
        "単価がどれだけぼかされ、削除されたかを示します。",
    )
    says: ClassVar[Text] = Text("The loss of prices is {value}.", "単価の損失は {value} です。")
    heading: ClassVar[Text] = Text("Price", "単価")


@dataclass(frozen=True)
class QuantityLoss(_Part):
    """Mean cell error of the quantities."""

    name: ClassVar[str] = "quantity"
    title: ClassVar[Text] = Text("Loss of quantities", "数量の損失")
    sentence: ClassVar[Text] = Text(
        "How much the quantities are blurred or deleted.",
        "数量がどれだけぼかされ、削除されたかを示します。",
    )
    says: ClassVar[Text] = Text("The loss of quantities is {value}.", "数量の損失は {value} です。")
    heading: ClassVar[Text] = Text("Quantity", "数量")


@dataclass(frozen=True)
class RowsKept(_Part):
    """Released rows / original rows."""

    name: ClassVar[str] = "rows_kept"
    title: ClassVar[Text] = Text("Share of rows kept", "残った行の割合")
    sentence: ClassVar[Text] = Text(
        "The share of rows that are not deleted.", "削除されなかった行の割合を示します。"
    )
    formula: ClassVar[str] = "|released| / |original|"
    unit: ClassVar[Text] = Text("share of rows", "行の割合")
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    says: ClassVar[Text] = Text("{value} of the rows are kept.", "{value} の行が残っています。")
    limits: ClassVar[Limits] = ROWS_KEPT_LIMITS
    as_percent: ClassVar[bool] = True
    caption: ClassVar[Text] = Text("of the rows are kept", "残った行の割合")


PARTS_OF_LOSS = tuple(
    one.name for one in (Loss, DayLoss, ItemLoss, PriceLoss, QuantityLoss, RowsKept)
)
"""What a page tells under "loss", not among the uses."""
