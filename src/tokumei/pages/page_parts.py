"""Parts of pages: large figures and cautions."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.measure import Level
from tokumei.core.messages import Message


@dataclass(frozen=True)
class KeyFigure:
    """A large number with its light and a caption."""

    value: str
    level: Level | None
    caption: Message


@dataclass(frozen=True)
class Caution:
    """Something that the figures of a page do not tell."""

    title: Message
    words: Message
