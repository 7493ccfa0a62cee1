"""`tokumei categories study`: what the choice of categories does to analyses of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import Answer, Listing, option
from tokumei.core.errors import UsageError
from tokumei.core.options import seed_option
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import HistoryFile, items_option

if TYPE_CHECKING:
    from tokumei.histories.category_study import StudyLine

HONEST_ONLY = Text(
    "Compare mappings by the honest loss (against the real items) and the analyses; the contest's "
    "loss falls with coarser categories by itself. RFM uses no items: it is the same everywhere.",
    "対応表は、元の商品に対する損失と分析の結果で比べてください。コンテストの損失は、"
    "分類が粗いだけで下がります。RFM は商品を使わないため、どの行でも同じです。",
)


@dataclass(frozen=True, kw_only=True)
class StudyCategories(HistoryFile):
    """Compare mappings of items to categories."""

    about: ClassVar = Text(
        "What the choice of item categories does to marketing: for no categories, every mapping "
        "and one dealt at random with the same sizes, both losses and what is left of sales by "
        "category and month, best sellers, baskets, the next category, and RFM.",
        "商品カテゴリーの選び方がマーケティング分析に与える影響: カテゴリーなし、各対応表、"
        "同じ大きさで無作為に分けたものについて、二つの損失と、カテゴリー別・月別の売上、売れ筋、"
        "併買、次に買うカテゴリー、RFM がどれだけ残るかを示します。",
    )
    examples: ClassVar = (
        "tokumei categories study --format pws2018 --data T.csv --by prefix:2 --by prefix:3 --k 6",
    )

    by: list[str] = option(
        "a mapping file, keywords, prefix:N or co-purchase:N; repeat for several",
        "対応表のファイル、keywords、prefix:N、co-purchase:N (複数可)",
        default=[],
    )
    items: str | None = items_option()
    k: int = option("k", "k", default=6, least=2)
    method: str = option("the anonymizer", "匿名加工の手法", default="rank-match")
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """A line per mapping."""
        from tokumei.histories.category_study import study_categories
        from tokumei.histories.services.read import choose_item_categories

        if not self.by:
            raise UsageError("--by is needed", "--by が必要です")
        read = self.read()
        requests = {by: self.category_request(by, self.items, self.seed) for by in self.by}
        mappings = {by: choose_item_categories(read.history, one) for by, one in requests.items()}
        found = study_categories(
            read.history, mappings, k=self.k, method=self.method, seed=self.seed
        )
        data = [line.as_json() for line in found]
        return Answer(data, [_listing(found, self.k), HONEST_ONLY], read.notes)


def _listing(found: Sequence[StudyLine], k: int) -> Listing:
    rows = []
    for line in found:
        losses = [f"{line.categories:,}", f"{line.contest_loss:.4f}", f"{line.honest_loss:.4f}"]
        kept = [f"{line.month_error:.2f}", f"{line.top_kept:.0%}", f"{line.basket_f1:.2f}"]
        following = f"{line.next_original:.1%} → {line.next_released:.1%}"
        rows.append([line.name, *losses, *kept, following, f"{line.rfm:.4f}"])
    names: list[Text | str] = [Text("mapping", "対応表"), Text("categories", "分類数")]
    names += [Text("contest loss", "コンテストの損失"), Text("honest loss", "元の商品での損失")]
    names += [Text("error by month", "月別の誤差"), Text("top 20 kept", "上位 20")]
    names += [Text("baskets F1", "併買 F1"), Text("next category", "次の分類"), "RFM"]
    return Listing(Text(f"Categories, k = {k}", f"カテゴリー (k = {k})"), names, rows)
