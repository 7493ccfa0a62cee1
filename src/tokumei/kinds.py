"""All kinds of data: one line each. Other packages add theirs as entry points `tokumei.kinds`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokumei.core.errors import UnknownNameError
from tokumei.core.kind import Kind
from tokumei.core.lazy import LazyObject
from tokumei.core.others import others
from tokumei.core.text import Text

if TYPE_CHECKING:
    import polars as pl

BUILT_IN: tuple[LazyObject[Kind], ...] = (
    LazyObject("tokumei.tables.kind", "TABLES"),
    LazyObject("tokumei.histories.kind", "HISTORIES"),
    LazyObject("tokumei.pseudonyms.kind", "PSEUDONYMS"),
)


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Every kind, built-in ones first."""
    foreign = (point.load() for point in others("tokumei.kinds"))
    return (*(kind.load() for kind in BUILT_IN), *foreign)


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


def purchases_of(source: object) -> pl.DataFrame:
    """Customer, day and what else there is, by the kind of the data or else the first that can."""
    kinds = (kind_of(source), *all_kinds())
    points = next(points for kind in kinds if (points := kind.flow.points) is not None)
    return points(source)
