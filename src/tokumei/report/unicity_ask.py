"""What `tokumei unicity` asks and answers, whatever the kind of history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.options import out_folder_option, seed_option, spare_sources
from tokumei.core.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from tokumei.kernels.unicity.unicity import Unicity

RESULTS = ("unicity.csv", "unicity.json", "unicity.svg", "report.html")


@dataclass(frozen=True, kw_only=True)
class AskUnicity(Ask):
    """Measure unicity."""

    about: ClassVar = Text(
        "The share of customers singled out by p known points: p different points are "
        "drawn from each customer who has that many; the customer is singled out if nobody else "
        "has all of them. --by says what is known of a purchase: day, week or month, item, item:2 "
        "(its first two characters), or any other column.",
        "知られている p 点で一人に絞られる顧客の割合です。p 点以上ある顧客から異なる p 点を抽出し、"
        "そのすべてを持つ人が他にいなければ一意とします。--by は購買の何を知っているか: "
        "day・week・month、item、item:2 (先頭 2 文字)、その他の列。",
    )

    points: tuple[int, ...] = option(
        "how many points: 1-4 or 1,2,8", "点の数", default=(1, 2, 3, 4)
    )
    by: list[str] = option(
        "what is known: item,day (repeat for several; default: five granularities)",
        "知られていること: item,day (複数可。既定は 5 通り)",
        default=[],
    )
    draws: int = option("draws per customer", "顧客ごとの抽出回数", default=20, least=1)
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    def purchases(self) -> tuple[pl.DataFrame, list[Text]]:
        """Customer, day and what else there is, a row per purchase; and remarks."""
        raise NotImplementedError

    def spare(self, data: str) -> None:
        """Fail if a result would replace the history."""
        if self.out is not None:
            spare_sources((data,), tuple(f"{self.out}/{name}" for name in RESULTS))

    def answer(self) -> Answer:
        """Draw, count, and write what came out."""
        from tokumei.files.atomic import write_all
        from tokumei.files.releases import make_folder
        from tokumei.kernels.unicity.unicity import BY, unicity
        from tokumei.report.unicity import unicity_outputs

        rows, notes = self.purchases()
        found = unicity(rows, self.by or BY, points=self.points, draws=self.draws, seed=self.seed)
        if self.out is not None:
            write_all(unicity_outputs(found, make_folder(self.out)))
        data = {"shares": [one.as_json() for one in found]}
        return Answer(data, [_listing(found)], notes)


def _listing(found: Sequence[Unicity]) -> Listing:
    at = {(one.by, one.points): one for one in found}
    steps = sorted({one.points for one in found})
    rows = [
        [by, *(f"{at[by, p].share:.4f}" if (by, p) in at else "–" for p in steps)]
        for by in dict.fromkeys(one.by for one in found)
    ]
    title = Text(
        "Customers singled out by p known points", "知られている p 点で一人に絞られる顧客の割合"
    )
    return Listing(title, ["", *(f"p = {p}" for p in steps)], rows)
