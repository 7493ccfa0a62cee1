"""Lists the kinds of data; other packages add theirs as entry points `tokumei.kinds`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokumei.core.data_kind import DataKind
from tokumei.core.errors import UnknownNameError
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.core.plugins import load_plugins

if TYPE_CHECKING:
    import polars as pl

BUILTIN_KINDS: tuple[LazyObject[DataKind], ...] = (
    LazyObject("tokumei.tables.kind", "TABLES"),
    LazyObject("tokumei.histories.kind", "HISTORIES"),
    LazyObject("tokumei.pseudonyms.kind", "PSEUDONYMS"),
)


@cache
def all_kinds() -> tuple[DataKind, ...]:
    """Every kind, built-in ones first."""
    foreign = (point.load() for point in load_plugins("tokumei.kinds"))
    return (*(kind.load() for kind in BUILTIN_KINDS), *foreign)


def kind_of(data: object) -> DataKind:
    """The kind of some data or release; frames that no kind owns are tables."""
    first, *others = all_kinds()
    return next((kind for kind in others if kind.owns(data)), first)


def kind(name: str) -> DataKind:
    """The kind of this name: tables, histories, pseudonyms, or another package's."""
    by_name = {kind.name: kind for kind in all_kinds()}
    if name not in by_name:
        raise UnknownNameError(Message("kind of data"), name, by_name)
    return by_name[name]


def purchases_of(source: object) -> pl.DataFrame:
    """Customer, day and what else there is, by the kind of the data or else the first that can."""
    kinds = (kind_of(source), *all_kinds())
    points = next(points for kind in kinds if (points := kind.flow.points) is not None)
    return points(source)
