"""What the choice of item categories does to marketing: losses, and analyses of items.

    found = study_categories(history, {"keywords": categories}, k=6, seed=1)
    [(line.name, line.honest_loss, line.rfm) for line in found]

For every mapping the items are replaced and the history is released; the analyses compare the
replaced original with its release. `no categories` keeps the items. `random` deals the items of the
first mapping into categories of the same sizes: the lower bar, as it knows nothing of them. RFM
uses no items, so it is the same in every line: the control. The contest's loss is against the
replaced items and must not rank mappings; the honest one is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tokumei.core.flow import make_release
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.histories.categories.categories import Categories
from tokumei.histories.data.history import History
from tokumei.histories.item_analyses import (
    basket_f1,
    month_error,
    next_hits,
    original_rows,
    released_rows,
    top_kept,
)
from tokumei.histories.kind import HISTORIES
from tokumei.histories.measures.losses import honest_loss
from tokumei.histories.measures.protocol import HistoryCase, history_loss
from tokumei.histories.measures.rfm import Rfm
from tokumei.histories.registry import anonymizers

PLAIN, RANDOM = "no categories", "random"


@dataclass(frozen=True)
class StudyLine:
    """One mapping: its categories, both losses, and what is left of each analysis.

    `month_error` over categories and months; `top_kept` of the 20 best sold; `basket_f1` of pairs;
    `next_original` and `next_released`: hits of the next category by either side's habits.
    """

    name: str
    categories: int
    contest_loss: float
    honest_loss: float
    month_error: float
    top_kept: float
    basket_f1: float
    next_original: float
    next_released: float
    rfm: float

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def study_categories(
    history: History,
    mappings: Mapping[str, Categories],
    *,
    k: int = 6,
    method: str = "rank-match",
    seed: int | None = None,
) -> list[StudyLine]:
    """A line for the items themselves, every mapping, and one dealt at random."""
    every = {PLAIN: Categories(PLAIN, {item: item for item in history.item_names}), **mappings}
    if mappings:
        every[RANDOM] = random_categories(next(iter(mappings.values())), seed)
    return [
        _studied(history, name, categories, k, method, seed)
        for name, categories in track(list(every.items()), Text("mappings", "対応表"))
    ]


def random_categories(like: Categories, seed: int | None = None) -> Categories:
    """Categories of the same names and sizes, their items dealt at random."""
    items = sorted(like.of)
    order = Randomness(seed).child("random categories").permutation(len(items))
    dealt = {item: like.of[items[int(place)]] for item, place in zip(items, order, strict=True)}
    return Categories(RANDOM, dealt)


def _studied(
    history: History, name: str, categories: Categories, k: int, method: str, seed: int | None
) -> StudyLine:
    source = history.with_items(categories.of)
    release = make_release(HISTORIES, source, anonymizers.build(method, {"k": k}), seed=seed)
    true, seen = original_rows(source), released_rows(release.rows, source.item_names)
    original, released = next_hits(true, seen)
    return StudyLine(
        name,
        len(source.item_names),
        history_loss(source, release.rows).loss,
        honest_loss(history, release.rows, categories.of).loss,
        month_error(true, seen),
        top_kept(true, seen),
        basket_f1(true, seen),
        original,
        released,
        Rfm().score(HistoryCase(source, release.rows)).value,
    )
