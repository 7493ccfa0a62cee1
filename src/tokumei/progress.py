"""Progress without a dependency on any screen: work reports, the command line listens.

    for block in track(blocks, Text("attacking", "攻撃中")): ...

Outside the command line nothing is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextvars import ContextVar
from typing import TypeVar

from tokumei.text import Text

T = TypeVar("T")
Listener = Callable[[Iterable[T], Text, int | None], Iterator[T]]

_listener: ContextVar[Listener[object] | None] = ContextVar("tokumei_progress", default=None)


def listen(listener: Listener[object] | None) -> None:
    """Show progress through `listener` for the rest of this context."""
    _listener.set(listener)


def track(items: Iterable[T], what: Text, total: int | None = None) -> Iterator[T]:
    """Yield the items, telling the listener (if any) how far the work is."""
    listener = _listener.get()
    if total is None and isinstance(items, Sized):
        total = len(items)
    yield from items if listener is None else listener(items, what, total)  # type: ignore[misc]
