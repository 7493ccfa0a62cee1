"""Column and row headings of the papers' tables.

heading("loss_items").show("ja")
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

from tokumei.core.messages import Message, as_message

_NUMBERED_HEADINGS = {
    "level": Message("level {number}"),
    "rule": Message("rule {number}"),
    "method_": Message("method {number}"),
}


@cache
def _headings() -> dict[str, Message]:
    """The words for every key."""
    file = files(__package__).joinpath("headings.yaml")
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    headings = data["headings"].items()
    return {key: as_message(words, context=data["context"]) for key, words in headings}


def describe_heading(key: str) -> Message:
    """The words for a key; the key itself where it is one already (DA, U4, 2017)."""
    if key in _headings():
        return _headings()[key]
    for prefix, numbered in _NUMBERED_HEADINGS.items():
        number = key.removeprefix(prefix)
        if number != key and len(number) == 1:
            return numbered.fill(number=number)
    return Message.verbatim(key)
