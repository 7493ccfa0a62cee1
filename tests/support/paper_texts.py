"""The words of the papers' tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokumei.apps.papers.published_values import (
    FIGURE_VALUE_KEYS,
    PAPER_NUMBERS,
    read_published_paper,
)


def paper_texts() -> Iterator[str]:
    """What the papers' tables and figures say, as it was typed from them."""
    for number in PAPER_NUMBERS:
        for block in read_published_paper(number).blocks.values():
            yield block.id.replace("_", " ")
            yield from _texts_in([block.rows, *(block.entry.get(key) for key in FIGURE_VALUE_KEYS)])


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts_in([*value, *value.values()])
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts_in(part)
