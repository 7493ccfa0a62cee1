"""Categories of a history's items by name: keywords, prefix, co-purchase, or a mapping file.

choose_categories(history, "keywords", items=read_descriptions("items.csv"))
choose_categories(history, "prefix:3")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.text import Language
from tokumei.histories.categories.categories import Categories, prefix_categories, read_categories
from tokumei.histories.categories.co_purchase import co_purchase_categories
from tokumei.histories.categories.keywords import keyword_categories
from tokumei.histories.data.item_descriptions import described

if TYPE_CHECKING:
    from tokumei.histories.data.history import History

PREFIX, CLUSTERS = 3, 19


def choose_categories(
    history: History,
    by: str,
    *,
    items: pl.DataFrame | None = None,
    rules: str | None = None,
    language: Language = "ja",
    seed: int | None = None,
) -> Categories:
    """`keywords`, `prefix[:length]`, `co-purchase[:number]`, or the path of a mapping file."""
    kind, _, number = by.partition(":")
    if kind == "keywords":
        names = described(history, items)
        _require_descriptions(names)
        return keyword_categories(names, rules=rules, language=language)
    if kind == "prefix":
        return prefix_categories(history.item_names, length=_number(by, number, PREFIX))
    if kind == "co-purchase":
        wanted = _number(by, number, CLUSTERS)
        return co_purchase_categories(history.frame, number=wanted, seed=seed or 0)
    return read_categories(by)


def is_file(by: str) -> bool:
    """Whether `by` names a mapping file rather than a way to make categories."""
    return by.partition(":")[0] not in ("keywords", "prefix", "co-purchase")


def _number(by: str, given: str, default: int) -> int:
    if not given:
        return default
    if given.isdecimal() and int(given) > 0:
        return int(given)
    raise UsageError(
        f"{by}: a whole number from 1 must follow the colon", f"{by}: コロンの後は 1 以上の整数です"
    )


def _require_descriptions(items: pl.DataFrame) -> None:
    if items["description"].null_count() == items.height:
        raise UsageError(
            "keywords need item descriptions: a file with item and description",
            "keywords には商品名が必要です (item と description のあるファイル)",
        )
