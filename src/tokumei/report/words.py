"""Parts of pages that hold words: large figures and cautions."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.measure import Level
from tokumei.core.text import Text


@dataclass(frozen=True)
class KeyFigure:
    """A large number with its light and a caption."""

    value: str
    level: Level | None
    caption: Text


@dataclass(frozen=True)
class Caution:
    """Something that the figures of a page do not tell."""

    title: Text
    words: Text


def joined(*sentences: Text) -> Text:
    """Sentences one after the other."""
    return Text(" ".join(one.en for one in sentences), "".join(one.ja for one in sentences))
