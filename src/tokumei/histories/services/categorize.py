"""Puts the items of a history into the categories that a request names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.core.text import current_language

if TYPE_CHECKING:
    from tokumei.histories.categories.categories import Categories
    from tokumei.histories.data.history import History


def choose_item_categories(
    history: History,
    by: str,
    *,
    items: str | None = None,
    rules: str | None = None,
    seed: int | None = None,
    **dialect: Any,
) -> Categories:
    """Put the items of a history into categories; `dialect`: how the file of items is read."""
    from tokumei.histories.categories.choose import choose_categories, read_descriptions

    known = None if items is None else read_descriptions(items, **dialect)
    language = current_language()
    return choose_categories(history, by, items=known, rules=rules, language=language, seed=seed)
