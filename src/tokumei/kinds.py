"""All kinds of data: one line each. Other packages add theirs as entry points `tokumei.kinds`."""

from __future__ import annotations

from functools import cache

from tokumei.core.errors import UnknownNameError
from tokumei.core.kind import Kind
from tokumei.core.lazy import load
from tokumei.core.others import others
from tokumei.core.text import Text

BUILT_IN = (
    "tokumei.tables.kind:TABLES",
    "tokumei.histories.kind:HISTORIES",
    "tokumei.pseudonyms.kind:PSEUDONYMS",
)


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Every kind, built-in ones first."""
    foreign = (point.load() for point in others("tokumei.kinds"))
    return (*map(load, BUILT_IN), *foreign)


def kind_of(thing: object) -> Kind:
    """The kind of some data or release; frames that no kind owns are tables."""
    first, *others = all_kinds()
    return next((kind for kind in others if kind.owns(thing)), first)


def kind(name: str) -> Kind:
    """The kind of this name: tables, histories, pseudonyms, or another package's."""
    by_name = {kind.name: kind for kind in all_kinds()}
    if name not in by_name:
        raise UnknownNameError(Text("kind of data", "データの種類"), name, by_name)
    return by_name[name]


def kind_that(thing: object, ability: str) -> Kind:
    """The kind of some data if its flow has the ability, else the first kind that has it."""
    kinds = (kind_of(thing), *all_kinds())
    return next(kind for kind in kinds if hasattr(kind.flow, ability))
