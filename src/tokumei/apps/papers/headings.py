"""Column and row headings of the papers' tables.

heading("loss_items").show("ja")
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from tokumei.core.messages import Message

_NUMBERED_HEADINGS = {
    "level": ("level", "段"),
    "rule": ("rule", "規則"),
    "method_": ("method", "手法"),
}


@cache
def _heading_words() -> dict[str, tuple[str, str]]:
    """The words for every key, English and Japanese: a line of headings.tsv each."""
    lines = files(__package__).joinpath("headings.tsv").read_text(encoding="utf-8").splitlines()
    return {key: (en, ja) for key, en, ja in (line.split("\t") for line in lines)}


def describe_heading(key: str) -> Message:
    """The words for a key; the key itself where it is one already (DA, U4, 2017)."""
    if key in _heading_words():
        return Message(*_heading_words()[key])
    for prefix, (en, ja) in _NUMBERED_HEADINGS.items():
        number = key.removeprefix(prefix)
        if number != key and len(number) == 1:
            return Message(f"{en} {number}", f"{ja} {number}")
    return Message(key, key)
