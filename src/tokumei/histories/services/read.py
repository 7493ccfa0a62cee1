"""Reads a history, whichever way it comes: a file of any layout, a frame, or one already read.

    read = read_history(HistorySource(data="T.csv", layout=history_layout("pws2018")))
    read.history, read.notes

The same rows give the same columns, types and people.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.histories.categories.make_categories import choose_categories, read_descriptions
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.history import History
from tokumei.histories.formats.layout import HeaderTable, HistoryLayout
from tokumei.histories.services.requests import CategoryRequest, HistorySource


@dataclass(frozen=True, eq=False)
class ReadHistory:
    """The history, with its categories for items if there are any, and what to know of it.

    `original` is the history before its items were replaced.
    """

    history: History
    notes: list[Message] = field(default_factory=list)
    original: History | None = None
    mapping: Mapping[str, str] | None = None


def read_history(source: HistorySource) -> ReadHistory:
    """Read a history and replace its items by categories if the source has any."""
    data, notes = source.data, list[Message]()
    if isinstance(data, History):
        history = data
    else:
        layout = layout_of_source(source)
        history, notes = layout.read_with_notes(data)
        history = replace(history, format=layout.name)
    categories = source.categories
    if categories is None:
        return ReadHistory(history, notes)
    if isinstance(categories, CategoryRequest):
        categories = choose_item_categories(history, categories).of
    return ReadHistory(history.with_items(categories), notes, history, categories)


def layout_of_source(source: HistorySource) -> HistoryLayout:
    """How the files of a source are laid out."""
    return source.layout or HeaderTable()


def file_digest(source: HistorySource) -> str | None:
    """The SHA-256 of the source's file; None if it is no file."""
    from tokumei.files.file_formats import sha256_of_file

    return sha256_of_file(source.data) if isinstance(source.data, str | os.PathLike) else None


def choose_item_categories(history: History, request: CategoryRequest) -> Categories:
    """Put the items of a history into categories."""
    items = request.items
    known = None if items is None else read_descriptions(items, encoding=request.encoding)
    return choose_categories(
        history,
        request.by,
        items=known,
        rules=request.rules,
        language=current_language(),
        seed=request.seed,
    )
