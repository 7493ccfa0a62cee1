"""Reading what commands on histories are given, and the options for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokumei.core.ask import Ask, option
from tokumei.core.options import data_option, encoding_option, sep_option
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.histories.categories.categories import Categories
    from tokumei.histories.data.history import History


def columns_option() -> Any:
    """The names of the columns in a file with a header."""
    return option(
        "columns of a history: customer=ID,day=Date,item=Code,price=Price,quantity=Qty",
        "履歴の列: customer=ID,day=Date,item=Code,price=Price,quantity=Qty",
        default={},
    )


def keep_option() -> Any:
    """Rules of cleaning that are not applied."""
    return option(
        "online-retail: cleaning rules not to apply, e.g. non-product",
        "online-retail: 適用しない規則 (例 non-product)",
        default=(),
    )


def categories_option() -> Any:
    """Categories to stand for items."""
    return option(
        "replace items first: mapping file, keywords, prefix:N or co-purchase:N",
        "先に商品を置換: 対応ファイル、keywords、prefix:N、co-purchase:N",
        default=None,
    )


def items_option() -> Any:
    """The file of the items' descriptions."""
    return option("descriptions of the items", "商品名のファイル", default=None)


def read_source(path: str, format: str, **options: Any) -> tuple[History, list[Text]]:
    """The history in a file of a format with the options given, and what cleaning removed.

    An option that the format does not use is refused.
    """
    from tokumei.histories.formats.layout import history_layout

    return history_layout(format, dashes="--", **options).read_noted(path)


@dataclass(frozen=True, kw_only=True)
class HistoryFile(Ask):
    """A command on one history in a file of any layout."""

    data: str = data_option()
    columns: dict[str, str] = columns_option()
    keep: tuple[str, ...] = keep_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    format: str = "table"

    def read(self) -> tuple[History, list[Text]]:
        """The history, and what its reader should know of it."""
        return read_source(
            self.data,
            self.format,
            columns=self.columns,
            keep=self.keep,
            sep=self.sep,
            encoding=self.encoding,
        )


def categories_for(
    history: History,
    by: str,
    *,
    items: str | None = None,
    rules: str | None = None,
    seed: int | None = None,
) -> Categories:
    """The categories that an option names."""
    from tokumei.core.text import current_language
    from tokumei.histories.categories.choose import choose_categories
    from tokumei.histories.data.item_descriptions import read_descriptions

    known = None if items is None else read_descriptions(items)
    language = current_language()
    return choose_categories(history, by, items=known, rules=rules, language=language, seed=seed)


def with_categories(
    history: History, by: str | None, *, items: str | None, seed: int | None
) -> History:
    """The history with categories in place of items, if any are asked for."""
    if by is None:
        return history
    return history.with_items(categories_for(history, by, items=items, seed=seed).of)
