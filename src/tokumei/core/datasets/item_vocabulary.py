"""Words for generated item descriptions: 19 kinds of things and their modifiers.

    KINDS["ペット用品"].things       # ("DOG BOWL", "DOG LEAD", …)

Every description is an optional size, a colour, a pattern and a thing. Patterns are chosen
so that none but CHRISTMAS speaks of a kind: a categorizer that looks for keywords sees the thing.
The things of 不明 are meant to be unreadable, those of その他 to fit nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple


class ItemKind(NamedTuple):
    """One kind of goods: its share among the items, its typical price, its things."""

    share: int
    price: float
    things: tuple[str, ...]


def _split_words(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(","))


def _parse_item_kinds(table: str) -> Iterator[tuple[str, ItemKind]]:
    """Every unindented line is a kind, its share and its price; its things follow."""
    for block in re.split(r"\n(?=\S)", table.strip()):
        head, things = block.split("\n", 1)
        name, share, price = head.split()
        yield name, ItemKind(int(share), float(price), _split_words(things))


ITEM_KINDS: dict[str, ItemKind] = dict(
    _parse_item_kinds(files(__package__).joinpath("item_kinds.txt").read_text(encoding="utf-8"))
)
"""The kinds in the order of their shares (items out of 3,253)."""

COLOUR_WORDS: tuple[str, ...] = _split_words(
    "RED, BLUE, GREEN, PINK, WHITE, BLACK, IVORY, CREAM, YELLOW, ORANGE, PURPLE, TURQUOISE,"
    "SILVER, GOLD, COPPER, CORAL, MINT, NAVY, LILAC, AMBER, CHARCOAL, RUSSET, OCHRE, TEAL"
)
CHRISTMAS_PATTERN = "CHRISTMAS"
PATTERN_WORDS: tuple[str, ...] = (
    CHRISTMAS_PATTERN,
    *_split_words(
        "POLKA, RETRO DOT, STRIPED, TARTAN, PAISLEY, GINGHAM, ZIGZAG, CHECKED, FLORAL, DAISY,"
        "POPPY, TULIP, WILD ROSE, LAVENDER SPRIG, FERN, OAK LEAF, ACORN, STRAWBERRY, CHERRY, LEMON,"
        "APPLE, OWL, FOX, HEDGEHOG, ROBIN, SWALLOW, BUTTERFLY, BUMBLEBEE, LADYBIRD, ELEPHANT,"
        "BADGER, STAR, MOON, SUNBURST, RAINBOW, CLOUD, HEART, LOVE, ANCHOR, LIGHTHOUSE, SAILBOAT,"
        "SEASHELL, LONDON, PARIS, ALPINE, SAFARI, CIRCUS, CARNIVAL, FAIRGROUND, GEOMETRIC, MOSAIC,"
        "MARBLED, ENAMEL, WOODEN, BRUSHED, FROSTED, RUSTIC, ANTIQUE, VICTORIAN, ART DECO, SCANDI"
    ),
)
SIZE_WORDS: tuple[str, ...] = ("", "", "", "", "SMALL", "LARGE", "MINI", "SET OF 3", "PACK OF 12")
