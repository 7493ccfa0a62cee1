"""What commands that read one history share: its file, and how it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokumei.core.ask import Ask, option
from tokumei.core.options import encoding_option, sep_option
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.histories.categories.categories import Categories
    from tokumei.histories.data.history import History


@dataclass(frozen=True, kw_only=True)
class HistoryFile(Ask):
    """A command on a history in a file of any layout."""

    data: str = option("the history", "履歴")
    columns: dict[str, str] = option(
        "columns of a history: customer=ID,day=Date,item=Code,price=Price,quantity=Qty",
        "履歴の列: customer=ID,day=Date,item=Code,price=Price,quantity=Qty",
        default={},
    )
    keep: tuple[str, ...] = option(
        "online-retail: cleaning rules not to apply, e.g. non-product",
        "online-retail: 適用しない規則 (例 non-product)",
        default=(),
    )
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    format: str = "table"

    def read(self) -> tuple[History, list[Text]]:
        """The history, and what its reader should know of it."""
        from tokumei.histories.formats.layout import history_layout

        layout = history_layout(
            self.format,
            dashes="--",
            columns=self.columns,
            keep=self.keep,
            sep=self.sep,
            encoding=self.encoding,
        )
        return layout.read_noted(self.data)


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
