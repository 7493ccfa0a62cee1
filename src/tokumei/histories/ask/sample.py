"""`tokumei sample history`: a year of a made-up shop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import seed_option
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class SampleHistory(Ask):
    """Write a look-alike purchase history."""

    about: ClassVar = Text(
        "A year of an online shop: customers, baskets, seasons, prices, item descriptions.",
        "オンラインショップの 1 年間: 顧客・買い物かご・季節・価格・商品名。",
    )
    examples: ClassVar = (
        "tokumei sample history --rows 20000 --seed 1 --out T.csv --items items.csv",
    )

    format: str = "pws2018"
    out: str = option("file to write", "出力ファイル")
    rows: int = option("how many rows", "行数", default=20_000)
    customers: int | None = option("how many customers", "顧客数", default=None)
    items: str | None = option("file for item descriptions", "商品名の出力先", default=None)
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Make it and write it."""
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import frame_output
        from tokumei.histories.data.sample import sample_history
        from tokumei.histories.formats.layout import history_layout

        made = sample_history(self.rows, customers=self.customers, seed=self.seed)
        outputs = [history_layout(self.format).output(made, self.out)]
        if self.items is not None and made.items is not None:
            outputs.append(frame_output(made.items, self.items))
        write_all(outputs)
        people = len(made.customers)
        told = Text(
            f"{self.out}: {self.rows:,} purchases of {people:,} customers",
            f"{self.out}: 顧客 {people:,} 人の購買 {self.rows:,} 行",
        )
        data = {"out": self.out, "rows": self.rows, "customers": people, "items": self.items}
        return Answer(data, notes=[told])
