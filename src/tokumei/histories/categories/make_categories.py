"""Builds categories by name: keywords, prefix, co-purchase, or a mapping file.

choose_categories(history, "keywords", items=read_descriptions("items.csv"))
choose_categories(history, "prefix:3")
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath, input_error
from tokumei.files.reading import read_frame
from tokumei.histories.categories.co_purchase import co_purchase_categories
from tokumei.histories.categories.keywords import keyword_categories
from tokumei.histories.categories.mapping import Categories, prefix_categories, read_categories
from tokumei.histories.data.history import History

DESCRIPTION_COLUMNS = (("item", "description"), ("StockCode", "Description"))
"""Column names that are understood: ours, and those of UCI Online Retail."""


def read_descriptions(
    path: AnyPath, *, sep: str | None = None, encoding: str = "auto"
) -> pl.DataFrame:
    """Item and its most frequent description (ties: the first in text order)."""
    frame = read_frame(path, sep=sep, encoding=encoding)
    for item, description in DESCRIPTION_COLUMNS:
        if item in frame.columns and description in frame.columns:
            return most_frequent_descriptions(frame.select(item=item, description=description))
    raise input_error(
        path, Message("columns item and description (or StockCode and Description) are needed")
    )


def most_frequent_descriptions(frame: pl.DataFrame) -> pl.DataFrame:
    """One description for each item; codes are compared without case and outer spaces."""
    text = frame.select(
        pl.col("item").cast(pl.String).str.strip_chars().str.to_uppercase(),
        pl.col("description").cast(pl.String).str.strip_chars(),
    ).filter(pl.col("description").is_not_null() & (pl.col("description") != ""))
    counted = text.group_by("item", "description").len()
    ordered = counted.sort(["item", "len", "description"], descending=[False, True, False])
    return ordered.unique("item", keep="first", maintain_order=True).drop("len")


def add_descriptions(history: History, items: pl.DataFrame | None = None) -> pl.DataFrame:
    """Every item of a history with its description (null where there is none)."""
    descriptions = items if items is not None else history.items
    names = history.item_names.to_frame("item")
    if descriptions is None:
        return names.with_columns(description=pl.lit(None, dtype=pl.String))
    keyed = most_frequent_descriptions(descriptions).rename({"item": "key"})
    joined = names.with_columns(key=pl.col("item").str.to_uppercase())
    return joined.join(keyed, on="key", how="left", maintain_order="left").drop("key")


DEFAULT_PREFIX_LENGTH, DEFAULT_CLUSTER_COUNT = 3, 19


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
    method, _, number = by.partition(":")
    if method == "keywords":
        names = add_descriptions(history, items)
        if names["description"].null_count() == names.height:
            raise UsageError("keywords need item descriptions: a file with item and description")
        return keyword_categories(names, rules=rules, language=language)
    if method == "prefix":
        return prefix_categories(
            history.item_names, length=_parse_number(by, number, DEFAULT_PREFIX_LENGTH)
        )
    if method == "co-purchase":
        cluster_count = _parse_number(by, number, DEFAULT_CLUSTER_COUNT)
        return co_purchase_categories(history.frame, number=cluster_count, seed=seed or 0)
    return read_categories(by)


def is_mapping_file(by: str) -> bool:
    """Whether `by` names a mapping file rather than a way to make categories."""
    return by.partition(":")[0] not in ("keywords", "prefix", "co-purchase")


def _parse_number(by: str, digits: str, default: int) -> int:
    if not digits:
        return default
    if digits.isdecimal() and int(digits) > 0:
        return int(digits)
    raise UsageError("{by}: a whole number from 1 must follow the colon", by=by)
