"""`tokumei categories`: put items into categories, and see how many each holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Listing, option
from tokumei.core.options import seed_option, spare_sources
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import HistoryFile, categories_for, items_option


@dataclass(frozen=True, kw_only=True)
class CategoriesOfHistory(HistoryFile):
    """Categorize the items of a history."""

    about: ClassVar = Text(
        "Put every item of a history into a category and write the mapping (item,category), "
        "which a person can edit and `sweep --categories` takes. --by: keywords (of the item "
        "descriptions, 19 built-in categories), prefix:N (first N characters of the code), "
        "co-purchase:N (N groups bought by the same people).",
        "商品をカテゴリーに分け、対応表 (item,category) を書き出します。人が編集でき、"
        "`sweep --categories` で使えます。--by: keywords (商品名から組み込みの 19 分類)、"
        "prefix:N (コードの先頭 N 文字)、co-purchase:N (同じ人が買う N 群)。",
    )
    examples: ClassVar = (
        "tokumei categories --format pws2018 --data T.csv --items items.csv --by keywords "
        "--out categories.csv",
    )

    by: str = option("keywords, prefix:N, co-purchase:N", "分け方", default="keywords")
    items: str | None = items_option()
    rules: str | None = option("own keyword rules (YAML)", "独自の規則 (YAML)", default=None)
    out: str | None = option("mapping to write", "対応表の出力先", default=None)
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Read, categorize, write."""
        from tokumei.histories.categories.mapping_file import write_categories

        spare_sources((self.data, self.items, self.rules), (self.out,))
        history, notes = self.read()
        found = categories_for(history, self.by, items=self.items, rules=self.rules, seed=self.seed)
        if self.out is not None:
            write_categories(found, self.out)
        sizes = found.sizes()
        total = sum(sizes.values())
        rows = [[name, str(size), f"{size / total:.1%}"] for name, size in sizes.items()]
        header = [Text("category", "カテゴリー"), Text("items", "商品数"), Text("share", "割合")]
        data = {"by": found.name, "items": len(found.of), "categories": sizes, "out": self.out}
        return Answer(data, [Listing(Text("Categories", "カテゴリー"), header, rows)], notes)
